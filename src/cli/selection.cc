#include "cli/selection.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/expression_error.h"
#include "cli/suggest.h"

namespace quadra::cli {
namespace {

using selector::Verdict;

void Append(std::vector<NamedSelector>& selectors, const std::string& owner,
            const api::List<api::DeviceSelector>& added) {
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (const auto& cel = added[i].cel) {
      selectors.push_back(
          {.title = fmt::format("{}: selector #{}", owner, i), .text = cel->expression});
    }
  }
}

// A request, or an alternative of one, as far as selecting goes.
struct Wanted {
  std::string name;
  const std::string* device_class;
  const api::List<api::DeviceSelector>* selectors;
};

std::vector<Wanted> WantedBy(const api::ResourceClaim& claim) {
  std::vector<Wanted> wanted;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    if (request.exactly) {
      wanted.push_back(
          {request.name, &request.exactly->device_class_name, &request.exactly->selectors});
    }
    for (const api::DeviceSubRequest& alternative : request.first_available) {
      wanted.push_back({fmt::format("{}/{}", request.name, alternative.name),
                        &alternative.device_class_name, &alternative.selectors});
    }
  }
  return wanted;
}

std::string NamesOf(const std::vector<Wanted>& wanted) {
  std::string names;
  for (const Wanted& one : wanted) {
    names += (names.empty() ? "" : ", ") + one.name;
  }
  return names;
}

Result<Wanted> Choose(const std::vector<Wanted>& wanted, const std::string& claim,
                      const std::string& request) {
  if (request.empty() && wanted.size() == 1) {
    return wanted[0];
  }
  const auto found = std::ranges::find(wanted, request, &Wanted::name);
  if (found != wanted.end()) {
    return *found;
  }
  return Fail({.reason = Reason::kNotFound,
               .message = request.empty()
                              ? fmt::format("claim {} has {} requests", claim, wanted.size())
                              : fmt::format("claim {} has no request {}", claim, request),
               .remedy = wanted.empty() ? "" : "choose with --request: " + NamesOf(wanted)});
}

Result<std::vector<std::shared_ptr<const selector::Expression>>> Compile(
    const std::vector<NamedSelector>& selectors, const selector::Language& language) {
  std::vector<std::shared_ptr<const selector::Expression>> compiled;
  std::string problems;
  for (const NamedSelector& selector : selectors) {
    compiled.push_back(
        language.Compile(selector.text, selector::Profile::Stored(), selector::Use::kSelector));
    if (compiled.back()->error()) {
      problems += (problems.empty() ? "" : "error: ") +
                  ShowCompileError(selector.title, *compiled.back(), language);
    }
  }
  if (!problems.empty()) {
    return Fail(Reason::kInvalid, std::move(problems));
  }
  return compiled;
}

// The words of the first selector that does not simply say yes.
std::string ErrorOn(const DeviceDump::Entry& device, const std::vector<NamedSelector>& selectors,
                    const Selection& selection, const DeviceDump& dump, cel::Scratch& scratch) {
  const selector::DeviceTable& table = dump.table();
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const selector::Explanation explanation =
        selector::Explain(*selection.expressions[i], table.poison(table.classes()[device.row]),
                          table.RowInputs(device.row), scratch);
    if (explanation.verdict == Verdict::kError) {
      return fmt::format("{} on device {}: CEL runtime error: {}", selectors[i].title, device.name,
                         selector::WithAdvice(explanation.error));
    }
  }
  return "";
}

// Nothing where there are no selectors to ask.
std::optional<selector::Sequenced> AskInSequence(const Selection& selection, const DeviceDump& dump,
                                                 cel::Scratch& scratch) {
  std::deque<selector::Bitmaps> bitmaps;
  std::vector<const selector::Bitmaps*> order;
  for (const auto& expression : selection.expressions) {
    order.push_back(&bitmaps.emplace_back(expression));
    bitmaps.back().Refresh(dump.table(), scratch);
  }
  return order.empty() ? std::nullopt : std::optional(selector::InSequence(order));
}

