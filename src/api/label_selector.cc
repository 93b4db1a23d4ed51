#include "api/label_selector.h"

#include <algorithm>
#include <utility>

namespace quadra::api {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) {
    return "";
  }
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// At commas that stand outside parentheses.
std::vector<std::string_view> SplitOutside(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : 0;
    depth -= text[i] == ')' ? 1 : 0;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(Trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.push_back(Trimmed(text.substr(begin)));
  return parts;
}

bool IsWord(std::string_view text) {
  return text.find_first_of(" ()!=<>,") == std::string_view::npos;
}

Error NotUnderstood(std::string_view text) {
  return {
      .kind = ErrorKind::kUsage,
      .message = "not a label selector: \"" + std::string(text) + "\"",
      .remedy = "write it as key=value, key!=value, key in (a,b), key notin (a,b), key or !key"};
}

// "(a, b)" without its parentheses; nothing where they are not there.
Result<std::vector<std::string>> ValuesIn(std::string_view text) {
  text = Trimmed(text);
  if (!text.starts_with('(') || !text.ends_with(')')) {
    return Fail(NotUnderstood(text));
  }
  std::vector<std::string> values;
  for (const std::string_view value : SplitOutside(text.substr(1, text.size() - 2))) {
    if (!IsWord(value)) {
      return Fail(NotUnderstood(text));
    }
    values.emplace_back(value);
  }
  return values;
}

}  // namespace

Result<LabelSelector::Requirement> LabelSelector::ParseOne(std::string_view text) {
  Requirement made;
  const std::size_t equals = text.find('=');
  const std::size_t blank = text.find(' ');
  if (equals != std::string_view::npos) {
    made.negated = equals > 0 && text[equals - 1] == '!';
    const bool twice = text.substr(equals).starts_with("==");
    made.key = Trimmed(text.substr(0, equals - (made.negated ? 1 : 0)));
    made.values.emplace_back(Trimmed(text.substr(equals + (twice ? 2 : 1))));
  } else if (blank != std::string_view::npos) {
    const std::string_view rest = Trimmed(text.substr(blank));
    made.negated = rest.starts_with("notin");
    if (!made.negated && !rest.starts_with("in")) {
      return Fail(NotUnderstood(text));
    }
    made.key = text.substr(0, blank);
    QUADRA_TRY(made.values, ValuesIn(rest.substr(made.negated ? 5 : 2)));
  } else {
    made.negated = text.starts_with('!');
    made.any_value = true;
    made.key = text.substr(made.negated ? 1 : 0);
  }
  if (made.key.empty() || !IsWord(made.key) || !std::ranges::all_of(made.values, IsWord)) {
    return Fail(NotUnderstood(text));
  }
  return made;
}

Result<LabelSelector> LabelSelector::Parse(std::string_view text) {
  LabelSelector made;
  if (Trimmed(text).empty()) {
    return made;
  }
  for (const std::string_view part : SplitOutside(text)) {
    QUADRA_TRY(Requirement requirement, ParseOne(part));
    made.requirements_.push_back(std::move(requirement));
  }
  return made;
}

bool LabelSelector::Holds(const Requirement& requirement, const Map<std::string>& labels) {
  const std::string* value = labels.Find(requirement.key);
  const bool named = value != nullptr &&
                     (requirement.any_value ||
                      std::ranges::find(requirement.values, *value) != requirement.values.end());
  return named != requirement.negated;
}

bool LabelSelector::Matches(const Map<std::string>& labels) const {
  return std::ranges::all_of(requirements_,
                             [&](const Requirement& one) { return Holds(one, labels); });
}

}  // namespace quadra::api
