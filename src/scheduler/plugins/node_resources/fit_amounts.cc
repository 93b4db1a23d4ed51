#include "scheduler/plugins/node_resources/fit_amounts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "scheduler/plugins/node_rejects.h"

namespace quadra::scheduler {
namespace {

struct KindWords {
  std::uint8_t kind;
  std::string_view words;
};
constexpr std::array<KindWords, 4> kKindWords = {
    {{Shortfall::kPods, "Too many pods"},
     {Shortfall::kCpu, "Insufficient cpu"},
     {Shortfall::kMemory, "Insufficient memory"},
     {Shortfall::kEphemeralStorage, "Insufficient ephemeral-storage"}}};
constexpr std::size_t kKindSets = 16;

// As upstream tells extended resources from Kubernetes' own.
bool IsExtended(std::string_view resource) {
  return resource.find('/') != std::string_view::npos &&
         resource.find("kubernetes.io/") == std::string_view::npos &&
         !resource.starts_with("requests.");
}

Status MakeStatus(std::uint8_t kinds, bool hopeless, const std::vector<std::string_view>& others) {
  std::vector<std::string> words;
  for (const KindWords& each : kKindWords) {
    if ((kinds & each.kind) != 0) {
      words.emplace_back(each.words);
    }
  }
  for (const std::string_view resource : others) {
    words.push_back("Insufficient " + std::string(resource));
  }
  return NodeRejects(hopeless ? Code::kUnschedulableAndUnresolvable : Code::kUnschedulable,
                     std::move(words));
}

// By kinds and whether hopeless: without other resources.
using UsualStatuses = std::array<std::array<Status, 2>, kKindSets>;
UsualStatuses MakeUsual() {
  UsualStatuses made;
  for (std::uint8_t kinds = 1; kinds < kKindSets; ++kinds) {
    made.at(kinds) = {MakeStatus(kinds, false, {}), MakeStatus(kinds, true, {})};
  }
  return made;
}

class Comparing {
 public:
  explicit Comparing(Shortfall& into) : into_(into) {}

  void Compare(std::uint8_t kind, std::int64_t wanted, std::int64_t all, std::int64_t taken) {
    if (IsShort(wanted, all, taken)) {
      into_.kinds |= kind;
    }
  }
  void Compare(const WantedOther& other, const Room& room) {
    const std::int64_t all = room.all.Get(other.resource);
    if (all <= 0 && other.served_by_class) {
      return;
    }
    if (IsShort(other.amount, all, room.taken.Get(other.resource))) {
      into_.others.push_back(other.resource);
    }
  }

 private:
  bool IsShort(std::int64_t wanted, std::int64_t all, std::int64_t taken) {
    const bool is_short = wanted > 0 && wanted > all - taken;
    into_.hopeless = into_.hopeless || (is_short && wanted > all);
    return is_short;
  }

  Shortfall& into_;
};

}  // namespace

bool IgnoredResources::Has(std::string_view resource) const {
  if ((names.empty() && groups.empty()) || !IsExtended(resource)) {
    return false;
  }
  return names.contains(std::string(resource)) ||
         groups.contains(std::string(resource.substr(0, resource.find('/'))));
}

WantedOthers OthersOf(const PodInfo& pod, const IgnoredResources& ignored,
                      const placement::ExtendedResources* extended) {
  WantedOthers others;
  for (const auto& [resource, amount] : pod.requests.others) {
    if (!ignored.Has(resource)) {
      others.push_back(
          {.resource = resource,
           .amount = amount,
           .served_by_class = extended != nullptr && !extended->ClassOf(resource).empty()});
    }
  }
  return others;
}

Room RoomOn(const NodeInfo& node) {
  return {.all = node.allocatable(),
          .taken = node.requested(),
          .pods = node.allowed_pods() - static_cast<std::int64_t>(node.pods().size())};
}

Shortfall ShortfallOf(const PodInfo& pod, const WantedOthers& others, const Room& room) {
  Shortfall shortfall;
  if (room.pods < 1) {
    shortfall.kinds = Shortfall::kPods;
  }
  Comparing comparing(shortfall);
  const Amounts& wanted = pod.requests;
  comparing.Compare(Shortfall::kCpu, wanted.milli_cpu, room.all.milli_cpu, room.taken.milli_cpu);
  comparing.Compare(Shortfall::kMemory, wanted.memory, room.all.memory, room.taken.memory);
  comparing.Compare(Shortfall::kEphemeralStorage, wanted.ephemeral_storage,
                    room.all.ephemeral_storage, room.taken.ephemeral_storage);
  for (const WantedOther& other : others) {
    comparing.Compare(other, room);
  }
  return shortfall;
}

Status StatusOf(const Shortfall& shortfall) {
  static const UsualStatuses kUsual = MakeUsual();
  return shortfall.others.empty()
             ? kUsual.at(shortfall.kinds).at(shortfall.hopeless ? 1 : 0)
             : MakeStatus(shortfall.kinds, shortfall.hopeless, shortfall.others);
}

}  // namespace quadra::scheduler
