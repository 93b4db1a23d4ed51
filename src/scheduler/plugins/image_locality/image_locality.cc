#include "scheduler/plugins/image_locality/image_locality.h"

#include <algorithm>

#include "scheduler/framework/cache.h"
#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

constexpr std::int64_t kMegabyte = 1024 * 1024;
// What counts as nothing, and what as all, of one image.
constexpr std::int64_t kSmallImage = 23 * kMegabyte;
constexpr std::int64_t kLargeImage = 1000 * kMegabyte;

constexpr std::string_view kImageLocality = "ImageLocality";

// The pod's images that some node has, and what each is worth there.
struct WantedImages final : StateData {
  struct Image {
    std::string name;
    std::int64_t worth = 0;
  };
  std::vector<Image> images;
  std::int64_t most = 0;  // that all images together are worth

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<WantedImages>(*this);
  }
};

class ImageLocality final : public Plugin, public PreScorePlugin, public ScorePlugin {
 public:
  explicit ImageLocality(const Snapshot& snapshot) : snapshot_(snapshot) {}

  std::string_view name() const override { return kImageLocality; }

  Status PreScore(CycleState& state, const PodInfo& pod,
                  std::span<const NodeInfo* const> /*nodes*/) const override {
    auto wanted = std::make_unique<WantedImages>();
    for (const auto* containers : {&pod.pod.spec.init_containers, &pod.pod.spec.containers}) {
      for (const api::Container& container : *containers) {
        Want(container.image, *wanted);
      }
    }
    for (const api::Volume& volume : pod.pod.spec.volumes) {
      if (volume.image) {
        Want(volume.image->reference, *wanted);
      }
    }
    state.Write(kImageLocality, std::move(wanted));
    return {};
  }

  Status Score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node,
               std::int64_t& score) const override {
    const auto& wanted = *state.Read<WantedImages>(kImageLocality);
    std::int64_t sum = 0;
    for (const WantedImages::Image& image : wanted.images) {
      sum += node.HasImage(image.name) ? image.worth : 0;
    }
    sum = std::clamp(sum, kSmallImage, std::max(kSmallImage, wanted.most));
    score = kMaxNodeScore * (sum - kSmallImage) / (wanted.most - kSmallImage);
    return {};
  }

 private:
  // Widespread images are worth more, so that not all pods run to the one node that has them.
  void Want(const std::string& image, WantedImages& wanted) const {
    wanted.most += kLargeImage;
    std::string name = NormalizedImageName(image);
    if (const ImageState* const state = snapshot_.Image(name)) {
      const double spread =
          static_cast<double>(state->nodes) / static_cast<double>(snapshot_.nodes().size());
      wanted.images.push_back(
          {.name = std::move(name),
           .worth = static_cast<std::int64_t>(static_cast<double>(state->size) * spread)});
    }
  }

  const Snapshot& snapshot_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeImageLocality(Handle& handle, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<ImageLocality>(handle.snapshot);
}

}  // namespace quadra::scheduler