void Classify(const std::vector<NamedSelector>& selectors, const DeviceDump& dump,
              Selection& selection) {
  cel::Scratch scratch;
  const std::optional<selector::Sequenced> answers = AskInSequence(selection, dump, scratch);
  for (const DeviceDump::Entry& device : dump.devices()) {
    const Verdict verdict = answers ? answers->At(device.row) : Verdict::kMatch;
    selection.verdicts.push_back(verdict);
    selection.matched += verdict == Verdict::kMatch ? 1 : 0;
    selection.unmatched += verdict == Verdict::kNo ? 1 : 0;
    selection.failed += verdict == Verdict::kError ? 1 : 0;
    if (verdict == Verdict::kError && selection.first_error.empty()) {
      selection.first_error = ErrorOn(device, selectors, selection, dump, scratch);
    }
  }
}

void AddHints(const DeviceDump& dump, Selection& selection) {
  for (const auto& expression : selection.expressions) {
    for (const selector::ColumnId column : expression->program().slots()) {
      std::string hint = UnknownColumn(column, dump);
      if (!hint.empty() && std::ranges::find(selection.hints, hint) == selection.hints.end()) {
        selection.hints.push_back(std::move(hint));
      }
    }
  }
}

}  // namespace

Result<std::vector<NamedSelector>> SelectorsOfClass(const DeviceDump& dump,
                                                    const std::string& name) {
  const api::DeviceClass* device_class = dump.FindClass(name);
  if (device_class == nullptr) {
    return Fail({.reason = Reason::kNotFound,
                 .message = fmt::format("the files hold no DeviceClass {}{}", name,
                                        DidYouMean(name, dump.ClassNames())),
                 .remedy = "give the class's file with -f too"});
  }
  std::vector<NamedSelector> selectors;
  Append(selectors, "class " + name, device_class->spec.selectors);
  return selectors;
}

Result<std::vector<NamedSelector>> SelectorsOfClaim(const DeviceDump& dump,
                                                    const api::ResourceClaim& claim,
                                                    const std::string& request) {
  const std::string name = fmt::format("{}/{}", claim.metadata.ns, claim.metadata.name);
  QUADRA_TRY(const Wanted wanted, Choose(WantedBy(claim), name, request));
  QUADRA_TRY(std::vector<NamedSelector> selectors, SelectorsOfClass(dump, *wanted.device_class));
  Append(selectors, "claim " + name, *wanted.selectors);
  return selectors;
}

Result<Selection> Select(const std::vector<NamedSelector>& selectors, const DeviceDump& dump,
                         const selector::Language& language) {
  Selection selection;
  QUADRA_TRY(selection.expressions, Compile(selectors, language));
  Classify(selectors, dump, selection);
  AddHints(dump, selection);
  return selection;
}

std::string UnknownColumn(selector::ColumnId column, const DeviceDump& dump) {
  if (dump.DevicesWith(column) > 0) {
    return "";
  }
  const selector::Columns& columns = dump.table().columns();
  const selector::ColumnName& name = columns.NameOf(column);
  std::vector<std::string_view> known;
  std::vector<std::size_t> known_counts;
  for (selector::ColumnId other = 0; other < columns.size(); ++other) {
    const selector::ColumnName& candidate = columns.NameOf(other);
    if (dump.DevicesWith(other) > 0 && candidate.kind == name.kind &&
        candidate.domain == name.domain) {
      known.emplace_back(candidate.id);
      known_counts.push_back(dump.DevicesWith(other));
    }
  }
  std::string text =
      fmt::format("{} {}/{} is on 0 of {} devices",
                  name.kind == selector::ColumnKind::kCapacity ? "capacity" : "attribute",
                  name.domain, name.id, dump.devices().size());
  if (const std::string_view nearest = Nearest(name.id, known); !nearest.empty()) {
    const auto at = std::ranges::find(known, nearest) - known.begin();
    text += fmt::format("; \"{}\" is on {}", nearest, known_counts[static_cast<std::size_t>(at)]);
  }
  return text;
}

}  // namespace quadra::cli
