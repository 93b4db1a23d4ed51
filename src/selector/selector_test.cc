#include "selector/selector.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "selector/devices_for_tests.h"

namespace quadra::selector {
namespace {

constexpr std::string_view kDriver = "gpu.example.com";

std::shared_ptr<const Expression> CompileStored(const Language& language, std::string_view text) {
  auto expression = language.Compile(text, Profile::Stored(), Use::kSelector);
  EXPECT_FALSE(expression->error()) << text << ": " << expression->error()->message;
  return expression;
}

// What one device is answered: true, false or the error.
std::string Ask(const Language& language, std::string_view text, const api::Device& device) {
  ValueStore store;
  cel::Scratch scratch;
  const Facts facts = ReadFacts(kDriver, device, language.columns(), store);
  const FactsInputs inputs(language.columns(), {facts.columns, facts.values});
  const Explanation explanation =
      Explain(*CompileStored(language, text), facts.poison, inputs, scratch);
  switch (explanation.verdict) {
    case Verdict::kMatch:
      return "true";
    case Verdict::kNo:
      return "false";
    case Verdict::kError:
      return explanation.error;
  }
  return "";
}

TEST(Match, OneDevice) {
  struct Row {
    std::string_view expression, answer;
  };
  const Row rows[] = {
      {R"(device.driver == "gpu.example.com")", "true"},
      {R"(device.attributes["gpu.example.com"].model == "a100")", "true"},
      {R"(device.attributes["gpu.example.com"].nope == 1)", "no such key: nope"},
      {R"(device.attributes["other.example.com"].model == "a100")", "no such key: model"},
      {R"(has(device.attributes["gpu.example.com"].nope))", "false"},
      {R"("nope.example.com" in device.attributes)", "false"},
      {R"(has(device.attributes.nope))", "true"},
      {R"(device.attributes["gpu.example.com"].nope == 1 || true)", "true"},
      {R"(device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0)", "true"},
      {R"(device.allowMultipleAllocations)", "false"},
      {R"(device.attributes.exists(d, d == "gpu.example.com"))", "true"},
      {R"(dyn(device.attributes["gpu.example.com"].model))",
       "CEL result of type string could not be converted to bool: unsupported native conversion "
       "from string to 'bool'"},
  };
  const Language language;
  for (const Row& row : rows) {
    EXPECT_EQ(Ask(language, row.expression, Gpu("gpu-0", "a100", "80Gi")), row.answer)
        << row.expression;
  }
}

TEST(Match, APoisonedDeviceFailsEveryExpression) {
  const Language language;
  api::Device device = Gpu("gpu-0", "a100", "80Gi");
  device.attributes["empty"] = {};
  EXPECT_EQ(Ask(language, "true", device), "attribute empty: unsupported attribute value");
}

TEST(Match, ANameWithTheDriversDomainWinsOverTheBareOne) {
  const Language language;
  api::Device device = Gpu("gpu-0", "bare", "80Gi");
  device.attributes["gpu.example.com/model"] = TextAttribute("qualified");
  EXPECT_EQ(Ask(language, R"(device.attributes["gpu.example.com"].model == "qualified")", device),
            "true");
}

// Upstream's maps with a default count as not zero, however empty.
TEST(Match, TheMapsOfADeviceAreNeverZero) {
  const Language language;
  const api::Device bare{.name = "gpu-0"};
  EXPECT_EQ(Ask(language, "optional.ofNonZeroValue(device.attributes).hasValue()", bare), "true");
  EXPECT_EQ(Ask(language, "optional.ofNonZeroValue(device.capacity).hasValue()", bare), "true");
  EXPECT_EQ(Ask(language, R"(optional.ofNonZeroValue(device.attributes["d"]).hasValue())", bare),
            "false");
}

TEST(Language, EnvironmentsDiffer) {
  struct Row {
    std::string_view text;
    Profile profile;
    bool compiles;
  };
  const Row rows[] = {
      {"device.allowMultipleAllocations", Profile::New(), true},
      {"device.allowMultipleAllocations", Profile::New(false), false},
      {"device.allowMultipleAllocations", Profile::Stored(), true},
      {R"(device.attributes["d"].x.exists(v, v == 1))", Profile::New(), false},
      {R"(device.attributes["d"].x.exists(v, v == 1))", Profile::New(true, true), true},
      {R"(device.attributes["d"].x.exists(v, v == 1))", Profile::Stored(), true},
      {R"(device.attributes["d"].x.includes(1))", Profile::New(), false},
      {R"(device.attributes["d"].x.includes(1))", Profile::New(true, true), true},
  };
  const Language language;
  for (const Row& row : rows) {
    const auto expression = language.Compile(row.text, row.profile, Use::kSelector);
    EXPECT_EQ(!expression->error(), row.compiles) << row.text;
  }
}

TEST(Language, ResultTypes) {
  struct Row {
    std::string_view text;
    Use use;
    std::string_view problem;  // empty: compiles
  };
  const Row rows[] = {
      {"true", Use::kSelector, ""},
      {R"(device.attributes["d"].x)", Use::kSelector, ""},
      {"1", Use::kSelector, "must evaluate to bool or the unknown type, not int"},
      {"1", Use::kDerivedAttribute, ""},
      {"[1]", Use::kDerivedAttribute, ""},
      {"1.5", Use::kDerivedAttribute,
       "must evaluate to a primitive scalar (string, integer, boolean, semver) or a list of these "
       "scalars, not double"},
  };
  const Language language;
  for (const Row& row : rows) {
    const auto expression = language.Compile(row.text, Profile::Stored(), row.use);
    EXPECT_EQ(expression->error() ? expression->error()->message : "", row.problem) << row.text;
  }
}

TEST(ExpressionCache, KeepsWhatFitsAndFailuresToo) {
  const Language language;
  ExpressionCache cache(language);
  const auto first = cache.Get("true", Profile::Stored(), Use::kSelector);
  EXPECT_EQ(cache.Get("true", Profile::Stored(), Use::kSelector), first);
  EXPECT_NE(cache.Get("true", Profile::New(), Use::kSelector), first);
  EXPECT_NE(cache.Get("true", Profile::Stored(), Use::kDerivedAttribute), first);
  EXPECT_TRUE(cache.Get("(", Profile::Stored(), Use::kSelector)->error());
  EXPECT_TRUE(cache.Get("(", Profile::Stored(), Use::kSelector)->error());
  EXPECT_EQ(cache.statistics().compiled, 4);
}

TEST(ExpressionCache, DropsTheLeastRecentlyUsed) {
  const Language language;
  ExpressionCache small(language, 1);
  const auto first = small.Get("true", Profile::Stored(), Use::kSelector);
  small.Get("false", Profile::Stored(), Use::kSelector);
  EXPECT_EQ(small.statistics().entries, 1);
  EXPECT_NE(small.Get("true", Profile::Stored(), Use::kSelector), first);
}

// --- Tables and bitmaps.

constexpr std::string_view kExpressions[] = {
    R"(device.driver == "gpu.example.com")",
    R"(device.attributes["gpu.example.com"].model == "a100")",
    R"(device.attributes["gpu.example.com"].driverVersion.isLessThan(semver("550.54.15")))",
    R"(device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0)",
    R"(has(device.attributes["gpu.example.com"].model) && device.attributes["gpu.example.com"].index < 2)",
    R"(device.attributes["gpu.example.com"].uuid.endsWith("7"))",
    R"(device.attributes["gpu.example.com"].uuid.endsWith("7") && device.attributes["gpu.example.com"].model == "l4")",
    R"(device.attributes.exists(d, device.attributes[d].exists(k, k == "model")))",
    R"(device.attributes["gpu.example.com"].nope == 1 || device.allowMultipleAllocations)",
    R"(device.attributes["gpu.example.com"].model)",
    "true",
};

// The bitmaps say of every row what the virtual machine says of it.
void ExpectAgreement(const Bitmaps& bitmaps, const DeviceTable& table) {
  cel::Scratch scratch;
  for (Row row = 0; row < table.size(); ++row) {
    if (!table.is_device(row)) {
      EXPECT_EQ(bitmaps.At(row), Verdict::kNo);
      continue;
    }
    const Explanation expected =
        Explain(bitmaps.expression(), table.PoisonOf(row), table.RowInputs(row), scratch);
    ASSERT_EQ(bitmaps.At(row), expected.verdict)
        << "row " << row << ": " << bitmaps.expression().text();
  }
}

TEST(Bitmaps, AgreeWithTheVirtualMachineThroughChanges) {
  const Language language;
  SeededRandom random(1);
  TableWriter table(language.columns());
  cel::Scratch scratch;
  std::vector<Bitmaps> bitmaps;
  for (const std::string_view text : kExpressions) {
    bitmaps.emplace_back(CompileStored(language, text));
  }
  std::vector<SliceId> slices;
  std::vector<std::shared_ptr<const DeviceTable>> taken;
  for (std::size_t step = 0; step < 120; ++step) {
    if (slices.size() > 4 && random.Below(3) == 0) {
      const std::size_t at = random.Below(slices.size());
      if (random.Below(2) == 0) {
        table.RemoveSlice(slices[at]);
        slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        slices[at] = table.ReplaceSlice(slices[at], kDriver,
                                        RandomDevices(random, random.Below(20), step * 100));
      }
    } else {
      slices.push_back(
          table.AddSlice(kDriver, RandomDevices(random, random.Below(20), step * 100)));
    }
    if (step % 7 == 0 || step == 119) {
      taken.push_back(table.Take());
      for (const auto& next : {taken[random.Below(taken.size())], taken.back()}) {
        for (Bitmaps& each : bitmaps) {
          each.Refresh(next, scratch);
          ExpectAgreement(each, *next);
        }
      }
    }
  }
  EXPECT_GT(table.now().devices(), 64);
  EXPECT_TRUE(table.now().has_own_columns()) << "the uuid tells devices apart";
}

TEST(Bitmaps, AskOncePerKindOfDevice) {
  const Language language;
  TableWriter table(language.columns());
  for (int i = 0; i < 1000; ++i) {
    const std::vector<api::Device> devices(
        16, Gpu("gpu", i % 2 == 0 ? "a100" : "h100", i % 3 == 0 ? "80Gi" : "40Gi"));
    table.AddSlice(kDriver, devices);
  }
  cel::Scratch scratch;
  Bitmaps bitmaps(
      CompileStored(language, R"(device.attributes["gpu.example.com"].model == "a100")"));
  bitmaps.Refresh(table.Take(), scratch);
  EXPECT_EQ(bitmaps.work().rows, 16'000);
  EXPECT_EQ(bitmaps.work().evaluations, 4);
}

TEST(Bitmaps, AskOncePerTupleOfWhatTheyRead) {
  const Language language;
  TableWriter table(language.columns());
  for (int i = 0; i < 4000; ++i) {
    api::Device device = Gpu("gpu", i % 2 == 0 ? "a100" : "h100", "80Gi");
    device.attributes["index"] = IntAttribute(i % 100);
    device.attributes["numa"] = IntAttribute(i % 9);
    table.AddSlice(kDriver, {&device, 1});
  }
  cel::Scratch scratch;
  Bitmaps bitmaps(
      CompileStored(language, R"(device.attributes["gpu.example.com"].model == "a100")"));
  bitmaps.Refresh(table.Take(), scratch);
  EXPECT_GT(table.now().class_count(), 500);
  EXPECT_EQ(bitmaps.work().evaluations, 2);
}

TEST(Bitmaps, AChangedSliceCostsItsOwnRowsOnly) {
  const Language language;
  TableWriter table(language.columns());
  std::vector<SliceId> slices;
  slices.reserve(100);
  for (int i = 0; i < 100; ++i) {
    slices.push_back(
        table.AddSlice(kDriver, std::vector<api::Device>(16, Gpu("g", "a100", "80Gi"))));
  }
  cel::Scratch scratch;
  Bitmaps bitmaps(
      CompileStored(language, R"(device.attributes["gpu.example.com"].model == "h100")"));
  bitmaps.Refresh(table.Take(), scratch);
  const Bitmaps::Work before = bitmaps.work();
  table.ReplaceSlice(slices[50], kDriver, std::vector<api::Device>(16, Gpu("g", "h100", "80Gi")));
  bitmaps.Refresh(table.Take(), scratch);
  EXPECT_EQ(bitmaps.work().rows - before.rows, 16);
  EXPECT_EQ(bitmaps.work().evaluations - before.evaluations, 1);
  EXPECT_EQ(bitmaps.At(table.now().rows(slices[50]).begin), Verdict::kMatch);
  EXPECT_EQ(bitmaps.At(table.now().rows(slices[49]).begin), Verdict::kNo);
}

TEST(Bitmaps, SelectorsInSequenceStopAtTheFirstNo) {
  const Language language;
  TableWriter table(language.columns());
  table.AddSlice(kDriver,
                 std::vector<api::Device>{Gpu("a", "a100", "80Gi"), Gpu("b", "l4", "24Gi")});
  cel::Scratch scratch;
  Bitmaps first(CompileStored(language, R"(device.attributes["gpu.example.com"].model == "a100")"));
  Bitmaps second(CompileStored(language, R"(device.attributes["gpu.example.com"].nope == 1)"));
  first.Refresh(table.Take(), scratch);
  second.Refresh(table.Take(), scratch);
  const Bitmaps* order[] = {&first, &second};
  EXPECT_EQ(InSequence(order).matches[0], 0);
  EXPECT_EQ(InSequence(order).errors[0], 0b01) << "the l4 never reaches the second selector";
}

TEST(Bitmaps, ThreadsShareProgramsAndTables) {
  const Language language;
  SeededRandom random(7);
  TableWriter table(language.columns());
  for (std::size_t i = 0; i < 40; ++i) {
    table.AddSlice(kDriver, RandomDevices(random, 16, i * 16));
  }
  const std::shared_ptr<const DeviceTable> taken = table.Take();
  ExpressionCache cache(language);
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      cel::Scratch scratch;
      for (const std::string_view text : kExpressions) {
        Bitmaps bitmaps(cache.Get(text, Profile::Stored(), Use::kSelector));
        bitmaps.Refresh(taken, scratch);
        ExpectAgreement(bitmaps, *taken);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(DeviceTable, ForgetsWhatIsGone) {
  const Language language;
  SeededRandom random(3);
  TableWriter table(language.columns());
  const SliceId slice = table.AddSlice(kDriver, RandomDevices(random, 100));
  for (std::size_t i = 1; i < 120; ++i) {
    table.ReplaceSlice(slice, kDriver, RandomDevices(random, 100, i * 100));
  }
  EXPECT_LE(table.now().classes_in_use(), 100);
  EXPECT_LT(table.now().class_count(), 300) << "numbers are given again";
  EXPECT_EQ(table.now().size(), 128) << "a run of rows is a power of two";
}

// All facts of all devices, in words.
std::string FactsIn(const DeviceTable& table) {
  std::string text;
  for (Row row = 0; row < table.size(); ++row) {
    if (table.is_device(row)) {
      text += std::to_string(row) + table.PoisonOf(row);
      table.VisitColumns(row, [&](ColumnId column) {
        const cel::Value value = table.RowInputs(row).Slot(column);
        text += " " + std::to_string(column) +
                (value.kind() == cel::Kind::kString ? std::string(value.as_text()) : "");
      });
    }
  }
  return text;
}

// Tables that were taken never change, and what one says of rows that differ from another's is
// complete: rows that are not named have the same facts.
TEST(DeviceTable, StaysAsItWasTaken) {
  const Language language;
  SeededRandom random(4);
  TableWriter writer(language.columns());
  std::vector<SliceId> slices;
  std::vector<std::pair<std::shared_ptr<const DeviceTable>, std::string>> taken;
  for (std::size_t step = 0; step < 200; ++step) {
    const std::vector<api::Device> devices = RandomDevices(random, random.Below(9), step * 100);
    if (slices.size() < 10) {
      slices.push_back(writer.AddSlice(kDriver, devices));
    } else {
      SliceId& slice = slices[random.Below(slices.size())];
      slice = writer.ReplaceSlice(slice, kDriver, devices);
    }
    if (step % 20 == 0) {
      taken.emplace_back(writer.Take(), FactsIn(writer.now()));
      TableWriter fork(taken.back().first, writer.lineage());
      fork.RemoveSlice(slices[0]);
    }
  }
  for (const auto& [table, facts] : taken) {
    EXPECT_EQ(FactsIn(*table), facts);
  }
  EXPECT_EQ(writer.Take(), writer.Take()) << "nothing was written in between";
}

// Serial numbers that come with a new driver: the column is soon kept with the rows, slice by
// slice.
TEST(DeviceTable, FindsOutLaterWhatTellsDevicesApart) {
  const Language language;
  TableWriter writer(language.columns());
  std::vector<SliceId> slices;
  slices.reserve(100);
  for (int i = 0; i < 100; ++i) {
    slices.push_back(
        writer.AddSlice(kDriver, std::vector<api::Device>(8, Gpu("g", "a100", "80Gi"))));
  }
  EXPECT_EQ(writer.now().classes_in_use(), 1);
  EXPECT_FALSE(writer.now().has_own_columns());
  int serial = 0;
  for (const SliceId slice : slices) {
    std::vector<api::Device> devices(8, Gpu("g", "a100", "80Gi"));
    for (api::Device& device : devices) {
      device.attributes["serial"] = TextAttribute("serial-" + std::to_string(++serial));
    }
    EXPECT_EQ(writer.ReplaceSlice(slice, kDriver, devices), slice);
  }
  EXPECT_EQ(writer.now().classes_in_use(), 1);
  EXPECT_TRUE(writer.now().has_own_columns());
}

}  // namespace
}  // namespace quadra::selector
