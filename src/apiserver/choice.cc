#include "apiserver/choice.h"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/object_facts.h"
#include "base/go_text.h"

namespace quadra::apiserver {
namespace {

std::span<const SelectableField> OfferedBy(const api::KindSchema& kind) {
  return SelectableFields(
      fmt::format("{}/{}", kind.group.empty() ? "core" : kind.group, kind.plural));
}

// What upstream says depends on who converts the kind's field labels.
std::string NotSupported(const api::KindSchema& kind, std::string_view label) {
  if (kind.kind == "ResourceSlice") {
    return fmt::format("field label not supported for {}/{}, Kind={}: {}", kind.group, kind.version,
                       kind.kind, label);
  }
  return !OfferedBy(kind).empty() ? fmt::format("field label not supported: {}", label)
                                  : fmt::format(
                                        "{} is not a known field selector: only \"metadata.name\", "
                                        "\"metadata.namespace\"",
                                        GoQuote(label));
}

}  // namespace

OkOrFailure Choice::AddFields(const api::KindSchema& kind, api::FieldSelector selector) {
  const auto offered = OfferedBy(kind);
  for (const api::FieldSelector::Requirement& each : selector.requirements()) {
    const auto found = std::ranges::find(offered, each.field, &SelectableField::label);
    const bool common = each.field == "metadata.name" || (each.field == "metadata.namespace" &&
                                                          (kind.namespaced || offered.empty()));
    if (found == offered.end() && !common) {
      return Fail(BadRequest(NotSupported(kind, each.field)));
    }
    const bool indexed = found != offered.end() && found->indexed && !each.negated;
    term_ = indexed ? TermOf(found->path, each.value) : std::move(term_);
  }
  fields_ = std::move(selector);
  fields_.RenameBy([&](const std::string& label) {
    const auto found = std::ranges::find(offered, label, &SelectableField::label);
    return found == offered.end() ? label : std::string(found->path);
  });
  return {};
}

OrFailure<Choice> Choice::Make(const api::KindSchema& kind, const ListOptions& options,
                               std::string_view name) {
  Choice choice;
  choice.labels_ = options.labels;
  if (OkOrFailure added = choice.AddFields(kind, options.fields); !added) {
    return Fail(std::move(added).error());
  }
  choice.name_ = name;
  return choice;
}

bool Choice::empty() const {
  return name_.empty() && fields_.requirements().empty() && labels_.requirements().empty();
}

bool Choice::Chooses(const store::Record& record) const {
  const ObjectFacts& facts = FactsOf(record);
  const auto text = [&](std::string_view field) -> std::string_view {
    const auto found = facts.fields().find(field);
    return found == facts.fields().end() ? std::string_view() : found->second;
  };
  return (name_.empty() || text("metadata.name") == name_) && fields_.MatchesBy(text) &&
         labels_.Matches(facts.labels());
}

}  // namespace quadra::apiserver
