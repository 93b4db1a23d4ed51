#include "api/field_selector.h"

#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"

namespace quadra::api {
namespace {

// At commas without a backslash before them.
std::vector<std::string_view> SplitTerms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  terms.push_back(text.substr(begin));
  return terms;
}

tl::unexpected<Error> Refused(std::string message) {
  return Fail({.kind = ErrorKind::kUsage,
               .message = std::move(message),
               .remedy = "write it as field=value or field!=value, with commas between"});
}

// What a value stands for.
Result<std::string> Unescaped(std::string_view text) {
  if (text.find_first_of("\\,=") == std::string_view::npos) {
    return std::string(text);
  }
  std::string out;
  for (bool escaped = false; !text.empty() || escaped;) {
    const Rune rune = text.empty() ? Rune{} : DecodeRune(text);
    const bool special = rune.code == '\\' || rune.code == ',' || rune.code == '=';
    if (escaped && !special) {
      std::string sequence = "\\";
      if (!text.empty()) {
        AppendRune(sequence, rune.code);
      }
      return Refused("invalid field selector: invalid escape sequence: " + sequence);
    }
    if (!escaped && special && rune.code != '\\') {
      return Refused(fmt::format("invalid field selector: unescaped character in value: {}",
                                 static_cast<std::uint32_t>(rune.code)));
    }
    escaped = !escaped && rune.code == '\\';
    if (!escaped) {
      AppendRune(out, rune.code);
    }
    text.remove_prefix(rune.size);
  }
  return out;
}

}  // namespace

Result<FieldSelector> FieldSelector::Parse(std::string_view text) {
  std::vector<std::string_view> terms = SplitTerms(text);
  std::ranges::sort(terms);
  FieldSelector made;
  for (const std::string_view term : terms) {
    if (term.empty()) {
      continue;
    }
    const std::size_t equals = term.find('=');
    if (equals == std::string_view::npos) {
      return Refused(fmt::format("invalid selector: '{}'; can't understand '{}'", text, term));
    }
    const bool negated = equals > 0 && term[equals - 1] == '!';
    const bool twice = !negated && term.substr(equals).starts_with("==");
    QUADRA_TRY(std::string value, Unescaped(term.substr(equals + (twice ? 2 : 1))));
    const std::string_view field = term.substr(0, equals - (negated ? 1 : 0));
    if (!field.empty() || !value.empty()) {
      made.requirements_.push_back({std::string(field), negated, std::move(value)});
    }
  }
  return made;
}

}  // namespace quadra::api
