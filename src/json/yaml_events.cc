#include "json/yaml_events.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "base/check.h"
#include "base/utf8.h"

namespace quadra::json {
namespace {

constexpr std::size_t kStep = 512;         // upstream's raw buffer
constexpr std::size_t kRawBuffer = 16384;  // libyaml's

constexpr std::size_t kMostRepeatedBytes = 64 << 20;
// libyaml looks at every open bracket for each word inside, so that depth and length multiply. What
// is deeper than people write may cost so much, which takes about a second.
constexpr int kDeepFlow = 100;
constexpr std::size_t kMostFlowWork = 200'000'000;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

// A private-use character that does not occur in `text`.
std::string UnusedCharacter(std::string_view text) {
  std::string character;
  for (char32_t code = 0xE000; code < 0xF8FF; ++code) {
    character.clear();
    AppendRune(character, code);
    if (text.find(character) == std::string_view::npos) {
      break;
    }
  }
  return character;
}

std::string UriEscape(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t EndOfWord(std::string_view text, std::size_t at) {
  while (at < text.size() && !IsBlank(text[at])) {
    ++at;
  }
  return at;
}

// Passes white space and comments.
std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (IsBlank(text[at]) || text[at] == '#')) {
    at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
  }
  return at;
}

bool IsProperty(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == '&' || text[at] == '!');
}

// Passes the anchor and the tag of a node.
std::size_t SkipProperties(std::string_view text, std::size_t at) {
  while (IsProperty(text, at)) {
    at = SkipBlanks(text, EndOfWord(text, at));
  }
  return at;
}

// The tag among the properties at `at`.
std::string_view FindTag(std::string_view text, std::size_t at) {
  while (IsProperty(text, at) && text[at] != '!') {
    at = SkipBlanks(text, EndOfWord(text, at));
  }
  return IsProperty(text, at) ? text.substr(at, EndOfWord(text, at) - at) : std::string_view();
}

bool HasTag(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_SCALAR_EVENT:
      return event.data.scalar.tag != nullptr;
    case YAML_SEQUENCE_START_EVENT:
      return event.data.sequence_start.tag != nullptr;
    case YAML_MAPPING_START_EVENT:
      return event.data.mapping_start.tag != nullptr;
    default:
      return false;
  }
}

struct Wording {
  std::string_view problem, ours, remedy;
};

// libyaml's terse problems in words for people; the others are passed on as they are.
constexpr std::array kWordings = {
    Wording{"found character that cannot start any token",
            "a value cannot start with this character",
            "indent with spaces instead of tabs, and put quotes around text that starts with @, ` "
            "or %"},
    Wording{"mapping values are not allowed in this context",
            "a second ':' makes this line ambiguous",
            "put quotes around text that contains ': ', or indent the key under its parent"},
    Wording{"could not find expected ':'", "this key has no ':' behind it",
            "write it as 'key: value', or indent it as part of the text above"},
    Wording{"did not find expected key", "a key of the mapping above was expected here",
            "align this line with its neighbours"},
    Wording{"did not find expected '-' indicator",
            "the next '- ' item of the list above was expected here",
            "align this line with the list's items"},
    Wording{"did not find expected ',' or ']'", "the list in [ ] goes on without ',' or ']'",
            "close the list"},
    Wording{"did not find expected ',' or '}'", "the mapping in { } goes on without ',' or '}'",
            "close the mapping"},
    Wording{"found unexpected end of stream", "the quoted text has no end", "close the quotes"},
    Wording{"control characters are not allowed", "a control character stands in the text",
            "remove it, or write it as an escape in double quotes"},
};

const Wording* FindWording(std::string_view problem) {
  const auto* const found = std::ranges::find(kWordings, problem, &Wording::problem);
  return found == kWordings.end() ? nullptr : found;
}

}  // namespace

tl::unexpected<Error> YamlError(Position position, std::string_view what, std::string remedy) {
  return Fail(Error{.kind = ErrorKind::kSyntax,
                    .message = fmt::format("invalid YAML at line {}, column {}: {}", position.line,
                                           position.column, what),
                    .remedy = std::move(remedy)});
}

YamlEvents::YamlEvents(std::string_view text, std::size_t first_line)
    : text_(text.empty() ? "\n" : text),
      first_line_(first_line),
      has_slash_escape_(text.find("\\/") != std::string_view::npos),
      has_bare_tag_(text.find("!,") != std::string_view::npos) {
  HideLaterByteOrderMarks();
  Start();
}

YamlEvents::~YamlEvents() {
  yaml_event_delete(&event_);
  yaml_parser_delete(&parser_);
}

void YamlEvents::Start() {
  rest_ = text_;
  known_index_ = 0;
  known_offset_ = text_.starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0;
  std::memset(&event_, 0, sizeof(event_));
  QUADRA_CHECK(yaml_parser_initialize(&parser_) == 1, "it fails only when memory is exhausted");
  yaml_parser_set_input(&parser_, &YamlEvents::Read, this);
}

