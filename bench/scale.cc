// quadra_scale NODES: what a large cluster costs, ours alone. 16 devices a node, made by the rules
// of data/world.md.
//
// Prints one JSON line: seconds of loading, bytes of process memory a device, and milliseconds of
// passes of one pod over all nodes: cold, warm, after one slice changed, with 30 % in use. Then
// what a live cluster asks for: a slice that changes while readers hold three snapshots, the best
// node for a question kept since before, and the memory that 100,000 replaced slices leave behind.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "allocator/standing_question.h"
#include "inventory/inventory.h"
#include "world.h"

namespace quadra::bench {
namespace {

constexpr std::size_t kDevicesOfNode = 16;
constexpr std::size_t kReplaced = 100'000;

double ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double size = 0;
  double resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// CPU time, so that a busy machine disturbs little.
double SecondsUsed() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename Work>
double Seconds(Work work) {
  const double start = SecondsUsed();
  work();
  return SecondsUsed() - start;
}

class Scale {
 public:
  explicit Scale(std::size_t nodes) : nodes_(nodes) { inventory_.SetClass(GpuClass()); }

  // Making the objects is not counted.
  double Load() {
    double seconds = 0;
    for (std::size_t n = 0; n < nodes_; ++n) {
      api::Node node = NodeOf(n);
      const api::ResourceSlice slice = SliceOf(n, DevicesOf(kDevicesOfNode * n, kDevicesOfNode));
      seconds += Seconds([&] {
        inventory_.SetNode(std::move(node));
        inventory_.SetSlice(slice);
      });
    }
    return seconds + Seconds([&] { inventory_.Take(); });
  }

  double Hold() {
    double seconds = 0;
    for (std::size_t i = 0; i < kDevicesOfNode * nodes_; ++i) {
      if (IsInUse(i)) {
        const api::ResourceClaim claim =
            Holder(fmt::format("held-{}", i), {Holding(i / kDevicesOfNode, i % kDevicesOfNode)});
        seconds += Seconds([&] { inventory_.SetClaim(claim); });
      }
    }
    return seconds + Seconds([&] { inventory_.Take(); });
  }

  // The slice of the node in the middle loses its last device, until a snapshot shows it.
  double ChangeSlice() {
    const std::size_t n = nodes_ / 2;
    const api::ResourceSlice slice = SliceOf(n, DevicesOf(kDevicesOfNode * n, kDevicesOfNode - 1));
    return Seconds([&] {
      inventory_.SetSlice(slice);
      inventory_.Take();
    });
  }

  // One pod: a verdict for every node and one result.
  double Pass() {
    fits_ = 0;
    return Seconds([&] {
      const inventory::Snapshot snapshot = inventory_.Take();
      const std::vector<const api::ResourceClaim*> claims = {&claim_};
      allocator::Allocator allocator(snapshot, claims, verdicts_, {});
      const inventory::NodeView* first = nullptr;
      for (const auto& view : snapshot.views()) {
        if (allocator.Try(*view) == allocator::Allocator::Fit::kFits) {
          first = first == nullptr ? view.get() : first;
          ++fits_;
        }
      }
      if (first != nullptr) {
        allocator.Allocate(*first, random_);
      }
    });
  }
  std::size_t fits() const { return fits_; }

  // Slices are replaced in turn, each event until a snapshot shows it, while readers hold the three
  // snapshots before. Of an event, on average.
  double ChangeWhileHeld() {
    constexpr std::size_t kEvents = 64;
    std::deque<inventory::Snapshot> held;
    double seconds = 0;
    for (std::size_t event = 0; event < kEvents; ++event) {
      const api::ResourceSlice slice = Republished(event * (nodes_ / kEvents), event);
      while (held.size() < 3) {
        held.push_back(inventory_.Take());
      }
      seconds += Seconds([&] {
        inventory_.SetSlice(slice);
        held.push_back(inventory_.Take());
      });
      held.pop_front();
    }
    return seconds / kEvents;
  }

