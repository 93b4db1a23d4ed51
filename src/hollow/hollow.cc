#include "hollow/hollow.h"

#include <utility>

#include "hollow/node_duty.h"
#include "hollow/pod_duty.h"

namespace quadra::hollow {
namespace {

class HollowNodes final : public client::Controller {
 public:
  HollowNodes(client::ControllerContext& context, HollowOptions options)
      : options_(std::move(options)),
        node_duty_(context, options_.nodes),
        pod_duty_(context, options_.nodes) {}

  void Start() override {
    node_duty_.Start();
    pod_duty_.Start();
  }
  bool idle() const override { return node_duty_.idle() && pod_duty_.idle(); }

 private:
  const HollowOptions options_;
  NodeDuty node_duty_;
  PodDuty pod_duty_;
};

}  // namespace

std::unique_ptr<client::Controller> MakeHollowNodes(client::ControllerContext& context,
                                                    HollowOptions options) {
  return std::make_unique<HollowNodes>(context, std::move(options));
}

}  // namespace quadra::hollow
