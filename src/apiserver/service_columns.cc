#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

Cell ClusterIp(const RowSource& row) {
  const std::vector<std::string> all = TextsAt(row.object, "spec.clusterIPs");
  return all.empty() ? "<none>" : all.front();
}

// Addresses that a load balancer was given, each once, sorted.
std::vector<std::string> BalancerAddresses(const Value& service) {
  std::set<std::string> addresses;
  for (const Value& ingress : ItemsAt(service, "status.loadBalancer.ingress")) {
    addresses.insert(OrElse(TextAt(ingress, "ip"), TextAt(ingress, "hostname")));
  }
  addresses.erase("");
  return {addresses.begin(), addresses.end()};
}

Cell ServiceExternalIp(const RowSource& row) {
  const std::string type = TextAt(row.object, "spec.type");
  std::vector<std::string> addresses = TextsAt(row.object, "spec.externalIPs");
  if (type == "ClusterIP" || type == "NodePort") {
    return addresses.empty() ? "<none>" : Joined(addresses);
  }
  if (type == "LoadBalancer") {
    const std::vector<std::string> given = BalancerAddresses(row.object);
    addresses.insert(addresses.begin(), given.begin(), given.end());
    return addresses.empty() ? "<pending>" : Joined(addresses);
  }
  return type == "ExternalName" ? TextAt(row.object, "spec.externalName") : "<unknown>";
}

Cell Ports(const RowSource& row) {
  std::vector<std::string> ports;
  for (const Value& port : ItemsAt(row.object, "spec.ports")) {
    const std::int64_t on_node = IntAt(port, "nodePort");
    ports.push_back(fmt::format("{}{}/{}", IntAt(port, "port"),
                                on_node > 0 ? fmt::format(":{}", on_node) : "",
                                TextAt(port, "protocol")));
  }
  return OrElse(Joined(ports), "<none>");
}

// host:port, with brackets around hosts that have colons.
std::string HostPort(const std::string& host, std::int64_t port) {
  return host.find_first_of(":%") == std::string::npos ? fmt::format("{}:{}", host, port)
                                                       : fmt::format("[{}]:{}", host, port);
}

// Every address with every port; addresses alone where a subset has no ports.
std::vector<std::string> AllEndpoints(const Value& endpoints) {
  std::vector<std::string> all;
  for (const Value& subset : ItemsAt(endpoints, "subsets")) {
    const std::vector<std::string> addresses = TextsAt(subset, "addresses", "ip");
    const auto ports = ItemsAt(subset, "ports");
    if (ports.empty()) {
      all.insert(all.end(), addresses.begin(), addresses.end());
    }
    for (const Value& port : ports) {
      for (const std::string& address : addresses) {
        all.push_back(HostPort(address, IntAt(port, "port")));
      }
    }
  }
  return all;
}

Cell Endpoints(const RowSource& row) {
  constexpr std::size_t kMost = 3;
  if (ItemsAt(row.object, "subsets").empty()) {
    return "<none>";
  }
  std::vector<std::string> all = AllEndpoints(row.object);
  if (all.size() <= kMost) {
    return Joined(all);
  }
  const std::size_t more = all.size() - kMost;
  all.resize(kMost);
  return fmt::format("{} + {} more...", Joined(all), more);
}

constexpr ComputedColumn kServiceColumns[] = {
    {"<cluster-ip>", ClusterIp, "Its address within the cluster."},
    {"<service-external-ip>", ServiceExternalIp, "Its addresses outside of the cluster."},
    {"<service-ports>", Ports, "Its ports: number, number on nodes, protocol."},
    {"<endpoints>", Endpoints, "Addresses and ports, the first three."},
};

}  // namespace

std::span<const ComputedColumn> ServiceColumns() { return kServiceColumns; }

}  // namespace quadra::apiserver
