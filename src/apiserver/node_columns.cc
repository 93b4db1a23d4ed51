#include <set>
#include <vector>

#include <fmt/format.h>

#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

// Of several conditions of the type the last one counts.
std::string ReadyText(const Value& node) {
  std::string ready = "Unknown";
  for (const Value& condition : ItemsAt(node, "status.conditions")) {
    if (TextAt(condition, "type") == "Ready") {
      ready = TextAt(condition, "status") == "True" ? "Ready" : "NotReady";
    }
  }
  return ready;
}

Cell NodeStatus(const RowSource& row) {
  const std::string_view rest =
      BoolAt(row.object, "spec.unschedulable") ? ",SchedulingDisabled" : "";
  return fmt::format("{}{}", ReadyText(row.object), rest);
}

Cell Roles(const RowSource& row) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string> roles;
  for (const Value::Member& label : MembersAt(row.object, "metadata.labels")) {
    if (label.key.starts_with(kPrefix)) {
      roles.insert(label.key.substr(kPrefix.size()));
    } else if (label.key == "kubernetes.io/role") {
      roles.insert(TextAt(label.value, ""));
    }
  }
  roles.erase("");
  return OrElse(Joined({roles.begin(), roles.end()}), "<none>");
}

std::string AddressOf(const RowSource& row, std::string_view type) {
  for (const Value& address : ItemsAt(row.object, "status.addresses")) {
    if (TextAt(address, "type") == type) {
      return TextAt(address, "address");
    }
  }
  return "<none>";
}

Cell InternalIp(const RowSource& row) { return AddressOf(row, "InternalIP"); }
Cell NodeExternalIp(const RowSource& row) { return AddressOf(row, "ExternalIP"); }

Cell KernelVersion(const RowSource& row) {
  const Value& info = At(row.object, "status.nodeInfo");
  const std::string version = OrElse(TextAt(info, "kernelVersion"), "<unknown>");
  const std::string architecture = TextAt(info, "architecture");
  return architecture.empty() ? version : fmt::format("{} ({})", version, architecture);
}

constexpr ComputedColumn kNodeColumns[] = {
    {"<node-status>", NodeStatus,
     "Whether the node is ready, and whether pods may be placed on it."},
    {"<node-roles>", Roles, "The roles that its labels name."},
    {"<internal-ip>", InternalIp, "Its address within the cluster."},
    {"<external-ip>", NodeExternalIp, "Its address outside of the cluster."},
    {"<kernel-version>", KernelVersion, "Version of its kernel, and its architecture."},
};

}  // namespace

std::span<const ComputedColumn> NodeColumns() { return kNodeColumns; }

}  // namespace quadra::apiserver
