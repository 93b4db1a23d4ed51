#include "json/token_scan.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <simdjson.h>

#include "base/utf8.h"

namespace quadra::json {
namespace {

constexpr std::size_t kSmallestScan = std::size_t{1} << 15;
constexpr std::size_t kLargestKeptScan = std::size_t{1} << 22;

// The first stage tells that a text is no UTF-8 or has a broken string, not where; this finds out.
Problem FindProblem(std::string_view text) {
  bool in_string = false;
  std::size_t opened = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x80) {
      const Rune rune = DecodeRune(text.substr(at));
      if (!rune.valid) {
        return {at, fmt::format("the byte 0x{:02X} is not valid UTF-8", byte)};
      }
      at += rune.size - 1;
    } else if (byte == '\\') {
      ++at;
    } else if (byte == '"') {
      in_string = !in_string;
      opened = at;
    } else if (in_string && byte < 0x20) {
      return {at, fmt::format("the control character 0x{:02X} stands in a string", byte)};
    }
  }
  return {in_string ? opened : 0, in_string ? "the string has no end" : "the text is not JSON"};
}

std::vector<std::unique_ptr<TokenScan>>& IdleScans() {
  thread_local std::vector<std::unique_ptr<TokenScan>> idle;
  return idle;
}

}  // namespace

struct TokenScan::Scanner {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stages;
};

TokenScan::TokenScan() : scanner_(std::make_unique<Scanner>()) {}
TokenScan::~TokenScan() = default;

std::unique_ptr<TokenScan> TokenScan::Borrow() {
  auto& idle = IdleScans();
  if (idle.empty()) {
    return std::unique_ptr<TokenScan>(new TokenScan());
  }
  auto scan = std::move(idle.back());
  idle.pop_back();
  return scan;
}

void TokenScan::Return(std::unique_ptr<TokenScan> scan) {
  const auto& stages = scan->scanner_->stages;
  if (stages != nullptr && stages->capacity() <= kLargestKeptScan) {
    IdleScans().push_back(std::move(scan));
  }
}

// Makes room for a text of `size` bytes. False where there is none.
bool TokenScan::Prepare(std::size_t size) {
  auto& stages = scanner_->stages;
  const std::size_t capacity = std::max(std::bit_ceil(size), kSmallestScan);
  const std::size_t wanted = capacity <= kLargestKeptScan ? capacity : size;
  if (stages == nullptr) {
    return simdjson::get_active_implementation()->create_dom_parser_implementation(
               wanted, 1, stages) == simdjson::SUCCESS;
  }
  return stages->capacity() >= size || stages->set_capacity(wanted) == simdjson::SUCCESS;
}

char* TokenScan::RoomForUnescaped(std::size_t size) {
  if (unescaped_size == 0 && unescaped_capacity_ < size) {
    unescaped_capacity_ = std::bit_ceil(size);
    unescaped_ = std::make_unique_for_overwrite<char[]>(unescaped_capacity_);
  }
  return unescaped_.get() + unescaped_size;
}

bool TokenScan::Run(std::string_view text) {
  count = unescaped_size = 0;
  if (text.empty()) {
    problem = {0, "the text is empty"};
    return false;
  }
  if (!Prepare(text.size())) {
    problem = {0, "the text is too large to be read as one value"};
    return false;
  }
  auto& stages = *scanner_->stages;
  const auto error = stages.stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                   simdjson::stage1_mode::regular);
  if (error != simdjson::SUCCESS) {
    problem =
        error == simdjson::EMPTY ? Problem{text.size(), "the text is empty"} : FindProblem(text);
    return false;
  }
  count = stages.n_structural_indexes;
  stages.structural_indexes[count] = static_cast<std::uint32_t>(text.size());
  tokens = stages.structural_indexes.get();
  return true;
}

}  // namespace quadra::json
