#include <array>
#include <string>

#include "testing/peer.h"

namespace quadra::testing {
namespace {

std::string Echo(std::string_view question) { return std::string(question); }

constexpr std::array kAnswerers = {
    Answerer{"echo", Echo},
};

}  // namespace

std::span<const Answerer> Answerers() { return kAnswerers; }

}  // namespace quadra::testing
