#include <array>
#include <charconv>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/object.h"
#include "cli/dump_input.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/namespaces.h"
#include "cli/source.h"
#include "cli/targets.h"
#include "cli/verb.h"
#include "live/lists.h"
#include "live/objects.h"

namespace quadra::cli {
namespace {

constexpr Flag kInFlag{.name = "namespace",
                       .letter = 'n',
                       .value = "NAMESPACE",
                       .help = "Where the objects are; else in that of the kubeconfig's context."};
constexpr Flag kCascadeFlag{
    .name = "cascade",
    .value = "HOW",
    .choices = "background foreground orphan",
    .help =
        "What becomes of what the objects own: deleted after them (the default), before them, "
        "or kept."};
constexpr Flag kWaitFlag{.name = "wait",
                         .value = "BOOLEAN",
                         .choices = "true false",
                         .help = "Whether to wait until the objects are gone; true if not given."};
constexpr Flag kGraceFlag{.name = "grace-period",
                          .value = "SECONDS",
                          .help = "How long pods have to end; else what each of them says."};

constexpr auto kDeleteFlags = WithAccessFlags(
    std::array{kDumpFlag, kRecursiveFlag, kInFlag, kCascadeFlag, kWaitFlag, kGraceFlag,
               Flag{.name = "selector",
                    .letter = 'l',
                    .value = "SELECTOR",
                    .help = "With TYPE and no name: all with these labels."},
               Flag{.name = "all", .help = "With TYPE and no name: all of the namespace."},
               Flag{.name = "ignore-not-found", .help = "What is not there is no error."}});

client::Propagation PropagationOf(const Invocation& invocation) {
  const std::string how = invocation.Value(kCascadeFlag.name);
  return how == "orphan"       ? client::Propagation::kOrphan
         : how == "foreground" ? client::Propagation::kForeground
                               : client::Propagation::kBackground;
}

Result<client::Deletion> ReadDeletion(const Invocation& invocation) {
  client::Deletion deletion{.propagation = PropagationOf(invocation)};
  if (!invocation.Has(kGraceFlag.name)) {
    return deletion;
  }
  const std::string text = invocation.Value(kGraceFlag.name);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) {
    return Fail(Usage(fmt::format("--grace-period: \"{}\" is no number of seconds", text)));
  }
  deletion.grace_seconds = seconds;
  return deletion;
}

// Objects by a file, by their names, or by labels.
Status CheckDeleteUsage(const Invocation& invocation) {
  const bool by_labels = invocation.Has("selector") || invocation.Has("all");
  const std::size_t words = invocation.arguments.size();
  if (invocation.Has(kDumpFlag.name) == (words > 0)) {
    return Fail(Usage(words == 0 ? "delete what? Give TYPE NAME, TYPE -l LABELS or -f FILE"
                                 : "give TYPE NAME or -f FILE, not both"));
  }
  if (words > 0 && invocation.arguments[0].find('/') == std::string::npos &&
      (words == 1) != by_labels) {
    return Fail(Usage(by_labels ? "give names, or -l or --all, not both"
                                : fmt::format("which {}? Give names, -l LABELS or --all",
                                              invocation.arguments[0])));
  }
  return {};
}

// As kubectl has it.
std::string DeletedLine(const live::Target& target) {
  return fmt::format(
      "{} \"{}\" deleted{}", KindTitleOf(target.resource), target.name,
      target.resource.namespaced ? fmt::format(" from {} namespace", target.ns) : "");
}

class Deleting {
 public:
  Deleting(const Invocation& invocation, client::Deletion deletion, live::Session& session,
           Console& console)
      : invocation_(invocation),
        deletion_(std::move(deletion)),
        session_(session),
        console_(console) {}

  void DeleteManifest(const json::Manifest& manifest) {
    const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
    if (!identity) {
      return Refuse(identity.error());
    }
    const auto resource = live::FindResource(session_, identity->api_version, identity->kind);
    if (!resource) {
      return Refuse(resource.error());
    }
    const Result<std::string> ns = NamespaceFor(invocation_, session_, *identity);
    if (!ns) {
      return Refuse(ns.error());
    }
    Delete({.resource = *resource, .ns = *ns, .name = identity->name});
  }

  // TYPE NAME…, or TYPE/NAME….
  void DeleteNamed() {
    const std::vector<std::string>& words = invocation_.arguments;
    const bool in_pairs = words[0].find('/') != std::string::npos;
    for (std::size_t i = in_pairs ? 0 : 1; i < words.size(); ++i) {
      const std::size_t slash = words[i].find('/');
      const std::string type = in_pairs ? words[i].substr(0, slash) : words[0];
      DeleteOne(type,
                in_pairs && slash != std::string::npos ? words[i].substr(slash + 1) : words[i]);
    }
  }

