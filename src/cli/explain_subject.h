// ExplainSubject: what `quadra explain` is asked about, in kubectl's words: one pod or claim by its
// name, or all pods or claims of a namespace or with labels. `quadra fit` names its model likewise.
//
//   pod/train    pods -l app=train    claims -n team-a
#pragma once

#include <array>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/result.h"
#include "cli/dump_input.h"
#include "cli/verb.h"

namespace quadra::cli {

struct ExplainSubject {
  std::string_view kind;  // pod or claim
  std::string name;       // empty: all that `scope` shows
  std::string ns;         // as given; empty: any
  Scope scope;
  std::string state = {};  // without a name: the verdict of those to be shown; empty: any
  std::string_view holds = "the files hold";  // Source's
};

// What a kind may be called.
struct KindWords {
  std::string_view kind;
  std::array<std::string_view, 4> words;
};
// Empty for a word that means none of them.
std::string_view KindNamed(std::string_view word, std::span<const KindWords> kinds);
// pod/NAME, also where it was written as pod NAME. REQUIRES: there are arguments.
std::string SubjectWords(const Invocation& invocation);
// Reads -n; empty: any.
std::string NamespaceOf(const Invocation& invocation);

// Fails where the words make no sense, or a name stands beside labels.
Result<ExplainSubject> ReadExplainSubject(const Invocation& invocation);

// The objects asked about, in their order. By name there is one: fails where there is none, or
// several and no namespace is given. Without a name there may be none.
template <typename T>
Result<std::vector<const T*>> Choose(const std::list<T>& objects, const ExplainSubject& subject) {
  std::vector<const T*> chosen;
  std::vector<std::string_view> names;
  const T* elsewhere = nullptr;
  for (const T& object : objects) {
    names.emplace_back(object.metadata.name);
    const bool named = subject.name.empty() || object.metadata.name == subject.name;
    elsewhere = named ? &object : elsewhere;
    if (named && subject.scope.Shows(object.metadata)) {
      chosen.push_back(&object);
    }
  }
  if (subject.name.empty() || chosen.size() == 1) {
    return chosen;
  }
  if (chosen.size() > 1) {
    return Fail(
        {.kind = ErrorKind::kUsage,
         .message = fmt::format("{}/{} is in the namespaces {} and {}", subject.kind, subject.name,
                                chosen[0]->metadata.ns, chosen[1]->metadata.ns),
         .remedy = "say which with -n"});
  }
  return Fail({.kind = ErrorKind::kNotFound,
               .message = fmt::format("{} no {} {}{}{}", subject.holds, subject.kind, subject.name,
                                      subject.ns.empty() ? "" : " in namespace " + subject.ns,
                                      elsewhere == nullptr
                                          ? DidYouMean(subject.name, names)
                                          : "; namespace " + elsewhere->metadata.ns + " has one")});
}

}  // namespace quadra::cli
