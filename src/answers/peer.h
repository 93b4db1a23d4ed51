// Peer: our half of every comparison with upstream. A comparison asks questions as JSON lines; an
// Answerer turns one into one JSON line, byte for byte what the Go half (conformance/) prints when
// both agree.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quadra::answers {

struct Answerer {
  std::string_view name;
  std::string (*answer)(std::string_view question);
};

// All comparisons, by name.
std::span<const Answerer> Answerers();

}  // namespace quadra::answers