  void DeleteChosen() {
    const Result<client::Resource> resource = ResourceNamed(invocation_.arguments[0]);
    if (!resource) {
      return Refuse(resource.error());
    }
    const std::string ns = resource->namespaced ? Namespace() : "";
    if (resource->namespaced && ns.empty()) {
      return Refuse(Usage("no namespace", "name one with -n"));  // never all of them
    }
    const std::vector<live::Need> needs = {
        {.resource = *resource,
         .choice = {.ns = ns, .label_selector = invocation_.Value("selector")}}};
    const live::Got got = live::ReadAll(session_, needs, nullptr).front();
    if (!got.page) {
      return Refuse(got.page.error());
    }
    for (const std::string& item : got.page->items) {
      if (const Result<api::Identity> identity = api::ReadIdentity(item)) {
        Delete({.resource = *resource, .ns = identity->ns, .name = identity->name});
      }
    }
  }

  ExitCode code() const { return code_; }

 private:
  std::string Namespace() const {
    return invocation_.Has(kInFlag.name) ? invocation_.Value(kInFlag.name) : session_.ns();
  }
  void DeleteOne(const std::string& type, const std::string& name) {
    const Result<client::Resource> resource = ResourceNamed(type);
    if (!resource) {
      return Refuse(resource.error());
    }
    Delete({.resource = *resource, .ns = resource->namespaced ? Namespace() : "", .name = name});
  }

  void Delete(const live::Target& target) {
    if (code_ == ExitCode::kUnreached) {
      return;
    }
    if (const Status fine = CheckTarget(target); !fine) {
      return Refuse(fine.error());
    }
    const bool wait = invocation_.Value(kWaitFlag.name) != "false";
    const client::Answer<void> done = live::Delete(session_, target, deletion_, wait);
    if (done) {
      return PrintLine(console_.out, DeletedLine(target));
    }
    if (!done.error().Is(client::refused::kNotFound) || !invocation_.Has("ignore-not-found")) {
      Refuse(done.error());
    }
  }

  void Refuse(const Error& error) {
    PrintLine(console_.err, "error: " + error.ToString());
    code_ = Worst(code_, ExitCode::kUsage);
  }
  void Refuse(const client::Failure& failure) {
    code_ = Worst(code_, RefuseAnswer(failure, session_, console_, Wish::kWrite));
  }

  const Invocation& invocation_;
  const client::Deletion deletion_;
  live::Session& session_;
  Console& console_;
  ExitCode code_ = ExitCode::kYes;
};

ExitCode DeleteFrom(Deleting& deleting, const Invocation& invocation, Console& console) {
  if (invocation.Has(kDumpFlag.name)) {
    const ExitCode read =
        ReadFiles(invocation.Values(kDumpFlag.name), invocation.Has(kRecursiveFlag.name), console,
                  [&](const json::Manifest& manifest) { deleting.DeleteManifest(manifest); });
    return Worst(read, deleting.code());
  }
  if (invocation.Has("selector") || invocation.Has("all")) {
    deleting.DeleteChosen();
  } else {
    deleting.DeleteNamed();
  }
  return deleting.code();
}

ExitCode RunDelete(const Invocation& invocation, Console& console) {
  const Status usage = CheckDeleteUsage(invocation);
  Result<client::Deletion> deletion = ReadDeletion(invocation);
  if (!usage || !deletion) {
    return RefuseUsage(!usage ? usage.error() : deletion.error(), invocation.program,
                       FindVerb("delete"), console);
  }
  const Sourced<std::unique_ptr<live::Session>> session = OpenSession(invocation, console);
  if (!session) {
    return RefuseCluster(session.error(), console);
  }
  Deleting deleting(invocation, *std::move(deletion), **session, console);
  return DeleteFrom(deleting, invocation, console);
}

}  // namespace

const Verb kDeleteVerb{
    .name = "delete",
    .synopsis = "TYPE NAME… | TYPE/NAME… | TYPE -l SELECTOR | TYPE --all | -f FILE… [-n NAMESPACE]",
    .summary = "delete objects of a cluster",
    .description =
        "TYPE is a kind, its plural or its short name, as for kubectl, and also claims, templates, "
        "classes, slices and rules (of taints). Waits until the objects are gone: what their "
        "finalizers stand for may take its time.\n"
        "Exit status 0; 1: something is not there, or the server refused; 2: the input is wrong; "
        "4: "
        "the server does not answer, or denies it.",
    .examples =
        "  quadra delete pod train -n team-a\n"
        "  quadra delete claims -l app=train --wait=false\n"
        "  quadra delete -f claim.yaml\n",
    .flags = kDeleteFlags,
    .argument_choices = "pods claims templates classes slices rules",
    .most_arguments = kManyArguments,
    .run = RunDelete,
};

}  // namespace quadra::cli
