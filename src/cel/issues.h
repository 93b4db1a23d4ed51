// IssueList: complaints as they arise, with upstream's bound on their number and upstream's order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/checked.h"

namespace quadra::cel {

// Positions that are none.
struct IssuePlace {
  // Before the first code point, where upstream places what it made up.
  static constexpr std::uint32_t kBeforeStart = 0xFFFFFFFF;
};

class IssueList {
 public:
  // `position` in code points, or IssuePlace::kBeforeStart.
  void Report(std::uint32_t position, std::string message);
  // About the expression as a whole.
  void ReportNowhere(std::string message);

  bool empty() const { return count_ == 0; }

  // By place; complaints about one place as they were reported. Beyond the first hundred only their
  // number is known.
  std::vector<Issue> Sorted(std::string_view valid_utf8) &&;

 private:
  static constexpr std::uint32_t kMost = 100;
  static constexpr std::int64_t kNowhere = -2;

  struct Complaint {
    std::int64_t position;
    std::string message;
  };
  void Add(std::int64_t position, std::string message);

  std::vector<Complaint> complaints_;  // by position
  std::uint32_t count_ = 0;
};

}  // namespace quadra::cel
