#include "inspection/selection.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/nearest.h"
#include "selector/compile_report.h"

namespace quadra::inspection {
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
  return Fail({.kind = ErrorKind::kNotFound,
               .message = request.empty()
                              ? fmt::format("claim {} has {} requests", claim, wanted.size())
                              : fmt::format("claim {} has no request {}", claim, request),
               .remedy = wanted.empty() ? "" : "choose with --request: " + NamesOf(wanted)});
}

Result<std::vector<std::shared_ptr<const selector::Expression>>> Compile(
    const std::vector<NamedSelector>& selectors, const selector::Language& language) {
  std::vector<std::shared_ptr<const selector::Expression>> compiled;
  std::string problems;
  for (const NamedSelector& named : selectors) {
    compiled.push_back(
        language.Compile(named.text, selector::Profile::Stored(), selector::Use::kSelector));
    if (compiled.back()->error()) {
      problems += (problems.empty() ? "" : "error: ") +
                  selector::ShowCompileError(named.title, *compiled.back(), language);
    }
  }
  if (!problems.empty()) {
    return Fail(ErrorKind::kInvalid, std::move(problems));
  }
  return compiled;
}

// The words of the first selector that does not simply say yes.
std::string ErrorOn(const DeviceList::Entry& device, const std::vector<NamedSelector>& selectors,
                    const Selection& selection, const DeviceList& devices, cel::Scratch& scratch) {
  const selector::DeviceTable& table = devices.table();
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const selector::Explanation explanation =
        selector::Explain(*selection.expressions[i], table.PoisonOf(device.row),
                          table.RowInputs(device.row), scratch);
    if (explanation.verdict == Verdict::kError) {
      return fmt::format("{} on device {}: CEL runtime error: {}", selectors[i].title,
                         devices.NameOf(device), selector::WithAdvice(explanation.error));
    }
  }
  return "";
}

// Nothing where there are no selectors to ask.
std::optional<selector::Sequenced> AskInSequence(const Selection& selection,
                                                 const DeviceList& devices, cel::Scratch& scratch) {
  std::deque<selector::Bitmaps> bitmaps;
  std::vector<const selector::Bitmaps*> order;
  for (const auto& expression : selection.expressions) {
    order.push_back(&bitmaps.emplace_back(expression));
    bitmaps.back().Refresh(devices.shared_table(), scratch);
  }
  return order.empty() ? std::nullopt : std::optional(selector::InSequence(order));
}

void Classify(const std::vector<NamedSelector>& selectors, const DeviceList& devices,
              Selection& selection) {
  cel::Scratch scratch;
  const std::optional<selector::Sequenced> answers = AskInSequence(selection, devices, scratch);
  for (const DeviceList::Entry& device : devices.entries()) {
    const Verdict verdict = answers ? answers->At(device.row) : Verdict::kMatch;
    selection.verdicts.push_back(verdict);
    selection.matched += verdict == Verdict::kMatch ? 1 : 0;
    selection.unmatched += verdict == Verdict::kNo ? 1 : 0;
    selection.failed += verdict == Verdict::kError ? 1 : 0;
    if (verdict == Verdict::kError && selection.first_error.empty()) {
      selection.first_error = ErrorOn(device, selectors, selection, devices, scratch);
    }
  }
}

void AddHints(const DeviceList& devices, Selection& selection) {
  for (const auto& expression : selection.expressions) {
    for (const selector::ColumnId column : expression->program().slots()) {
      std::string hint = UnknownColumn(column, devices);
      if (!hint.empty() && std::ranges::find(selection.hints, hint) == selection.hints.end()) {
        selection.hints.push_back(std::move(hint));
      }
    }
  }
}

}  // namespace

Result<std::vector<NamedSelector>> SelectorsOfClass(const DeviceList& devices,
                                                    const std::string& name) {
  const api::DeviceClass* device_class = devices.FindClass(name);
  if (device_class == nullptr) {
    return Fail({.kind = ErrorKind::kNotFound,
                 .message = fmt::format("the files hold no DeviceClass {}{}", name,
                                        DidYouMean(name, devices.ClassNames())),
                 .remedy = "give the class's file with -f too"});
  }
  std::vector<NamedSelector> selectors;
  Append(selectors, "class " + name, device_class->spec.selectors);
  return selectors;
}

Result<std::vector<NamedSelector>> SelectorsOfClaim(const DeviceList& devices,
                                                    const api::ResourceClaim& claim,
                                                    const std::string& request) {
  const std::string name = fmt::format("{}/{}", claim.metadata.ns, claim.metadata.name);
  QUADRA_TRY(const Wanted wanted, Choose(WantedBy(claim), name, request));
  QUADRA_TRY(std::vector<NamedSelector> selectors, SelectorsOfClass(devices, *wanted.device_class));
  Append(selectors, "claim " + name, *wanted.selectors);
  return selectors;
}

Result<Selection> Select(const std::vector<NamedSelector>& selectors, const DeviceList& devices,
                         const selector::Language& language) {
  Selection selection;
  QUADRA_TRY(selection.expressions, Compile(selectors, language));
  Classify(selectors, devices, selection);
  AddHints(devices, selection);
  return selection;
}

}  // namespace quadra::inspection
