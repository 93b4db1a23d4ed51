#include "allocator/attributes.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

bool IsSpelledOut(const inventory::Candidate& candidate, std::string_view attribute) {
  const auto found = candidate.slice->spelled_out.find(candidate.index);
  return found != candidate.slice->spelled_out.end() && found->second.contains(attribute);
}

}  // namespace

std::size_t Attributes::NumberOf(const std::string& name,
                                 const std::optional<std::string>& expression) {
  const auto known = std::ranges::find_if(attributes_, [&](const Attribute& each) {
    return each.name == name && each.expression == expression;
  });
  if (known != attributes_.end()) {
    return static_cast<std::size_t>(known - attributes_.begin());
  }
  attributes_.push_back({.name = name,
                         .expression = expression,
                         .slice = nullptr,
                         .driver = {},
                         .column = std::nullopt,
                         .cells = {}});
  return attributes_.size() - 1;
}

void Attributes::Enter(const std::vector<inventory::Candidate>& candidates) {
  candidates_ = &candidates;
  if (attributes_.empty()) {
    return;
  }
  numbers_.Clear();
  for (Attribute& attribute : attributes_) {
    for (Cell& cell : attribute.cells) {
      cell.state = Cell::State::kUnknown;
    }
    if (attribute.cells.size() < candidates.size()) {
      attribute.cells.resize(candidates.size());
    }
  }
}

Result<const AttributeValues*> Attributes::Of(std::size_t attribute, Place place) {
  Attribute& asked = attributes_[attribute];
  Cell& cell = asked.cells[place];
  if (cell.state == Cell::State::kUnknown) {
    const inventory::Candidate& candidate = (*candidates_)[place];
    bool is_present = true;
    if (asked.expression) {
      QUADRA_RETURN_IF_ERROR(Derive(asked, candidate, cell.values));
    } else {
      is_present = Publish(asked, candidate, cell.values);
    }
    cell.state = is_present ? Cell::State::kPresent : Cell::State::kAbsent;
  }
  return cell.state == Cell::State::kPresent ? &cell.values : nullptr;
}

bool Attributes::Publish(Attribute& attribute, const inventory::Candidate& candidate,
                         AttributeValues& values) {
  const bool bare = attribute.name.find('/') == std::string::npos;
  if (bare && IsSpelledOut(candidate, attribute.name)) {
    return false;
  }
  const std::optional<selector::ColumnId> column = ColumnOf(attribute, *candidate.slice);
  const cel::Value value =
      column ? cluster_.table().RowInputs(candidate.row).Slot(*column) : cel::Value();
  if (!value.is_absent()) {
    values.Assign(value, numbers_);
  }
  return !value.is_absent();
}

std::optional<selector::ColumnId> Attributes::ColumnOf(Attribute& attribute,
                                                       const inventory::Slice& slice) const {
  if (attribute.slice == &slice) {
    return attribute.column;
  }
  const bool is_known = attribute.slice != nullptr && attribute.driver == slice.driver;
  attribute.slice = &slice;
  if (!is_known) {
    const selector::QualifiedName name = selector::SplitName(attribute.name, slice.driver);
    attribute.driver = slice.driver;
    attribute.column =
        cluster_.table().columns().Find(selector::ColumnKind::kAttribute, name.domain, name.id);
  }
  return attribute.column;
}

Status Attributes::Derive(const Attribute& attribute, const inventory::Candidate& candidate,
                          AttributeValues& values) {
  const auto compiled =
      verdicts_.expressions().Get(attribute.expression.value_or(""), selector::Profile::Stored(),
                                  selector::Use::kDerivedAttribute);
  if (compiled->error()) {
    return Fail(ErrorKind::kInvalid, fmt::format("compile derived attribute {} failed: {}",
                                                 attribute.name, compiled->error()->message));
  }
  const selector::DeviceTable& table = cluster_.table();
  const selector::Derivation derivation = selector::Derive(
      *compiled, table.PoisonOf(candidate.row), table.RowInputs(candidate.row), scratch_);
  if (!derivation.value) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("evaluate derived attribute {} on device {} failed: {}", attribute.name,
                            candidate.slice->IdOf(candidate.index).ToString(),
                            derivation.value.error().message));
  }
  values.Assign(*derivation.value, numbers_);
  return {};
}

}  // namespace quadra::allocator
