#include "json/reader.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <simdjson.h>

#include "json/lexical.h"
#include "json/utf8.h"

namespace quadra::json {
namespace {

using Scanner = simdjson::internal::dom_parser_implementation;

constexpr std::size_t kSmallestScan = std::size_t{1} << 15;
constexpr std::size_t kLargestKeptScan = std::size_t{1} << 22;

struct Problem {
  std::size_t offset = 0;
  std::string what;
};

// simdjson's first stage tells that a text is no UTF-8 or has a broken string, not where; this
// finds out.
Problem FindScanProblem(std::string_view text) {
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

std::string Described(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7F ? fmt::format("'{}'", c)
                                    : fmt::format("the byte 0x{:02X}", byte);
}

std::string_view ExpectedText(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "true or false";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
  }
  return "a value";
}

}  // namespace

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "bool";
    case Kind::kNumber:
      return "number";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      return "object";
  }
  return "unknown";
}

Position PositionOf(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  return {lines + 1, before.size() - line_start + 1};
}

// The tokens are simdjson's structural characters: brackets, colons, commas, and the first byte of
// each scalar. Between the end of a scalar and the next token stands white space only; TakeX check
// that for all but strings, for which the first stage guarantees it.
struct Reader::State {
  static std::unique_ptr<State> Borrow();
  static void Return(std::unique_ptr<State> state);

  void Start(std::string_view new_text);
  bool Scan();
  void FailAt(std::size_t where, std::string what);
  void Unexpected(std::string_view expected);

  // The first byte of the token at hand; 0, which begins no token, at the end.
  char Byte() const { return at < count ? text[tokens[at]] : '\0'; }
  std::size_t OffsetOf(std::size_t token) const {
    return token < count ? tokens[token] : text.size();
  }
  std::size_t EndOfScalarBefore(std::size_t token) const;
  bool Expect(char byte, std::string_view expected);

  bool Open(char byte, Kind kind);
  // Passes the closing bracket or the comma before the next member; true if a member should follow.
  bool Next(char closing, std::string_view expected);
  std::string_view TakeString();
  std::string_view TakeUnescaped(std::string_view raw);
  std::string_view TakeNumber();
  bool TakeWord(std::string_view word);
  bool TakeScalar();
  // One step of Skip: passes what stands at hand where a value may begin; then, after a value, what
  // may follow.
  void SkipValueOrOpening(int floor);
  void SkipToNextValue(int floor);

  std::unique_ptr<Scanner> scanner;
  std::string_view text;
  const std::uint32_t* tokens = nullptr;
  std::size_t count = 0;  // of tokens
  std::size_t at = 0;     // the token at hand
  std::size_t key_at = 0;
  bool first = false;   // just entered an object or array
  bool failed = false;  // then at == count
  int depth = 0;
  std::bitset<kMaxDepth + 1> is_object;  // by depth
  std::size_t next_backslash = 0;        // known to be the first one from any offset below it on
  std::unique_ptr<char[]> unescaped;     // as large as `text`, so unescaped strings always fit
  std::size_t unescaped_capacity = 0;
  std::size_t unescaped_size = 0;
  Problem problem;
};

namespace {

template <typename State>
std::vector<std::unique_ptr<State>>& IdleStates() {
  thread_local std::vector<std::unique_ptr<State>> idle;
  return idle;
}

}  // namespace

std::unique_ptr<Reader::State> Reader::State::Borrow() {
  auto& idle = IdleStates<State>();
  if (idle.empty()) {
    return std::make_unique<State>();
  }
  auto state = std::move(idle.back());
  idle.pop_back();
  return state;
}

void Reader::State::Return(std::unique_ptr<State> state) {
  if (state->scanner != nullptr && state->scanner->capacity() <= kLargestKeptScan) {
    IdleStates<State>().push_back(std::move(state));
  }
}

void Reader::State::Start(std::string_view new_text) {
  text = new_text;
  at = count = key_at = unescaped_size = next_backslash = 0;
  first = failed = false;
  depth = 0;
  if (text.empty()) {
    FailAt(0, "the text is empty");
  } else if (!Scan() && !failed) {
    Problem found = FindScanProblem(text);
    FailAt(found.offset, std::move(found.what));
  }
}

