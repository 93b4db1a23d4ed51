#include <gtest/gtest.h>

#include "validation/expectations.h"
#include "validation/validate.h"

namespace quadra::validation {
namespace {

using api::ResourcePoolStatusRequest;

ResourcePoolStatusRequest Good() {
  ResourcePoolStatusRequest request;
  request.metadata.name = "request";
  request.metadata.resource_version = "1";
  request.spec.driver = "gpu.example.com";
  request.spec.limit = 100;
  return request;
}

api::PoolStatus Pool() {
  api::PoolStatus pool;
  pool.driver = "gpu.example.com";
  pool.pool_name = "node-1";
  pool.generation = 1;
  return pool;
}

ResourcePoolStatusRequest Answered() {
  ResourcePoolStatusRequest request = Good();
  request.status.emplace().pool_count = 1;
  request.status->pools.push_back(Pool());
  return request;
}

Request As(Operation operation) {
  return {.operation = operation, .version = "v1alpha3", .gates = AllGates()};
}

TEST(ResourcePoolStatusRequest, IsJudgedOnCreate) {
  const Row<ResourcePoolStatusRequest> rows[] = {
      {"good", [](ResourcePoolStatusRequest&) {}, {}},
      {"a status is ignored", [](ResourcePoolStatusRequest& r) { r.status.emplace(); }, {}},
      {"nothing",
       [](ResourcePoolStatusRequest& r) { r.spec = {}; },
       {"spec.driver: Required value", "spec.limit: Required value"}},
      {"bad values",
       [](ResourcePoolStatusRequest& r) {
         r.spec.pool_name = "a//b";
         r.spec.limit = 0;
         r.spec.default_partition_type_attribute = "/x";
       },
       {"spec.poolName: Invalid value: \"a//b\": segment 1: must not be empty",
        "spec.limit: Invalid value: 0: must be greater than or equal to 1",
        "spec.defaultPartitionTypeAttribute: Invalid value: \"\": prefix must not be empty"}},
  };
  for (const Row<ResourcePoolStatusRequest>& row : rows) {
    ResourcePoolStatusRequest request = Good();
    row.change(request);
    EXPECT_EQ(Texts(Validate(As(Operation::kCreate), request).errors), row.expected) << row.what;
  }
}

TEST(ResourcePoolStatusRequest, IsJudgedByItsStatus) {
  const ResourcePoolStatusRequest old = Good();
  const Row<ResourcePoolStatusRequest> rows[] = {
      {"good", [](ResourcePoolStatusRequest&) {}, {}},
      {"no count",
       [](ResourcePoolStatusRequest& r) { r.status->pool_count.reset(); },
       {"status.poolCount: Required value"}},
      {"generation 0",
       [](ResourcePoolStatusRequest& r) { r.status->pools[0].generation = 0; },
       {"status.pools[0].generation: Required value"}},
      {"the same partition twice",
       [](ResourcePoolStatusRequest& r) {
         r.status->pools[0].partition_summary.push_back(
             {.attribute = "a", .type = "t", .total = 1, .allocatable = 1});
         r.status->pools[0].partition_summary.push_back(
             {.attribute = "a", .type = "t", .total = -1, .allocatable = 1});
       },
       {"status.pools[0].partitionSummary[1]: Duplicate value: "
        "{\"attribute\":\"a\",\"type\":\"t\",\"total\":-1,\"allocatable\":1}",
        "status.pools[0].partitionSummary[1].total: Invalid value: -1: must be greater than or "
        "equal to 0"}},
      {"an empty summary",
       [](ResourcePoolStatusRequest& r) { r.status->pools[0].shareable_summary.emplace(); },
       {"status.pools[0].shareableSummary.fullyAvailableDevices: Required value",
        "status.pools[0].shareableSummary.partiallyAvailableDevices: Required value"}},
  };
  for (const Row<ResourcePoolStatusRequest>& row : rows) {
    ResourcePoolStatusRequest request = Answered();
    row.change(request);
    EXPECT_EQ(Texts(Validate(As(Operation::kStatus), request, &old).errors), row.expected)
        << row.what;
  }
}

TEST(ResourcePoolStatusRequest, ChangesNeitherQuestionNorAnswer) {
  const ResourcePoolStatusRequest old = Answered();
  ResourcePoolStatusRequest request = Answered();
  request.spec.limit = 7;
  EXPECT_EQ(Texts(Validate(As(Operation::kUpdate), request, &old).errors),
            std::vector<std::string>{"spec: Invalid value: null: field is immutable"});
  request = Answered();
  request.status.reset();
  EXPECT_EQ(Texts(Validate(As(Operation::kStatus), request, &old).errors),
            std::vector<std::string>{"status: Invalid value: null: field is immutable"});
}

}  // namespace
}  // namespace quadra::validation