  // The best node after one slice changed, for a question asked before. On average.
  double AskAgain() {
    constexpr std::size_t kEvents = 64;
    const std::vector<const api::ResourceClaim*> claims = {&claim_};
    allocator::StandingQuestion standing(claims, {});
    standing.Ask(inventory_.Take(), verdicts_);
    double seconds = 0;
    for (std::size_t event = 0; event < kEvents; ++event) {
      inventory_.SetSlice(Republished(event * (nodes_ / kEvents), event + 1));
      const inventory::Snapshot snapshot = inventory_.Take();
      seconds += Seconds([&] {
        standing.Ask(snapshot, verdicts_);
        fits_ = standing.best() ? standing.fitting() : 0;
      });
    }
    return seconds / kEvents;
  }

  // Every event is the slice of some node with other devices than before.
  void ReplaceSlices(std::size_t events) {
    for (std::size_t event = 0; event < events; ++event) {
      inventory_.SetSlice(Republished(SplitMix64(event) % nodes_, event));
      inventory_.Take();
    }
  }

 private:
  // The slice of the node in another state than that of the event before: with other devices.
  api::ResourceSlice Republished(std::size_t n, std::size_t event) const {
    return SliceOf(n, DevicesOf(kDevicesOfNode * (nodes_ + n + event), kDevicesOfNode));
  }

  std::size_t nodes_;
  std::size_t fits_ = 0;
  selector::Language language_;
  inventory::Inventory inventory_{language_, {}};
  selector::ExpressionCache expressions_{language_};
  allocator::Verdicts verdicts_{expressions_};
  const api::ResourceClaim claim_ = MigClaim();
  SeededRandom random_{1};
};

void Run(std::size_t nodes) {
  const double before = ResidentBytes();
  Scale scale(nodes);
  const double load = scale.Load();
  const double bytes = (ResidentBytes() - before) / static_cast<double>(nodes * kDevicesOfNode);
  const double cold = scale.Pass();
  const double warm = std::min(scale.Pass(), scale.Pass());
  const double change = scale.ChangeSlice();
  const double changed = scale.Pass();
  const std::size_t fits = scale.fits();
  const double hold = scale.Hold();
  const double held_bytes =
      (ResidentBytes() - before) / static_cast<double>(nodes * kDevicesOfNode);
  const double held = std::min(scale.Pass(), scale.Pass());
  const std::size_t held_fits = scale.fits();
  const double change_held = scale.ChangeWhileHeld();
  const double again = scale.AskAgain();
  scale.ReplaceSlices(kReplaced);  // until blocks are as full as events leave them
  const double settled = ResidentBytes();
  scale.ReplaceSlices(kReplaced);
  const double replaced_growth = ResidentBytes() / settled;
  std::cout << fmt::format(
      R"({{"nodes":{},"devices":{},"load_s":{:.2f},"bytes_a_device":{:.0f},"cold_ms":{:.2f},"warm_ms":{:.2f},"change_ms":{:.2f},"changed_ms":{:.2f},"fits":{},"hold_s":{:.2f},"held_bytes_a_device":{:.0f},"held_ms":{:.2f},"held_fits":{},"change_held_ms":{:.3f},"again_ms":{:.3f},"replaced_growth":{:.3f}}})"
      "\n",
      nodes, nodes * kDevicesOfNode, load, bytes, cold * 1e3, warm * 1e3, change * 1e3,
      changed * 1e3, fits, hold, held_bytes, held * 1e3, held_fits, change_held * 1e3, again * 1e3,
      replaced_growth);
}

}  // namespace
}  // namespace quadra::bench

int main(int argc, char** argv) {
  if (argc != 2 || std::atoll(argv[1]) <= 0) {
    std::cerr << "usage: quadra_scale NODES\n";
    return 2;
  }
  quadra::bench::Run(static_cast<std::size_t>(std::atoll(argv[1])));
  return 0;
}
