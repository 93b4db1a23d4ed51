#include "scheduler/plugins/priority_sort/priority_sort.h"

#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

class PrioritySort final : public Plugin {
 public:
  std::string_view name() const override { return "PrioritySort"; }
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakePrioritySort(Handle& /*handle*/, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<PrioritySort>();
}

}  // namespace quadra::scheduler
