#include "apiserver/dependents.h"

#include <gtest/gtest.h>

#include "api/object.h"

namespace quadra::apiserver {
namespace {

using Finalizers = api::List<std::string>;

struct Case {
  std::string_view why;
  std::string_view api_version;
  std::string_view kind;
  Finalizers before;
  DeleteOptions options;
  Finalizers after;
};

DeleteOptions Policy(std::string policy) { return {.propagation = std::move(policy)}; }
DeleteOptions Orphans(bool orphans) { return {.orphan_dependents = orphans}; }

TEST(Dependents, AreNamedByFinalizers) {
  const std::vector<Case> cases = {
      {"nothing is said", "v1", "ConfigMap", {"a/b"}, {}, {"a/b"}},
      {"foreground",
       "v1",
       "ConfigMap",
       {"a/b"},
       Policy("Foreground"),
       {"a/b", "foregroundDeletion"}},
      {"orphan", "v1", "ConfigMap", {}, Policy("Orphan"), {"orphan"}},
      {"background", "v1", "ConfigMap", {"orphan", "a/b"}, Policy("Background"), {"a/b"}},
      {"one instead of the other",
       "v1",
       "Pod",
       {"foregroundDeletion"},
       Policy("Orphan"),
       {"orphan"}},
      {"what stands there counts", "v1", "Pod", {"orphan", "a/b"}, {}, {"a/b", "orphan"}},
      {"and so in the foreground", "v1", "Pod", {"foregroundDeletion"}, {}, {"foregroundDeletion"}},
      {"the older word", "v1", "ConfigMap", {}, Orphans(true), {"orphan"}},
      {"the older word says no", "v1", "ConfigMap", {"foregroundDeletion"}, Orphans(false), {}},
      {"jobs keep theirs", "batch/v1", "Job", {}, {}, {"orphan"}},
      {"unless told", "batch/v1", "Job", {}, Policy("Background"), {}},
      {"and these", "v1", "ReplicationController", {}, {}, {"orphan"}},
      {"cron jobs do not", "batch/v1", "CronJob", {}, {}, {}},
      {"events have none", "v1", "Event", {}, Policy("Foreground"), {}},
  };
  for (const Case& each : cases) {
    const api::KindSchema* const kind = api::FindKind(each.api_version, each.kind);
    ASSERT_NE(kind, nullptr) << each.why;
    const api::ObjectMeta meta{.finalizers = each.before};
    EXPECT_EQ(FinalizersForDeletion(meta, *kind, each.options), each.after) << each.why;
  }
}

}  // namespace
}  // namespace quadra::apiserver