bool Reader::State::Scan() {
  const std::size_t capacity = std::max(std::bit_ceil(text.size()), kSmallestScan);
  const std::size_t wanted = capacity <= kLargestKeptScan ? capacity : text.size();
  simdjson::error_code error = simdjson::SUCCESS;
  if (scanner == nullptr) {
    error =
        simdjson::get_active_implementation()->create_dom_parser_implementation(wanted, 1, scanner);
  } else if (scanner->capacity() < text.size()) {
    error = scanner->set_capacity(wanted);
  }
  if (error != simdjson::SUCCESS) {
    FailAt(0, "the text is too large to be read as one value");
    return false;
  }
  error = scanner->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          simdjson::stage1_mode::regular);
  if (error == simdjson::EMPTY) {
    FailAt(text.size(), "the text is empty");
  }
  if (error != simdjson::SUCCESS) {
    return false;
  }
  tokens = scanner->structural_indexes.get();
  count = scanner->n_structural_indexes;
  return true;
}

void Reader::State::FailAt(std::size_t where, std::string what) {
  if (!failed) {
    failed = true;
    problem = {where, std::move(what)};
  }
  at = count;
  depth = 0;
}

void Reader::State::Unexpected(std::string_view expected) {
  if (failed) {
    return;
  }
  FailAt(OffsetOf(at), at < count
                           ? fmt::format("expected {}, found {}", expected, Described(Byte()))
                           : fmt::format("expected {}, but the text ends", expected));
}

std::size_t Reader::State::EndOfScalarBefore(std::size_t token) const {
  std::size_t end = OffsetOf(token);
  while (IsSpace(text[end - 1])) {
    --end;
  }
  return end;
}

bool Reader::State::Expect(char byte, std::string_view expected) {
  if (Byte() != byte) {
    Unexpected(expected);
    return false;
  }
  return true;
}

bool Reader::State::Open(char byte, Kind kind) {
  if (Byte() != byte) {
    Unexpected(ExpectedText(kind));
    return false;
  }
  if (depth == kMaxDepth) {
    FailAt(tokens[at], fmt::format("values are nested more than {} deep", kMaxDepth));
    return false;
  }
  is_object[static_cast<std::size_t>(++depth)] = kind == Kind::kObject;
  ++at;
  first = true;
  return true;
}

bool Reader::State::Next(char closing, std::string_view expected) {
  const char byte = Byte();
  if (byte == closing && depth > 0) {
    ++at;
    --depth;
    first = false;
    return false;
  }
  if (!std::exchange(first, false)) {
    if (byte != ',') {
      Unexpected(expected);
      return false;
    }
    ++at;
  }
  return !failed;
}

std::string_view Reader::State::TakeString() {
  if (!Expect('"', "a string")) {
    return {};
  }
  const std::size_t open = tokens[at] + 1;
  const std::size_t close = EndOfScalarBefore(at + 1) - 1;
  if (close < open || text[close] != '"') {
    FailAt(open - 1, "the string has no end");
    return {};
  }
  ++at;
  first = false;
  if (next_backslash < open) {
    next_backslash = std::min(text.find('\\', open), text.size());
  }
  const std::string_view raw = text.substr(open, close - open);
  return next_backslash < close ? TakeUnescaped(raw) : raw;
}

std::string_view Reader::State::TakeUnescaped(std::string_view raw) {
  if (unescaped_size == 0 && unescaped_capacity < text.size()) {
    unescaped_capacity = std::bit_ceil(text.size());
    unescaped = std::make_unique_for_overwrite<char[]>(unescaped_capacity);
  }
  char* const out = unescaped.get() + unescaped_size;
  const Unescaped written = Unescape(raw, out);
  if (written.end == nullptr) {
    FailAt(static_cast<std::size_t>(raw.data() - text.data()) + written.bad_at,
           "the escape in this string is not one of JSON's");
    return {};
  }
  const auto size = static_cast<std::size_t>(written.end - out);
  unescaped_size += size;
  return {out, size};
}

std::string_view Reader::State::TakeNumber() {
  const std::size_t start = OffsetOf(at);
  const std::size_t length = at < count ? NumberLength(text.substr(start)) : 0;
  if (length == 0 || start + length != EndOfScalarBefore(at + 1)) {
    const bool begins_one = Byte() == '-' || IsDigit(Byte());
    begins_one ? FailAt(start, "the number is malformed") : Unexpected("a number");
    return {};
  }
  ++at;
  first = false;
  return text.substr(start, length);
}

