#include "cel/go_regex.h"

#include <cstdint>
#include <string>

#include <re2/re2.h>

#include "cel/unicode.h"

namespace quadra::cel {
namespace {

constexpr std::int64_t kBudget = 64 << 20;
constexpr int kMaxNesting = 1000;

tl::unexpected<Error> Refuse(std::string_view code, std::string_view fragment) {
  return Fail(ErrorKind::kInvalid,
              "error parsing regexp: " + std::string(code) + ": `" + std::string(fragment) + "`");
}

std::string_view GoCode(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::NoError:
    case re2::RE2::ErrorInternal:
      return "regexp/syntax: internal error";
    case re2::RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
      return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
      return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
      return "missing closing ]";
    case re2::RE2::ErrorMissingParen:
      return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case re2::RE2::ErrorPatternTooLarge:
      return "expression too large";
  }
  return "regexp/syntax: internal error";
}

// Walks a pattern once: writes named groups the way RE2 knows them, refuses what Go refuses and RE2
// does not.
class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {}

  Result<std::string> Translate() {
    while (at_ < pattern_.size()) {
      QUADRA_RETURN_IF_ERROR(Step());
    }
    return std::move(out_);
  }

 private:
  Status Step() {
    const std::string_view rest = pattern_.substr(at_);
    if (rest.starts_with("\\Q")) {
      const std::size_t end = rest.find("\\E", 2);
      Copy(end == std::string_view::npos ? rest.size() : end + 2);
      return {};
    }
    if (rest.starts_with('\\')) {
      if (rest.starts_with("\\C")) {
        return Refuse("invalid escape sequence", "\\C");
      }
      Copy(std::min<std::size_t>(2, rest.size()));
      return {};
    }
    if (in_class_) {
      return StepInClass(rest);
    }
    if (rest.starts_with("(?<") && rest.size() > 3 && rest[3] != '=' && rest[3] != '!') {
      out_ += "(?P<";
      at_ += 3;
      return Nest(1);
    }
    if (rest.front() == '[') {
      in_class_ = true;
      Copy(1);
      CopyIf('^');
      CopyIf(']');
      return {};
    }
    const int change = rest.front() == '(' ? 1 : rest.front() == ')' ? -1 : 0;
    Copy(1);
    return Nest(change);
  }

  Status StepInClass(std::string_view rest) {
    if (rest.starts_with("[:")) {
      const std::size_t end = rest.find(":]");
      if (end != std::string_view::npos) {
        Copy(end + 2);
        return {};
      }
    }
    in_class_ = rest.front() != ']';
    Copy(1);
    return {};
  }

  Status Nest(int change) {
    depth_ += change;
    if (depth_ >= kMaxNesting) {
      return Refuse("expression nests too deeply", pattern_);
    }
    return {};
  }

  void Copy(std::size_t count) {
    out_ += pattern_.substr(at_, count);
    at_ += count;
  }

  void CopyIf(char c) {
    if (at_ < pattern_.size() && pattern_[at_] == c) {
      Copy(1);
    }
  }

  std::string_view pattern_;
  std::string out_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_class_ = false;
};

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }
std::string_view View(const re2::StringPiece& piece) { return {piece.data(), piece.size()}; }

}  // namespace

Regex::Regex(std::unique_ptr<const re2::RE2> program) : program_(std::move(program)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view pattern) {
  QUADRA_TRY(const std::string translated, Translator(pattern).Translate());
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kBudget);
  auto program = std::make_unique<re2::RE2>(Piece(translated), options);
  if (!program->ok()) {
    return Refuse(GoCode(program->error_code()), program->error_arg());
  }
  return Regex(std::move(program));
}

bool Regex::Matches(std::string_view text) const {
  return program_->Match(Piece(text), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

std::string_view Regex::Find(std::string_view text) const {
  re2::StringPiece match;
  if (!program_->Match(Piece(text), 0, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
    return {};
  }
  return View(match);
}

std::vector<std::string_view> Regex::FindAll(std::string_view text, std::int64_t limit) const {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  std::size_t previous_end = std::string_view::npos;
  re2::StringPiece match;
  while (at <= text.size() && (limit < 0 || static_cast<std::int64_t>(found.size()) < limit)) {
    if (!program_->Match(Piece(text), at, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
      break;
    }
    const auto start = static_cast<std::size_t>(match.data() - text.data());
    const std::size_t end = start + match.size();
    const bool empty_here = end == at;
    if (!empty_here || start != previous_end) {
      found.push_back(View(match));
    }
    if (!empty_here) {
      at = end;
    } else {
      at += at < text.size() ? DecodeRune(text.substr(at)).size : 1;
    }
    previous_end = end;
  }
  return found;
}

}  // namespace quadra::cel
