#include "lifecycle/toleration_time.h"

#include <string>

#include <gtest/gtest.h>

namespace quadra::lifecycle {
namespace {

using Tolerations = api::List<api::Toleration>;

api::Toleration Tolerates(std::string key, std::optional<std::int64_t> seconds = std::nullopt,
                          std::string effect = "NoExecute") {
  return {.key = std::move(key),
          .op = "Exists",
          .effect = std::move(effect),
          .toleration_seconds = seconds};
}

TEST(TolerationTime, IsTheLeastOfThoseThatAreUsed) {
  constexpr std::int64_t kForever = -1;
  struct Row {
    std::string what;
    Tolerations tolerations;
    std::int64_t seconds;
  };
  const Row rows[] = {
      {"nothing is tolerated", {}, 0},
      {"one of two is not", {Tolerates("a", 50)}, 0},
      {"the least counts", {Tolerates("a", 50), Tolerates("b", 20)}, 20},
      {"for ever is more than any time", {Tolerates("a"), Tolerates("b", 20)}, 20},
      {"both for ever", {Tolerates("a"), Tolerates("b")}, kForever},
      {"an empty key is all keys", {Tolerates("")}, kForever},
      {"an empty effect is all effects", {Tolerates("", 7, "")}, 7},
      {"another effect does not help", {Tolerates("", 7, "NoSchedule")}, 0},
      {"zero is at once", {Tolerates("a", 0), Tolerates("b", 20)}, 0},
      {"negative is at once", {Tolerates("a", -5), Tolerates("b", 20)}, 0},
      {"the first that matches is used",
       {Tolerates("a", 50), Tolerates("", 60), Tolerates("b", 1)},
       50},
  };
  const api::List<api::Taint> taints = {{.key = "a", .effect = "NoExecute"},
                                        {.key = "b", .effect = "NoExecute"}};
  for (const Row& row : rows) {
    const std::optional<std::chrono::seconds> time = ToleratedFor(taints, row.tolerations, false);
    EXPECT_EQ(time ? time->count() : kForever, row.seconds) << row.what;
  }
}

TEST(TolerationTime, LooksAtNoExecuteAlone) {
  const api::List<api::Taint> taints = {{.key = "a", .effect = "NoSchedule"},
                                        {.key = "b", .effect = "NoExecute"}};
  const api::List<api::Taint> found = NoExecuteTaints(taints);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].key, "b");
}

}  // namespace
}  // namespace quadra::lifecycle