int YamlEvents::Read(void* self, unsigned char* buffer, std::size_t size, std::size_t* read) {
  std::string_view& rest = static_cast<YamlEvents*>(self)->rest_;
  const std::size_t kept = std::min(kRawBuffer - size, kStep);
  *read = std::min({rest.size(), size, kStep - kept});
  std::memcpy(buffer, rest.data(), *read);
  rest.remove_prefix(*read);
  return 1;
}

void YamlEvents::HideLaterByteOrderMarks() {
  // A second mark behind the first is skipped like it.
  const std::size_t start = text_.starts_with(kUtf8Mark) ? 2 * kUtf8Mark.size() : 0;
  for (std::size_t at = text_.find(kUtf8Mark, start); at != std::string_view::npos;
       at = text_.find(kUtf8Mark, at)) {
    const std::string& seen = DisguiseOf(kUtf8Mark);
    if (edited_.empty()) {
      edited_ = text_;
    }
    edited_.replace(at, kUtf8Mark.size(), seen);
    text_ = edited_;
  }
}

Status YamlEvents::Next() {
  for (bool parsed = Parse();; parsed = Parse()) {
    if (flow_work_ > kMostFlowWork) {
      return YamlError(position(), "this is nested too deep in brackets for so many values");
    }
    const std::optional<Edit> edit = parsed ? EditForEvent() : EditForError();
    if (!edit && parsed) {
      break;
    }
    if (!edit && EndsBeforeEmptyFlow()) {
      event_.type = YAML_DOCUMENT_END_EVENT;
      break;
    }
    if (!edit || !Apply(*edit)) {
      return ParserError();
    }
  }
  last_end_ = event_.end_mark;
  last_type_ = event_.type;
  ++passed_;
  QUADRA_RETURN_IF_ERROR(CheckEvent());
  TrackFlow();
  Undisguise();
  return {};
}

Result<bool> YamlEvents::EnterDocument() {
  do {
    QUADRA_RETURN_IF_ERROR(Next());
    if (type() == YAML_STREAM_END_EVENT) {
      return false;
    }
  } while (type() != YAML_DOCUMENT_START_EVENT);
  QUADRA_RETURN_IF_ERROR(Next());
  return true;
}

bool YamlEvents::Parse() {
  yaml_event_delete(&event_);
  const bool parsed = yaml_parser_parse(&parser_, &event_) == 1;
  flow_work_ += static_cast<std::size_t>(parser_.flow_level > kDeepFlow ? parser_.flow_level : 0);
  return parsed;
}

// Whether libyaml stumbled over something behind the root node that the port has not looked at: it
// needs no look ahead where the next thing is an empty {} or [].
bool YamlEvents::EndsBeforeEmptyFlow() {
  if (passed_ < 3 || !open_flows_.empty() || last_type_ == YAML_DOCUMENT_END_EVENT) {
    return false;
  }
  const std::size_t at = SkipBlanks(text_, OffsetOf(last_end_));
  if (at >= text_.size() || (text_[at] != '{' && text_[at] != '[')) {
    return false;
  }
  const std::size_t close = SkipBlanks(text_, at + 1);
  return close < text_.size() && text_[close] == text_[at] + 2;  // ] and } follow their partners so
}

bool YamlEvents::StartsWithFlow() {
  const std::size_t at = SkipProperties(text_, OffsetOf(event_.start_mark));
  return at < text_.size() && (text_[at] == '{' || text_[at] == '[');
}

bool YamlEvents::Apply(const Edit& edit) {
  if (++edits_ * text_.size() > kMostRepeatedBytes) {
    return false;
  }
  if (edited_.empty()) {
    edited_ = text_;
  }
  edited_.replace(edit.offset, edit.size, edit.replacement);
  text_ = edited_;
  yaml_event_delete(&event_);
  yaml_parser_delete(&parser_);
  Start();
  for (std::size_t i = 0; i < passed_ && flow_work_ <= kMostFlowWork; ++i) {
    Parse();
  }
  return true;
}

const std::string& YamlEvents::DisguiseOf(std::string_view meant) {
  const auto found = std::ranges::find(disguises_, meant, &Disguise::meant);
  if (found != disguises_.end()) {
    return found->seen;
  }
  return disguises_.emplace_back(Disguise{UnusedCharacter(text_), std::string(meant)}).seen;
}

// What libyaml refuses but the port does not.
std::optional<YamlEvents::Edit> YamlEvents::EditForError() {
  const std::string_view problem = parser_.problem == nullptr ? "" : parser_.problem;
  const std::string_view context = parser_.context == nullptr ? "" : parser_.context;
  if (parser_.error != YAML_SCANNER_ERROR) {
    return std::nullopt;
  }
  const std::size_t at = OffsetOf(parser_.problem_mark);
  const char c = at < text_.size() ? text_[at] : '\0';
  if (problem == "found unexpected ':'" && c == ':') {
    return Edit{at, 1, DisguiseOf(":")};
  }
  if (problem == "found unknown escape character" && text_.substr(at, 2) == "\\'") {
    return Edit{at, 2, "\\x27"};
  }
  const bool in_tag = context == "while scanning a tag" || context == "while parsing a tag";
  if (in_tag && (c == ',' || c == '[' || c == ']')) {
    return Edit{at, 1, UriEscape(c)};
  }
  return std::nullopt;
}

