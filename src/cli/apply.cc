#include <array>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "api/object.h"
#include "cli/dump_input.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/namespaces.h"
#include "cli/source.h"
#include "cli/targets.h"
#include "cli/verb.h"
#include "json/value.h"
#include "live/objects.h"

namespace quadra::cli {
namespace {

constexpr Flag kIntoFlag{.name = "namespace",
                         .letter = 'n',
                         .value = "NAMESPACE",
                         .help =
                             "Where objects go that name no namespace; else that of the "
                             "kubeconfig's context."};

constexpr auto kApplyFlags = WithAccessFlags(std::array{kFilenameFlag, kRecursiveFlag, kIntoFlag});

std::string_view WordForApplied(live::Applied applied) {
  switch (applied) {
    case live::Applied::kCreated:
      return "created";
    case live::Applied::kConfigured:
      return "configured";
    case live::Applied::kUnchanged:
      return "unchanged";
  }
  return "";
}

// The manifest of an object with the namespace that it goes to.
Result<json::Value> ManifestIn(const json::Manifest& manifest, const std::string& ns) {
  QUADRA_TRY(json::Value object, json::ParseValue(manifest.json()));
  json::Value* const metadata = object.Find("metadata");
  if (metadata == nullptr || metadata->kind() != json::Kind::kObject) {
    return Fail(ErrorKind::kInvalid, "it has no metadata");
  }
  if (!ns.empty()) {
    metadata->Set("namespace", json::Value(ns));
  }
  return object;
}

class Applying {
 public:
  Applying(const Invocation& invocation, live::Session& session, Console& console)
      : invocation_(invocation), session_(session), console_(console) {}

  void Take(const json::Manifest& manifest) {
    const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
    if (!identity) {
      return Refuse(manifest, identity.error());
    }
    if (identity->name.empty() || identity->name.ends_with("xxxxx")) {
      return Refuse(manifest, {.kind = ErrorKind::kUsage,
                               .message = identity->Title() + ": apply needs metadata.name",
                               .remedy = "kubectl create makes names of generateName"});
    }
    const auto resource = live::FindResource(session_, identity->api_version, identity->kind);
    if (!resource) {
      return Refuse(manifest, *identity, resource.error());
    }
    ApplyAs(manifest, *identity, *resource);
  }

  ExitCode code() const { return code_; }

 private:
  void ApplyAs(const json::Manifest& manifest, const api::Identity& identity,
               const client::Resource& resource) {
    const Result<std::string> ns = resource.namespaced
                                       ? NamespaceFor(invocation_, session_, identity)
                                       : Result<std::string>(std::string());
    if (!ns) {
      return Refuse(manifest, ns.error());
    }
    Result<json::Value> object = ManifestIn(manifest, *ns);
    if (!object) {
      return Refuse(manifest, object.error());
    }
    const live::Target target{.resource = resource, .ns = *ns, .name = identity.name};
    if (const Status fine = CheckTarget(target); !fine) {
      return Refuse(manifest, fine.error());
    }
    const client::Answer<live::Applied> applied = live::Apply(session_, target, *std::move(object));
    if (!applied) {
      return Refuse(manifest, identity, applied.error());
    }
    PrintLine(console_.out,
              fmt::format("{} {}", TitleOf(resource, identity.name), WordForApplied(*applied)));
  }

  void Refuse(const json::Manifest& manifest, const Error& error) {
    code_ = Worst(code_, ExitCode::kUsage);
    PrintLine(console_.err, fmt::format("error: {}:{}: {}", manifest.file(), manifest.start().line,
                                        error.ToString()));
  }
  void Refuse(const json::Manifest& manifest, const api::Identity& identity,
              const client::Failure& failure) {
    PrintLine(console_.err,
              fmt::format("error: {}:{}: {}: {}", manifest.file(), manifest.start().line,
                          identity.Title(), SentenceOf(failure, session_, Wish::kWrite)));
    code_ = Worst(code_, CodeOf(failure));
  }

  const Invocation& invocation_;
  live::Session& session_;
  Console& console_;
  ExitCode code_ = ExitCode::kYes;
};

ExitCode RunApply(const Invocation& invocation, Console& console) {
  const Sourced<std::unique_ptr<live::Session>> session = OpenSession(invocation, console);
  if (!session) {
    return RefuseCluster(session.error(), console);
  }
  Applying applying(invocation, **session, console);
  const ExitCode read = ReadInputs(invocation, console, [&](const json::Manifest& manifest) {
    if (applying.code() != ExitCode::kUnreached) {
      applying.Take(manifest);
    }
  });
  return Worst(read, applying.code());
}

}  // namespace

const Verb kApplyVerb{
    .name = "apply",
    .synopsis = "-f FILE… [-R] [-n NAMESPACE]",
    .summary = "make the objects of files, or change them to what the files say",
    .description =
        "Each object is made where it is not there. Where it is, what the file says is changed, "
        "what "
        "the file said when it was applied last and says no more is taken away, and what others "
        "wrote stays. The file is kept in the annotation that `kubectl apply` keeps it in, so that "
        "either may follow the other.\n"
        "Exit status 0; 1: the server refused an object; 2: the input is wrong; 4: the server does "
        "not answer, or denies it.",
    .examples =
        "  quadra apply -f claim.yaml\n"
        "  quadra apply -n team-a -f manifests/\n",
    .flags = kApplyFlags,
    .most_arguments = kManyArguments,
    .run = RunApply,
};

}  // namespace quadra::cli
