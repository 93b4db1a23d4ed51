#include "cli/dump_input.h"

#include <set>

#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/capped_notes.h"
#include "cli/line.h"
#include "cli/progress.h"
#include "cli/repeated_keys.h"
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

ExitCode ReadDump(Source& source, const std::vector<live::Need>& needs, Console& console,
                  offline::Dump& dump, const DumpWatch& watch) {
  Progress progress(console, "reading");
  CappedNotes unknown(console, "fields are not read");
  RepeatedKeys twice(console);
  const auto take = [&](const json::Manifest& manifest, const api::Identity& identity) {
    progress.Step("objects");
    Status taken = dump.Take(manifest, identity.api_version, identity.kind);
    if (taken && source.has_files()) {  // what a server sends is no slip of the pen
      NoteUnknownFields(manifest, identity, watch, unknown, console);
      twice.Note(manifest, identity);
    }
    if (taken && watch.seen) {
      watch.seen(manifest, identity);
    }
    return taken;
  };
  const auto salvage = [&](const json::Manifest& manifest, const api::Identity& identity) {
    return Salvage(dump, manifest, identity);
  };
  const ExitCode code = source.Read(needs, console, {.take = take, .salvage = salvage});
  unknown.Finish();
  const ExitCode whole = twice.Finish();
  PrintNotes(dump, console);
  return Worst(code, whole);
}

Status CheckNode(const inventory::Snapshot& cluster, const std::string& name,
                 std::string_view holds) {
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
  return Fail({.kind = ErrorKind::kNotFound,
               .message = fmt::format("{} no node {}{}", holds, name, DidYouMean(name, known))});
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

void PrintRemarks(const std::set<std::string>& remarks, bool nodes_are_derived,
                  std::string_view holds, Console& console) {
  for (const std::string& remark : remarks) {
    PrintLine(console.err, "note: " + remark);
  }
  if (nodes_are_derived) {
    console.err << fmt::format(
        "note: {} no nodes; those that slices name are taken, without labels, taints and "
        "features\n",
        holds);
  }
}

}  // namespace quadra::cli
