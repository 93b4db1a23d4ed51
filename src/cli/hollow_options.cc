#include "cli/hollow_options.h"

#include <utility>

#include <fmt/format.h>

#include "cli/line.h"
#include "cli/whole_number.h"
#include "hollow/fleet.h"

namespace quadra::cli {
namespace {

constexpr std::size_t kMostNodes = 100'000;
constexpr std::size_t kMostDevices = 1'024;

Status CheckMost(std::string_view flag, std::size_t number, std::size_t most) {
  return number <= most ? Status()
                        : Fail(ErrorKind::kUsage,
                               fmt::format("--{}: {} are too many; at most {} can be simulated",
                                           flag, number, most));
}

}  // namespace

Result<std::vector<hollow::HollowNode>> ReadFleet(const Invocation& invocation, std::size_t nodes) {
  hollow::FleetSize size{.nodes = nodes};
  QUADRA_RETURN_IF_ERROR(TakeWholeNumber(invocation, kNodesFlag.name, size.nodes));
  QUADRA_RETURN_IF_ERROR(
      TakeWholeNumber(invocation, kDevicesPerNodeFlag.name, size.devices_per_node));
  QUADRA_RETURN_IF_ERROR(TakeWholeNumber(invocation, kSeedFlag.name, size.seed));
  QUADRA_RETURN_IF_ERROR(CheckMost(kNodesFlag.name, size.nodes, kMostNodes));
  QUADRA_RETURN_IF_ERROR(CheckMost(kDevicesPerNodeFlag.name, size.devices_per_node, kMostDevices));
  return hollow::PlainFleet(size);
}

roles::RoleOptions HollowRole(std::vector<hollow::HollowNode> nodes, Console& console) {
  roles::RoleOptions role{.name = "quadra-hollow-nodes"};
  role.makers.emplace_back([nodes = std::move(nodes)](client::ControllerContext& context) {
    return hollow::MakeHollowNodes(context, {.nodes = nodes});
  });
  role.log = [&err = console.err](std::string_view line) { PrintLine(err, std::string(line)); };
  return role;
}

}  // namespace quadra::cli
