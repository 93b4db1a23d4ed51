#include "cli/dump_input.h"

#include <set>

#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/capped_notes.h"
#include "cli/line.h"
#include "cli/progress.h"
#include "cli/unknown_fields.h"

namespace quadra::cli {
namespace {

void PrintNotes(const offline::Dump& dump, Console& console) {
  CappedNotes twice(console, "objects are given twice");
  for (const std::string& note : dump.notes()) {
    twice.Add(note);
  }
  twice.Finish();
  if (const std::string unused = dump.UnusedText(); !unused.empty()) {
    PrintLine(console.err, "unused: " + unused);
  }
}

void NoteUnknownFields(const json::Manifest& manifest, const api::Identity& identity,
                       const DumpWatch& watch, CappedNotes& notes, Console& console) {
  const bool asked = watch.asked && watch.asked(identity);
  for (const std::string& note : UnknownFields(manifest, identity)) {
    if (asked) {
      PrintLine(console.err, "note: " + note);
    } else {
      notes.Add(note);
    }
  }
}

std::string Salvage(offline::Dump& dump, const json::Manifest& manifest,
                    const api::Identity& identity) {
  switch (dump.Salvage(manifest, identity.api_version, identity.kind)) {
    case offline::Dump::Salvaged::kNothing:
      return "";
    case offline::Dump::Salvaged::kHoldings:
      return "is read only for the devices it holds";
    case offline::Dump::Salvaged::kDeciding:
      return "is read without a broken field that decides nothing";
  }
  return "";
}

}  // namespace

ExitCode ReadDump(const Invocation& invocation, Console& console, offline::Dump& dump,
                  const DumpWatch& watch) {
  Progress progress(console, "reading");
  CappedNotes unknown(console, "fields are not read");
  const auto take = [&](const json::Manifest& manifest, const api::Identity& identity) {
    progress.Step("objects");
    Status taken = dump.Take(manifest, identity.api_version, identity.kind);
    if (taken) {
      NoteUnknownFields(manifest, identity, watch, unknown, console);
    }
    if (taken && watch.seen) {
      watch.seen(manifest, identity);
    }
    return taken;
  };
  const auto salvage = [&](const json::Manifest& manifest, const api::Identity& identity) {
    return Salvage(dump, manifest, identity);
  };
  const ExitCode code =
      ReadObjects(invocation.Values(kDumpFlag.name), invocation.Has(kRecursiveFlag.name), console,
                  {.take = take, .salvage = salvage});
  unknown.Finish();
  PrintNotes(dump, console);
  return code;
}

Status CheckNode(const inventory::Snapshot& cluster, const std::string& name) {
  std::set<std::string_view> names;
  for (const auto& [node, object] : cluster.nodes()) {
    names.insert(node);
  }
  if (names.empty()) {
    cluster.slices().VisitPools([&](const std::string& /*pool*/, const auto& slices) {
      for (const auto& slice : slices) {
        names.insert(slice->placement.node);
      }
    });
  }
  if (name.empty() || names.contains(name)) {
    return {};
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return Fail(
      {.kind = ErrorKind::kNotFound,
       .message = fmt::format("the files hold no node {}{}", name, DidYouMean(name, known))});
}

Scope Scope::Of(std::string ns) {
  Scope scope;
  scope.ns_ = std::move(ns);
  return scope;
}

Result<Scope> Scope::Of(const Invocation& invocation) {
  Scope scope;
  if (!invocation.Has(kAllNamespacesFlag.name)) {
    scope.ns_ = invocation.Value(kNamespaceFlag.name);
  }
  Result<api::LabelSelector> labels =
      api::LabelSelector::Parse(invocation.Value(kSelectorFlag.name));
  if (!labels) {
    return Fail(ErrorKind::kUsage, "-l: " + labels.error().ToString());
  }
  scope.labels_ = *std::move(labels);
  return scope;
}

void PrintRemarks(const std::set<std::string>& remarks, bool nodes_are_derived, Console& console) {
  for (const std::string& remark : remarks) {
    PrintLine(console.err, "note: " + remark);
  }
  if (nodes_are_derived) {
    console.err << "note: the files hold no nodes; those that slices name are taken, without "
                   "labels and taints\n";
  }
}

}  // namespace quadra::cli