bool Reader::State::TakeWord(std::string_view word) {
  const std::size_t start = OffsetOf(at);
  if (at >= count || text.substr(start, word.size()) != word ||
      start + word.size() != EndOfScalarBefore(at + 1)) {
    Unexpected(word);
    return false;
  }
  ++at;
  first = false;
  return true;
}

bool Reader::State::TakeScalar() {
  switch (Byte()) {
    case '"':
      TakeString();
      break;
    case 't':
      TakeWord("true");
      break;
    case 'f':
      TakeWord("false");
      break;
    case 'n':
      TakeWord("null");
      break;
    default:
      if (Byte() != '-' && !IsDigit(Byte())) {
        Unexpected("a value");
      } else {
        TakeNumber();
      }
  }
  return !failed;
}

void Reader::State::SkipValueOrOpening(int floor) {
  const char byte = Byte();
  if (byte == '{') {
    if (Open('{', Kind::kObject)) {
      SkipToNextValue(floor);
    }
  } else if (byte == '[') {
    if (Open('[', Kind::kArray)) {
      SkipToNextValue(floor);
    }
  } else if (TakeScalar()) {
    SkipToNextValue(floor);
  }
}

void Reader::State::SkipToNextValue(int floor) {
  while (depth > floor) {
    if (!is_object[static_cast<std::size_t>(depth)]) {
      if (Next(']', "',' or ']'")) {
        return;
      }
    } else if (Next('}', "',' or '}'")) {
      TakeString();
      if (!failed && Expect(':', "':'")) {
        ++at;
      }
      return;
    }
  }
}

Reader::Reader(std::string_view text) : state_(State::Borrow()) { state_->Start(text); }
Reader::~Reader() { State::Return(std::move(state_)); }

Kind Reader::Peek() {
  switch (state_->Byte()) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kString;
    case 't':
    case 'f':
      return Kind::kBool;
    case 'n':
      return Kind::kNull;
    default:
      if (state_->Byte() == '-' || IsDigit(state_->Byte())) {
        return Kind::kNumber;
      }
      state_->Unexpected("a value");
      return Kind::kNull;
  }
}

std::size_t Reader::offset() const { return state_->OffsetOf(state_->at); }
std::size_t Reader::key_offset() const { return state_->key_at; }

bool Reader::EnterObject() { return state_->Open('{', Kind::kObject); }
bool Reader::EnterArray() { return state_->Open('[', Kind::kArray); }

bool Reader::NextKey(std::string_view& key) {
  if (state_->failed || !state_->Next('}', "',' or '}'")) {
    return false;
  }
  state_->key_at = state_->OffsetOf(state_->at);
  if (!state_->Expect('"', "a key in quotes")) {
    return false;
  }
  key = state_->TakeString();
  if (state_->failed || !state_->Expect(':', "':'")) {
    return false;
  }
  ++state_->at;
  return true;
}

bool Reader::NextItem() { return !state_->failed && state_->Next(']', "',' or ']'"); }

std::string_view Reader::String() { return state_->TakeString(); }
std::string_view Reader::NumberText() { return state_->TakeNumber(); }

bool Reader::Bool() {
  if (state_->Byte() == 't') {
    return state_->TakeWord("true");
  }
  if (!state_->Expect('f', ExpectedText(Kind::kBool))) {
    return false;
  }
  state_->TakeWord("false");
  return false;
}

void Reader::Null() { state_->TakeWord("null"); }

void Reader::Skip() {
  const int floor = state_->depth;
  do {
    state_->SkipValueOrOpening(floor);
  } while (state_->depth > floor);
}

std::string_view Reader::SkipRaw() {
  const std::size_t start = offset();
  Skip();
  return ok() ? state_->text.substr(start, state_->EndOfScalarBefore(state_->at) - start)
              : std::string_view();
}

Status Reader::Finish() {
  if (!state_->failed && (state_->at < state_->count || state_->depth > 0)) {
    state_->Unexpected(state_->depth > 0 ? "',' or a closing bracket" : "nothing after the value");
  }
  if (!state_->failed) {
    return {};
  }
  const Position position = PositionOf(state_->text, state_->problem.offset);
  return Fail(Error{.reason = Reason::kSyntax,
                    .message = fmt::format("invalid JSON at line {}, column {}: {}", position.line,
                                           position.column, state_->problem.what)});
}

bool Reader::ok() const { return !state_->failed; }
std::string_view Reader::error_what() const { return state_->problem.what; }
std::size_t Reader::error_offset() const { return state_->problem.offset; }

}  // namespace quadra::json
