// DumpInput: a cluster as the command line names it, as a dump (-f, -R, --feature-gates) or running
// (source.h), and which of its objects are to be shown (-n, -A, -l). Shared by the verbs that answer from a dump.
//
//   const Result<api::FeatureGates> gates = ReadFeatureGates(invocation);
//   offline::Dump dump(language, *gates);
//   const ExitCode read = ReadDump(*source, NeedsOfPlacing(), console, dump);
//   if (IsNoAnswer(read)) return read;           // a file was not readable
//   return Worst(read, Answer(…));               // kPartial: objects were left out
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "api/kinds.h"
#include "api/vocabulary.h"
#include "base/result.h"
#include "cli/feature_gates.h"
#include "cli/inputs.h"
#include "cli/source.h"
#include "cli/verb.h"
#include "offline/dump.h"

namespace quadra::cli {

inline constexpr Flag kNamespaceFlag{
    .name = "namespace",
    .letter = 'n',
    .value = "NAMESPACE",
    .help =
        "Show only objects of this namespace. Without it all of a dump are shown; of a cluster "
        "that "
        "runs, those of the namespace of the kubeconfig's context."};
inline constexpr Flag kAllNamespacesFlag{
    .name = "all-namespaces", .letter = 'A', .help = "Show all namespaces."};
inline constexpr Flag kSelectorFlag{
    .name = "selector",
    .letter = 'l',
    .value = "SELECTOR",
    .help =
        "Show only objects with these labels: key=value, key!=value, key in (a,b), key, !key; "
        "with commas between."};

// Who wants to know of the objects while a dump is read.
struct DumpWatch {
  // Called for each that the dump took as a whole.
  std::function<void(const json::Manifest&, const api::Identity&)> seen = {};
  // Whether the question is about this one: then nothing that is noted of it may be left out.
  std::function<bool(const api::Identity&)> asked = {};
};

// Reads all files, and of a cluster what is needed, with progress on a terminal. What cannot be read is said on `console.err`:
// kUsage for a file, kUnreached for a cluster, kPartial for an object in it, of which as much as can be trusted is taken, and
// for a key that stands twice. What is given twice, fields that the object's kind does not
// have and kinds that are not looked at are noted there.
ExitCode ReadDump(Source& source, const std::vector<live::Need>& needs, Console& console,
                  offline::Dump& dump, const DumpWatch& watch = {});

// Fails where there is no node of that name; without Nodes, where no slice names it. An empty name
// asks for none. `holds`: Source's.
Status CheckNode(const inventory::Snapshot& cluster, const std::string& name,
                 std::string_view holds);

// Which objects are to be shown.
class Scope {
 public:
  // Reads -n, -A and -l.
  static Result<Scope> Of(const Invocation& invocation);
  // All of a namespace; empty: of all.
  static Scope Of(std::string ns);

  bool Shows(const api::ObjectMeta& meta) const {
    return (ns_.empty() || ns_ == meta.ns) && labels_.Matches(meta.labels);
  }

 private:
  std::string ns_;  // empty: all
  api::LabelSelector labels_;
};

// What is to be said of an answer from a dump: what was met on the way, and where its nodes are from.
void PrintRemarks(const std::set<std::string>& remarks, bool nodes_are_derived,
                  std::string_view holds, Console& console);

}  // namespace quadra::cli
