#include "cli/explain_subject.h"

#include <algorithm>
#include <array>

namespace quadra::cli {
namespace {

constexpr std::array kSubjectKinds = {
    KindWords{"pod", {"pod", "pods", "po"}},
    KindWords{"claim", {"claim", "claims", "resourceclaim", "resourceclaims"}},
};

}  // namespace

std::string_view KindNamed(std::string_view word, std::span<const KindWords> kinds) {
  for (const KindWords& kind : kinds) {
    if (!word.empty() && std::ranges::find(kind.words, word) != kind.words.end()) {
      return kind.kind;
    }
  }
  return "";
}

std::string SubjectWords(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments;
  return words.size() > 1 ? words[0] + "/" + words[1] : words[0];
}

std::string NamespaceOf(const Invocation& invocation) {
  return invocation.Has(kAllNamespacesFlag.name) ? "" : invocation.Value(kNamespaceFlag.name);
}

Result<ExplainSubject> ReadExplainSubject(const Invocation& invocation) {
  if (invocation.arguments.empty()) {
    return Fail(Usage("what is to be explained? Give pod/NAME or claim/NAME"));
  }
  const std::string text = SubjectWords(invocation);
  const std::size_t slash = text.find('/');
  ExplainSubject subject{.kind = KindNamed(std::string_view(text).substr(0, slash), kSubjectKinds),
                         .name = slash == std::string::npos ? "" : text.substr(slash + 1),
                         .ns = NamespaceOf(invocation),
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
  subject.state = invocation.Value("state");
  if (!subject.name.empty() && !subject.state.empty()) {
    return Fail(Usage(fmt::format("--state chooses among {0}s; leave it out for {0}/{1}",
                                  subject.kind, subject.name)));
  }
  QUADRA_TRY(subject.scope, Scope::Of(invocation));
  return subject;
}

}  // namespace quadra::cli
