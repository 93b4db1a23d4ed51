// Finding: why one request gets no devices, or too few of them, in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "allocator/problem.h"
#include "allocator/survey.h"
#include "reasons/code.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

struct Finding {
  reasons::Code code;
  std::string message;
};

// e.g. 2 devices
std::string Devices(std::size_t count);
// e.g. d/p/gpu-0: memory 60Gi wanted, 40Gi of 80Gi left
std::string TextOf(const ShortDevice& device);
// e.g. a (2), b, and 3 more, 1 device without it
std::string ValuesText(const ValuesFound& found);

// One for each pool of the node that has nothing to choose from.
std::vector<Finding> UnusablePools(const Problem& problem);
// REQUIRES: the node has no devices.
Finding WhyNothingSeen(const Problem& problem);
// REQUIRES: class and selectors accept fewer than wanted.
Finding WhyTooFewMatch(Problem& problem, const Demand& demand, const reasons::Funnel& funnel,
                       std::size_t wanted);
// Of those that match; empty where as many as wanted can be had, each by itself.
std::optional<Finding> WhyNotHad(const Survey& survey, std::size_t wanted);

}  // namespace quadra::allocator
