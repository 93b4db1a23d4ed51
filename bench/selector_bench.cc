#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "measure.h"
#include "selector/selector.h"

namespace quadra::bench {
namespace {

constexpr std::size_t kDevices = 100'000;
// Of these both halves report what they found.
constexpr std::size_t kSampled = 2'000;
constexpr std::size_t kRotation = 1'000;

// --- The world of data/world.md.

std::uint64_t SplitMix64(std::uint64_t i) {
  std::uint64_t h = i + 0x9E3779B97F4A7C15;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EB;
  return h ^ (h >> 31);
}

api::DeviceAttribute Text(std::string text) {
  api::DeviceAttribute attribute;
  attribute.string_value = std::move(text);
  return attribute;
}
api::DeviceAttribute Version(std::string text) {
  api::DeviceAttribute attribute;
  attribute.version_value = std::move(text);
  return attribute;
}
api::DeviceAttribute Int(std::uint64_t number) {
  api::DeviceAttribute attribute;
  attribute.int_value = static_cast<std::int64_t>(number);
  return attribute;
}
api::DeviceAttribute Bool(bool value) {
  api::DeviceAttribute attribute;
  attribute.bool_value = value;
  return attribute;
}
api::DeviceCapacity Amount(const std::string& text) {
  api::DeviceCapacity capacity;
  capacity.value = *quantity::Quantity::Parse(text);
  return capacity;
}

std::uint64_t CombinationOf(std::size_t i) { return SplitMix64(i) % 200; }
std::string DriverOf(std::size_t i) {
  return fmt::format("driver-{}.example.com", CombinationOf(i) % 3);
}

api::Device DeviceOf(std::size_t i) {
  const std::uint64_t h = SplitMix64(i);
  const std::uint64_t c = CombinationOf(i);
  api::Device device;
  device.name = fmt::format("device-{}", i);
  auto& attributes = device.attributes;
  attributes["uuid"] = Text(fmt::format("{:016x}", h));
  attributes["dra.example.com/productName"] = Text(fmt::format("Product {}", c % 8));
  attributes["dra.example.com/architecture"] = Text(fmt::format("arch-{}", c % 4));
  attributes["dra.example.com/brand"] = Text(fmt::format("brand-{}", c % 2));
  attributes["dra.example.com/computeCapability"] =
      Version(fmt::format("{}.{}.0", 7 + c % 3, c % 5));
  attributes["dra.example.com/index"] = Int(c % 16);
  attributes["dra.example.com/numa"] = Int(c % 4);
  attributes["dra.example.com/minor"] = Int(c % 9);
  attributes["dra.example.com/healthy"] = Bool(c % 10 != 0);
  attributes["dra.example.com/mig"] = Bool(c % 2 == 0);
  attributes["dra.example.com/pcieRoot"] = Text(fmt::format("pci0000:{}", c));
  device.capacity["dra.example.com/cores"] = Amount(fmt::to_string(c % 100 + 8));
  if ((h >> 32) % 5 != 0) {
    attributes["dra.example.com/model"] = Text(fmt::format("model-{}", c % 8));
    attributes["dra.example.com/driverVersion"] =
        Version(fmt::format("{}.{}.{}", 500 + 5 * (c % 10), c % 7, c % 3));
    device.capacity["dra.example.com/memory"] = Amount(fmt::format("{}Gi", 16 * (c % 5 + 1)));
  }
  return device;
}

// A slice has one driver, the world three in no order: every device comes in a slice of its own.
struct World {
  World() : table(language.columns()) {
    for (std::size_t i = 0; i < kDevices; ++i) {
      const api::Device device = DeviceOf(i);
      table.AddSlice(DriverOf(i), {&device, 1});
    }
  }
  selector::Language language;
  selector::DeviceTable table;
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
      const auto verdict = selector::Decide(*expression, world.table.RowInputs(row), world.scratch);
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
