#include "cli/explain_subject.h"

#include <algorithm>
#include <array>
#include <utility>

namespace quadra::cli {
namespace {

struct KindWords {
  std::string_view kind;
  std::array<std::string_view, 4> words;
};
constexpr std::array kKinds = {
    KindWords{"pod", {"pod", "pods", "po"}},
    KindWords{"claim", {"claim", "claims", "resourceclaim", "resourceclaims"}},
};

// Empty for a word that means no kind.
std::string_view KindOf(std::string_view word) {
  for (const KindWords& kind : kKinds) {
    if (!word.empty() && std::ranges::find(kind.words, word) != kind.words.end()) {
      return kind.kind;
    }
  }
  return "";
}

Error Usage(std::string message) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message)};
}

// pod/NAME, also where it was written as pod NAME.
std::string SubjectWords(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments;
  return words.size() > 1 ? words[0] + "/" + words[1] : words[0];
}

}  // namespace

Result<ExplainSubject> ReadExplainSubject(const Invocation& invocation) {
  if (invocation.arguments.empty()) {
    return Fail(Usage("what is to be explained? Give pod/NAME or claim/NAME"));
  }
  const std::string text = SubjectWords(invocation);
  const std::size_t slash = text.find('/');
  ExplainSubject subject{
      .kind = KindOf(std::string_view(text).substr(0, slash)),
      .name = slash == std::string::npos ? "" : text.substr(slash + 1),
      .ns = invocation.Has(kAllNamespacesFlag.name) ? "" : invocation.Value(kNamespaceFlag.name),
      .scope = {}};
  if (subject.kind.empty() || slash + 1 == text.size()) {
    return Fail(Usage(fmt::format("\"{}\" is neither pod/NAME nor claim/NAME", text)));
  }
  if (!subject.name.empty() && invocation.Has(kSelectorFlag.name)) {
    return Fail(Usage(fmt::format("give {} or labels, not both: quadra explain {}s -l {}", text,
                                  subject.kind, invocation.Value(kSelectorFlag.name))));
  }
  if (subject.name.empty() && invocation.Has("fix")) {
    return Fail(Usage(fmt::format("--fix needs one {0} by its name: {0}/NAME", subject.kind)));
  }
  QUADRA_TRY(subject.scope, Scope::Of(invocation));
  return subject;
}

}  // namespace quadra::cli
