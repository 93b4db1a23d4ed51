// Source: where the objects come from that a verb answers about: the files of -f, or a cluster that
// runs, or both: a cluster with files on top, as if they had been applied to it.
//
//   Result<Source> source = Source::Of(invocation);      // asks nobody yet
//   if (!source) return RefuseSource(source.error(), …);
//   const Invocation asked = source->Complete(invocation);  // -n of the kubeconfig's context
//   const ExitCode read = source->Read(needs, console, sink);
//   if (IsNoAnswer(read)) return read;
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/exit_code.h"
#include "cli/inputs.h"
#include "cli/verb.h"
#include "live/lists.h"
#include "live/session.h"

namespace quadra::cli {

// Why there is nothing to read from: flags or a kubeconfig that make no sense (kUsage), or nobody
// who tells who we are (kUnreached).
struct NoSource {
  Error error;
  ExitCode code = ExitCode::kUsage;
};
template <typename T>
using Sourced = tl::expected<T, NoSource>;

class Source {
 public:
  // The files where there are any and no flag names a cluster; otherwise the cluster, with them on
  // top. `files`: the flag that names them, and further ones. Fails where no cluster can be found.
  static Sourced<Source> Of(const Invocation& invocation, Console& console);
  static Sourced<Source> Of(const Invocation& invocation, std::vector<std::string> files,
                            Console& console);

  // Null where all is in files.
  live::Session* session() const { return session_.get(); }
  bool live() const { return session_ != nullptr; }
  bool has_files() const { return !files_.empty(); }
  // Whether an object that was read from there is one of the cluster, not of a file.
  static bool IsOfCluster(const json::Manifest& manifest);
  // For sentences: "the cluster has", "the files hold".
  std::string_view holds() const { return live() ? "the cluster has" : "the files hold"; }

  // With the namespace of the kubeconfig's context where a cluster is asked and no flag names one.
  Invocation Complete(Invocation invocation) const;

  // Passes every object on: those of the cluster that are needed, then those of the files. What the
  // sink refuses is left out, as ReadObjects says. Says what cannot be read: kUnreached where that is
  // vital, kPartial otherwise.
  ExitCode Read(const std::vector<live::Need>& needs, Console& console, const ObjectSink& sink);

 private:
  ExitCode ReadCluster(const std::vector<live::Need>& needs, Console& console,
                       const ObjectSink& sink);

  std::unique_ptr<live::Session> session_;
  std::string ns_;  // that counts where reading all is denied
  std::vector<std::string> files_;
  bool recursive_ = false;
};

// Connects to the cluster that the flags name. Warnings of the server go to `console`.
Sourced<std::unique_ptr<live::Session>> OpenSession(const Invocation& invocation, Console& console);

// Says why there is nothing to read from, where files would do as well.
ExitCode RefuseSource(const NoSource& why, Console& console);
// The same where only a cluster would do.
ExitCode RefuseCluster(const NoSource& why, Console& console);

// Whether the question made no sense to the server, e.g. a field selector.
bool IsBadQuestion(const client::Failure& failure);

// What was asked of a server; of reading there is a role that allows it.
enum class Wish : std::uint8_t { kRead, kWrite };

// kUnreached where the server is not there, fails or denies it; kNo otherwise.
ExitCode CodeOf(const client::Failure& failure);
// Says what a server answered, or that none did, and what to do; kUnreached. Of what is not there
// kNo.
ExitCode RefuseAnswer(const client::Failure& failure, const live::Session& session,
                      Console& console, Wish wish = Wish::kRead);
// The sentence of that.
std::string SentenceOf(const client::Failure& failure, const live::Session& session,
                       Wish wish = Wish::kRead);

// Whether what was read is no ground for an answer.
constexpr bool IsNoAnswer(ExitCode code) {
  return code == ExitCode::kUsage || code == ExitCode::kUnreached;
}

}  // namespace quadra::cli
