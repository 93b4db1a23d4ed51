#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"

#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeInterPodAffinity(Handle& handle, const json::Value& args) {
  constexpr std::string_view kWeight = "hardPodAffinityWeight";
  constexpr std::string_view kIgnore = "ignorePreferredTermsOfExistingPods";
  QUADRA_TRY(const Arguments in, Arguments::Of(args, "InterPodAffinityArgs", {kWeight, kIgnore}));
  InterPodAffinity::Args read;
  QUADRA_TRY(const auto weight, in.Int(kWeight, {.least = 0, .most = 100}));
  QUADRA_TRY(const auto ignore, in.Bool(kIgnore));
  read.hard_weight = weight.value_or(read.hard_weight);
  read.ignore_preferred_terms_of_existing_pods = ignore.value_or(false);
  return std::make_unique<InterPodAffinity>(handle.snapshot, read);
}

}  // namespace quadra::scheduler
