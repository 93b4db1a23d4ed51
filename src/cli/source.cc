#include "cli/source.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "cli/dump_input.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/namespaces.h"
#include "cli/progress.h"

namespace quadra::cli {
namespace {

using client::Failure;

// What stands for a file in messages: the cluster's resourceclaims:12 is the twelfth that came.
constexpr std::string_view kClusters = "the cluster's ";
constexpr std::string_view kOrFiles = "or give a dump with -f FILE";

// A sentence goes on behind it.
std::string WithoutStop(std::string text) {
  while (text.ends_with('.') || text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

std::string Unreached(std::string_view words, const std::string& server) {
  constexpr std::string_view kSaid = "the server did not answer: ";
  words.remove_prefix(words.starts_with(kSaid) ? kSaid.size() : 0);
  const bool is_other = words.find("certificate") != std::string_view::npos;
  return fmt::format("{} does not answer: {}; {}", server, words,
                     is_other ? "check the address, and the authority that the kubeconfig or "
                                "--certificate-authority names"
                              : "check the address, and that the server runs");
}

// By authorization, in upstream's words; admission forbids objects, not people.
bool IsDenied(const Failure& failure) {
  return failure.Is(client::refused::kForbidden) &&
         failure.message.find(" cannot ") != std::string::npos;
}

live::Need Narrowed(live::Need need, const std::string& ns) {
  need.fallback_ns = need.resource.namespaced ? ns : "";
  return need;
}

std::string JoinedItems(const client::Page& page) {
  std::size_t size = 0;
  for (const std::string& item : page.items) {
    size += item.size() + 1;
  }
  std::string text;
  text.reserve(size);
  for (const std::string& item : page.items) {
    text += item;
    text += '\n';
  }
  return text;
}

// What became of the kinds that were asked for.
class Reading {
 public:
  Reading(const live::Session& session, Console& console) : session_(session), console_(console) {}

  void Add(const live::Need& need, live::Got got) {
    if (!got.page) {
      return Miss(need, got.page.error());
    }
    if (!got.narrowed_to.empty()) {
      Note(fmt::format("only namespace {} is looked at, since {}", got.narrowed_to,
                       SentenceOf(got.denied, session_)));
    }
    if (!got.page->items.empty()) {
      texts_.push_back(
          {std::string(kClusters) + need.resource.plural, JoinedItems(*std::move(got.page))});
    }
  }

  ExitCode code() const { return code_; }
  std::vector<ObjectText> TakeTexts() { return std::move(texts_); }

 private:
  void Miss(const live::Need& need, const Failure& failure) {
    if (need.vital || !IsDenied(failure)) {
      return Refuse(failure);
    }
    Note(fmt::format("{} are not looked at, since {}", need.resource.plural,
                     SentenceOf(failure, session_)));
  }
  // Of a server that is not there one sentence is enough.
  void Refuse(const Failure& failure) {
    std::string sentence = SentenceOf(failure, session_);
    code_ = Worst(code_, IsBadQuestion(failure) ? ExitCode::kUsage : ExitCode::kUnreached);
    if (std::ranges::find(said_, sentence) == said_.end()) {
      PrintLine(console_.err, "error: " + sentence);
      said_.push_back(std::move(sentence));
    }
  }
  void Note(const std::string& note) {
    code_ = Worst(code_, ExitCode::kPartial);
    PrintLine(console_.err, "note: " + note);
  }

  const live::Session& session_;
  Console& console_;
  std::vector<ObjectText> texts_;
  std::vector<std::string> said_;
  ExitCode code_ = ExitCode::kYes;
};

}  // namespace

Sourced<std::unique_ptr<live::Session>> OpenSession(const Invocation& invocation,
                                                    Console& console) {
  Result<client::ClusterAccess> access =
      client::FindAccess(AccessOf(invocation), client::SystemEnvironment());
  if (!access) {
    return tl::unexpected(NoSource{std::move(access).error()});
  }
  if (const Status ns = CheckPathSegment("namespace", access->ns); !ns) {
    return tl::unexpected(NoSource{ns.error()});
  }
  Result<client::Connection> connection = client::Connect(*access);
  if (!connection) {
    return tl::unexpected(NoSource{std::move(connection).error(),
                                   access->exec ? ExitCode::kUnreached : ExitCode::kUsage});
  }
  connection->ns = connection->ns.empty() ? access->ns : connection->ns;
  return std::make_unique<live::Session>(
      *std::move(connection),
      live::Session::Options{.on_warning = [&console](const std::string& warning) {
        PrintLine(console.err, "warning: " + warning);
      }});
}

Sourced<Source> Source::Of(const Invocation& invocation, Console& console) {
  return Of(invocation, invocation.Values(kDumpFlag.name), console);
}

Sourced<Source> Source::Of(const Invocation& invocation, std::vector<std::string> files,
                           Console& console) {
  Source source;
  source.files_ = std::move(files);
  source.recursive_ = invocation.Has(kRecursiveFlag.name);
  if (source.files_.empty() || NamesCluster(invocation)) {
    Sourced<std::unique_ptr<live::Session>> session = OpenSession(invocation, console);
    if (!session) {
      return tl::unexpected(std::move(session).error());
    }
    source.session_ = *std::move(session);
    source.ns_ = invocation.Has(kNamespaceFlag.name) ? invocation.Value(kNamespaceFlag.name)
                                                     : source.session_->ns();
  }
  return source;
}

bool Source::IsOfCluster(const json::Manifest& manifest) {
  return manifest.file().starts_with(kClusters);
}

Invocation Source::Complete(Invocation invocation) const {
  if (live() && !invocation.Has(kNamespaceFlag.name) && !invocation.Has(kAllNamespacesFlag.name)) {
    invocation.flags[std::string(kNamespaceFlag.name)] = {session_->ns()};
  }
  return invocation;
}

ExitCode Source::Read(const std::vector<live::Need>& needs, Console& console,
                      const ObjectSink& sink) {
  ExitCode code = live() ? ReadCluster(needs, console, sink) : ExitCode::kYes;
  if (has_files() && !IsNoAnswer(code)) {
    code = Worst(code, ReadObjects(files_, recursive_, console, sink));
  }
  return code;
}

ExitCode Source::ReadCluster(const std::vector<live::Need>& needs, Console& console,
                             const ObjectSink& sink) {
  std::vector<live::Need> asked;
  asked.reserve(needs.size());
  for (const live::Need& need : needs) {
    asked.push_back(Narrowed(need, ns_));
  }
  std::vector<live::Got> got;
  {
    Progress progress(console, "reading the cluster");
    std::size_t objects = 0;
    got = live::ReadAll(*session_, asked, [&](std::size_t more) {
      objects += more;
      progress.Reach(objects, "objects");
    });
  }
  Reading reading(*session_, console);
  for (std::size_t i = 0; i < got.size(); ++i) {
    reading.Add(asked[i], std::move(got[i]));
  }
  return IsNoAnswer(reading.code())
             ? reading.code()
             : Worst(reading.code(), ReadObjectTexts(reading.TakeTexts(), console, sink));
}

ExitCode RefuseSource(const NoSource& why, Console& console) {
  PrintLine(console.err, fmt::format("error: {}; {}", why.error.ToString(), kOrFiles));
  return why.code;
}

ExitCode RefuseCluster(const NoSource& why, Console& console) {
  PrintLine(console.err, "error: " + why.error.ToString());
  return why.code;
}

bool IsBadQuestion(const Failure& failure) { return failure.code == 400; }

std::string SentenceOf(const Failure& failure, const live::Session& session, Wish wish) {
  const std::string words = WithoutStop(failure.message);
  if (failure.unreachable()) {
    return Unreached(words, session.server());
  }
  if (failure.Is(client::refused::kUnauthorized)) {
    return fmt::format(
        "{} does not know us: {}; log in again, since tokens and certificates expire, or name "
        "other "
        "credentials (--user, --token)",
        session.server(), words);
  }
  if (IsDenied(failure)) {
    return fmt::format("{}; {}", words,
                       wish == Wish::kRead
                           ? "`quadra rbac --role viewer` prints the rules that allow reading"
                           : "ask who may grant it for a role that allows it");
  }
  const std::string remedy = failure.ToError().remedy;
  return remedy.empty() ? words : fmt::format("{}; {}", words, remedy);
}

ExitCode CodeOf(const Failure& failure) {
  const bool unreached = failure.unreachable() || IsDenied(failure) ||
                         failure.Is(client::refused::kUnauthorized) || failure.code >= 500;
  return unreached ? ExitCode::kUnreached : ExitCode::kNo;
}

ExitCode RefuseAnswer(const Failure& failure, const live::Session& session, Console& console,
                      Wish wish) {
  PrintLine(console.err, "error: " + SentenceOf(failure, session, wish));
  return CodeOf(failure);
}

}  // namespace quadra::cli
