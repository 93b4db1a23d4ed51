#include "scheduler/framework/status.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quadra::scheduler {

std::string_view NameOf(Code code) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "Success", "Error", "Unschedulable", "UnschedulableAndUnresolvable",
      "Wait",    "Skip",  "Pending"};
  return kNames.at(static_cast<std::size_t>(code));
}

Status::Status(Code code, std::vector<std::string> reasons)
    : code_(code), reasons_(std::make_shared<const std::vector<std::string>>(std::move(reasons))) {}

Status Status::Because(reasons::Refusal why) && {
  why_ = std::make_shared<const reasons::Refusal>(std::move(why));
  return std::move(*this);
}

Status Status::From(std::string_view plugin) && {
  plugin_ = plugin;
  return std::move(*this);
}

const std::vector<std::string>& Status::reasons() const {
  static const std::vector<std::string> none;
  return reasons_ == nullptr ? none : *reasons_;
}

std::string Status::Message() const { return fmt::format("{}", fmt::join(reasons(), ", ")); }

}  // namespace quadra::scheduler
