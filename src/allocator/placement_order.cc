#include "allocator/placement_order.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace quadra::allocator {
namespace {

struct Row {
  Placement placement;
  std::string_view name;
  PlacementOrder order;
};
constexpr std::array kRows = {
    Row{Placement::kUpstream, "upstream", nullptr},
    Row{Placement::kBestFit, "best-fit", &BestFit},
};
static_assert(kRows.size() == static_cast<std::size_t>(Placement::kLast) + 1,
              "every placement has a row, in the order of the enumerators");

}  // namespace

PlacementOrder OrderOf(Placement placement) {
  return kRows[static_cast<std::size_t>(placement)].order;
}

std::optional<Placement> PlacementNamed(std::string_view name) {
  const auto* row = std::ranges::find(kRows, name, &Row::name);
  return row != kRows.end() ? std::optional(row->placement) : std::nullopt;
}

}  // namespace quadra::allocator
