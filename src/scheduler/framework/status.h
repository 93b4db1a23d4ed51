// Status: what a plugin answers at an extension point, with upstream's codes and words.
//
//   return Status();                                                     // success
//   return Status(Code::kUnschedulable, "Insufficient cpu");
//   static const Status kNo(Code::kUnschedulable, "node(s) …");  return kNo;   // shared, costs no copy
//
// A value; what it carries is shared by its copies and never changed. Cost of a success: none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reasons/refusal.h"

namespace quadra::scheduler {

enum class Code : std::uint8_t {
  kSuccess,
  kError,                         // something broke: tried again after a backoff
  kUnschedulable,                 // preemption may help
  kUnschedulableAndUnresolvable,  // preemption cannot help
  kWait,                          // permit only
  kSkip,                          // the plugin has nothing to do with this pod
  kPending,                       // waits for something that is not a change of the cluster
};
// Success, Error, Unschedulable, …
std::string_view NameOf(Code code);

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string reason)
      : Status(code, std::vector<std::string>{std::move(reason)}) {}
  Status(Code code, std::vector<std::string> reasons);

  // Our own account of it, for people; upstream's words stay as they are.
  Status Because(reasons::Refusal why) &&;
  // The plugin that said so; `plugin` must live for ever, as names of plugins do.
  Status From(std::string_view plugin) &&;

  Code code() const { return code_; }
  bool ok() const { return code_ == Code::kSuccess; }
  bool skips() const { return code_ == Code::kSkip; }
  bool IsRejected() const {
    return code_ == Code::kUnschedulable || code_ == Code::kUnschedulableAndUnresolvable ||
           code_ == Code::kPending;
  }
  std::string_view plugin() const { return plugin_; }
  const std::vector<std::string>& reasons() const;
  // All reasons, with commas between.
  std::string Message() const;
  // Null where the plugin has none.
  const reasons::Refusal* why() const { return why_.get(); }

 private:
  Code code_ = Code::kSuccess;
  std::string_view plugin_;
  std::shared_ptr<const std::vector<std::string>> reasons_;  // null: none
  std::shared_ptr<const reasons::Refusal> why_;
};

}  // namespace quadra::scheduler
