// Matching: whether demands for several devices each can be met at once, when a device serves one
// demand only (or, if it can be shared, each demand once).
//
// A bound for the search: it looks at nothing but who may take what. Cost: devices wanted times
// pairs of demand and device, at worst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadra::allocator {

class Matching {
 public:
  explicit Matching(std::size_t devices) : server_(devices, kNobody), shareable_(devices, false) {}

  void SetShareable(std::size_t device) { shareable_[device] = true; }
  // `devices`: who may serve the demand, each once.
  void AddDemand(std::size_t count, std::vector<std::uint32_t> devices);
  bool IsFeasible();

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  struct Demand {
    std::size_t count;
    std::vector<std::uint32_t> devices;
  };
  // One more device for the demand, others giving way where they can.
  bool Serve(std::uint32_t demand);

  std::vector<Demand> demands_;
  std::vector<std::uint32_t> server_;  // by device: the demand it serves
  std::vector<bool> shareable_;
  std::vector<bool> visited_;
};

}  // namespace quadra::allocator