// What libyaml reads otherwise than the port.
std::optional<YamlEvents::Edit> YamlEvents::EditForEvent() {
  if (IsPlainInFlow() && event_.data.scalar.length > 0 && event_.data.scalar.value[0] == '?') {
    const std::size_t at = SkipProperties(text_, OffsetOf(event_.start_mark));
    if (text_.substr(at, 1) == "?") {
      return Edit{at, 1, "? "};
    }
  }
  const bool is_bare_tag = has_bare_tag_ && event_.type == YAML_SCALAR_EVENT;
  return is_bare_tag || HasTag(event_) ? EditForTag() : std::nullopt;
}

std::optional<YamlEvents::Edit> YamlEvents::EditForTag() {
  const std::string_view tag = FindTag(text_, OffsetOf(event_.start_mark));
  const std::size_t comma = tag.starts_with("!<") ? std::string_view::npos : tag.find(',');
  if (comma == std::string_view::npos) {
    return std::nullopt;
  }
  return Edit{static_cast<std::size_t>(tag.data() - text_.data()) + comma, 1, UriEscape(',')};
}

void YamlEvents::TrackFlow() {
  if (event_.type == YAML_SEQUENCE_START_EVENT) {
    open_flows_.push_back(event_.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
  } else if (event_.type == YAML_MAPPING_START_EVENT) {
    open_flows_.push_back(event_.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
  } else if (event_.type == YAML_SEQUENCE_END_EVENT || event_.type == YAML_MAPPING_END_EVENT) {
    open_flows_.pop_back();
  }
}

bool YamlEvents::IsPlainInFlow() const {
  return event_.type == YAML_SCALAR_EVENT && !open_flows_.empty() && open_flows_.back() &&
         event_.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

void YamlEvents::Undisguise() {
  if (disguises_.empty() || event_.type != YAML_SCALAR_EVENT) {
    return;
  }
  auto& scalar = event_.data.scalar;
  std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
  for (const auto& [seen, meant] : disguises_) {
    for (std::size_t at = text.find(seen); at != std::string::npos; at = text.find(seen, at)) {
      text.replace(at, seen.size(), meant);
    }
  }
  std::memcpy(scalar.value, text.data(), text.size());  // `meant` is never the longer one
  scalar.length = text.size();
}

std::size_t YamlEvents::OffsetOf(const yaml_mark_t& mark) {
  const auto is_lead = [this](std::size_t at) { return (text_[at] & 0xC0) != 0x80; };
  while (known_index_ < mark.index && known_offset_ < text_.size()) {
    for (++known_offset_; known_offset_ < text_.size() && !is_lead(known_offset_);) {
      ++known_offset_;
    }
    ++known_index_;
  }
  while (known_index_ > mark.index) {
    while (!is_lead(--known_offset_)) {
    }
    --known_index_;
  }
  return known_offset_;
}

// What the port refuses but libyaml does not.
Status YamlEvents::CheckEvent() {
  const yaml_version_directive_t* const version = event_.type == YAML_DOCUMENT_START_EVENT
                                                      ? event_.data.document_start.version_directive
                                                      : nullptr;
  if (version != nullptr && (version->major != 1 || version->minor != 1)) {
    return YamlError(position(), "this version of YAML is not known",
                     "write %YAML 1.1 or leave it out");
  }
  if (IsPlainInFlow() &&
      std::memchr(event_.data.scalar.value, '?', event_.data.scalar.length) != nullptr) {
    return YamlError(position(), "a '?' inside [ ] or { } starts a key",
                     "put quotes around the text");
  }
  return CheckEscapes();
}

Status YamlEvents::CheckEscapes() {
  if (!has_slash_escape_ || event_.type != YAML_SCALAR_EVENT ||
      event_.data.scalar.style != YAML_DOUBLE_QUOTED_SCALAR_STYLE) {
    return {};
  }
  const std::size_t start = OffsetOf(event_.start_mark);
  const std::string_view raw = text_.substr(start, OffsetOf(event_.end_mark) - start);
  for (std::size_t at = raw.find('\\'); at < raw.size(); at = raw.find('\\', at + 2)) {
    if (raw.substr(at, 2) == "\\/") {
      return YamlError(position(), "YAML 1.1 has no escape \\/", "write / alone");
    }
  }
  return {};
}

tl::unexpected<Error> YamlEvents::ParserError() const {
  const std::string_view problem = parser_.problem == nullptr ? "unreadable" : parser_.problem;
  const Wording* const wording = FindWording(problem);
  Position position = PositionOfMark(parser_.problem_mark);
  if (parser_.error == YAML_READER_ERROR) {
    position = PositionOf(text_, parser_.problem_offset);
    position.line += first_line_ - 1;
  }
  return YamlError(position, wording == nullptr ? problem : wording->ours,
                   wording == nullptr ? std::string() : std::string(wording->remedy));
}

}  // namespace quadra::json
