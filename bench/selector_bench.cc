#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "measure.h"
#include "selector/selector.h"
#include "world.h"

namespace quadra::bench {
namespace {

constexpr std::size_t kDevices = 100'000;
// Of these both halves report what they found.
constexpr std::size_t kSampled = 2'000;
constexpr std::size_t kRotation = 1'000;

// --- The world of data/world.md.

std::string DriverOf(std::size_t i) {
  return fmt::format("driver-{}.example.com", CombinationOf(i) % 3);
}

// A slice has one driver, the world three in no order: every device comes in a slice of its own.
struct World {
  World() {
    selector::TableWriter writer(language.columns());
    for (std::size_t i = 0; i < kDevices; ++i) {
      const api::Device device = DeviceOf(i);
      writer.AddSlice(DriverOf(i), {&device, 1});
    }
    table = writer.Take();
  }
  selector::Language language;
  std::shared_ptr<const selector::DeviceTable> table;
  cel::Scratch scratch;
};

World& TheWorld() {
  static World world;
  return world;
}

std::shared_ptr<const selector::Expression> Compile(const std::string& text) {
  return TheWorld().language.Compile(text, selector::Profile::Stored(), selector::Use::kSelector);
}

// --- What is measured.

std::int64_t CountBits(std::span<const std::uint64_t> words) {
  std::int64_t bits = 0;
  for (std::size_t i = 0; i * 64 < kSampled; ++i) {
    const std::size_t left = kSampled - i * 64;
    const std::uint64_t mask = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    bits += std::popcount(words[i] & mask);
  }
  return bits;
}

void Columns(benchmark::State& state, const std::string& text) {
  World& world = TheWorld();
  const auto expression = Compile(text);
  Measure(state, kDevices, [&] {
    selector::Bitmaps bitmaps(expression);
    bitmaps.Refresh(world.table, world.scratch);
    return 10'000 * CountBits(bitmaps.matches()) + CountBits(bitmaps.errors());
  });
}

void VirtualMachine(benchmark::State& state, const std::string& text) {
  World& world = TheWorld();
  const auto expression = Compile(text);
  Measure(state, kSampled, [&] {
    std::int64_t sum = 0;
    for (selector::Row row = 0; row < kSampled; ++row) {
      const auto verdict =
          selector::Decide(*expression, world.table->RowInputs(row), world.scratch);
      sum += verdict == selector::Verdict::kMatch   ? 10'000
             : verdict == selector::Verdict::kError ? 1
                                                    : 0;
    }
    return sum;
  });
}

void CompileOne(benchmark::State& state, const std::string& text) {
  Measure(state, 1, [&] {
    benchmark::DoNotOptimize(Compile(text));
    return static_cast<std::int64_t>(text.size());
  });
}

// Many expressions in turn, each with fresh bitmaps, out of the cache of compiled ones.
void Rotation(benchmark::State& state) {
  World& world = TheWorld();
  selector::ExpressionCache cache(world.language);
  std::vector<std::string> texts;
  texts.reserve(kRotation);
  for (std::size_t i = 0; i < kRotation; ++i) {
    texts.push_back(fmt::format(R"(device.attributes["dra.example.com"].model == "model-{}")", i));
  }
  Measure(state, kDevices * kRotation, [&] {
    std::int64_t sum = 0;
    for (const std::string& text : texts) {
      selector::Bitmaps bitmaps(
          cache.Get(text, selector::Profile::Stored(), selector::Use::kSelector));
      bitmaps.Refresh(world.table, world.scratch);
      sum += CountBits(bitmaps.matches());
    }
    return sum;
  });
}

std::vector<std::pair<std::string, std::string>> ReadSelectors() {
  std::vector<std::pair<std::string, std::string>> selectors;
  const std::string data = ReadData("selectors.txt");
  for (std::size_t start = 0; start < data.size();) {
    const std::size_t tab = data.find('\t', start);
    const std::size_t end = data.find('\n', start);
    selectors.emplace_back(data.substr(start, tab - start), data.substr(tab + 1, end - tab - 1));
    start = end + 1;
  }
  return selectors;
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const auto& [name, text] : ReadSelectors()) {
    benchmark::RegisterBenchmark(("columns: " + name).c_str(), Columns, text);
    benchmark::RegisterBenchmark(("VM: " + name).c_str(), VirtualMachine, text);
    if (name == "string attribute") {
      benchmark::RegisterBenchmark("compile, one term", CompileOne, text);
    } else if (name == "conjunction of four") {
      benchmark::RegisterBenchmark("compile, four terms", CompileOne, text);
    }
  }
  benchmark::RegisterBenchmark("columns: 1,000 expressions in turn", Rotation);
  return true;
}();

}  // namespace
}  // namespace quadra::bench
