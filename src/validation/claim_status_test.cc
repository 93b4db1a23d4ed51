#include <gtest/gtest.h>

#include "validation/claim_test_objects.h"

namespace quadra::validation {
namespace {

using ClaimRow = Row<api::ResourceClaim>;

void ExpectErrors(std::span<const ClaimRow> rows, const api::ResourceClaim& old) {
  for (const ClaimRow& row : rows) {
    api::ResourceClaim claim = old;
    row.change(claim);
    EXPECT_EQ(Shown(Validate({.operation = Operation::kStatus}, claim, &old)), row.expected)
        << row.what;
  }
}

constexpr std::string_view kUuid = "12345678-1234-1234-1234-123456789abc";

const ClaimRow kAllocationRows[] = {
    {"a good allocation", [](auto& c) { c.status = AllocatedClaim().status; }, {}},
    {"an empty allocation", [](auto& c) { c.status.allocation.emplace(); }, {}},
    {"an empty result",
     [](auto& c) { c.status.allocation.emplace().devices.results.emplace_back(); },
     {Text({"status.allocation.devices.results[0].request: Invalid value: \"\": ", kBadLabel}),
      Text(
          {"status.allocation.devices.results[0].request: Invalid value: \"\": ", kUnknownRequest}),
      Text({"status.allocation.devices.results[0].device: Invalid value: \"\": ", kBadLabel}),
      "status.allocation.devices.results[0].driver: Required value",
      "status.allocation.devices.results[0].pool: Required value"}},
    {"formats",
     [](auto& c) {
       api::DeviceRequestAllocationResult result = Got("gpu-0");
       result.driver = std::string(64, 'D');
       result.pool = "a//B";
       result.share_id = "x";
       c.status.allocation.emplace().devices.results = {result};
     },
     {"status.allocation.devices.results[0].driver: Too long: may not be more than 63 characters",
      "status.allocation.devices.results[0].pool: Invalid value: \"a//B\": segment 1: must not be "
      "empty",
      Text({"status.allocation.devices.results[0].pool: Invalid value: \"B\": segment 2: ",
            kBadSubdomain}),
      "status.allocation.devices.results[0].shareID: Invalid value: \"x\": must be a lowercase "
      "UUID in 8-4-4-4-12 "
      "format"}},
    {"binding conditions want each other and differ",
     [](auto& c) {
       auto& results = c.status.allocation.emplace().devices.results;
       results = {Got("gpu-0"), Got("gpu-1"), Got("gpu-2")};
       results[0].binding_conditions = {"a", "a"};
       results[0].binding_failure_conditions = {"a"};
       results[1].binding_conditions = {"a"};
       results[2].binding_conditions.MakePresent();
       results[2].binding_failure_conditions = {"1", "2", "3", "4", "5"};
     },
     {"status.allocation.devices.results[0].bindingConditions[1]: Duplicate value: \"a\"",
      ("status.allocation.devices.results[0].bindingFailureConditions[0]: Invalid value: \"a\": "
       "bindingFailureConditions must not overlap with bindingConditions"),
      ("status.allocation.devices.results[1].bindingFailureConditions: Invalid value: null: "
       "bindingFailureConditions are required to use bindingConditions"),
      ("status.allocation.devices.results[2].bindingConditions: Invalid value: []: "
       "bindingConditions are required to use bindingFailureConditions"),
      ("status.allocation.devices.results[2].bindingFailureConditions: Too many: 5: must have at "
       "most 4 items")}},
    {"configuration",
     [](auto& c) {
       auto& config = c.status.allocation.emplace().devices.config;
       config = {{"", {}, Opaque()}, {"FromPod", {"cpu"}, Opaque()}};
     },
     {Text({"status.allocation.devices.config[1].requests[0]: Invalid value: \"cpu\": ",
            kUnknownRequest}),
      "status.allocation.devices.config[0].source: Required value",
      "status.allocation.devices.config[1].source: Unsupported value: \"FromPod\": supported "
      "values: \"FromClaim\", "
      "\"FromClass\""}},
    {"a node selector without terms",
     [](auto& c) { c.status.allocation.emplace().node_selector.emplace(); },
     {"status.allocation.nodeSelector.nodeSelectorTerms: Required value: must have at least one "
      "node selector term"}},
    {"33 results",
     [](auto& c) {
       auto& results = c.status.allocation.emplace().devices.results;
       for (int i = 0; i < 33; ++i) {
         results.emplace_back();
       }
     },
     {"status.allocation.devices.results: Too many: 33: must have at most 32 items"}},
    {"consumers without allocation",
     [](auto& c) { c.status.reserved_for = {{"", "pods", "p", "u"}}; },
     {"status.reservedFor: Forbidden: may not be specified when `allocated` is not set"}},
    {"device status without allocation",
     [](auto& c) { c.status.devices = {Reports("gpu-0")}; },
     {R"(status.devices[0]: Invalid value: {"Driver":"gpu.example.com","Pool":"node-1","Device":"gpu-0","ShareID":""}: )"
      "must be an allocated device in the claim"}},
};

const ClaimRow kAllocatedRows[] = {
    {"deallocation", [](auto& c) { c.status.allocation.reset(); }, {}},
    {"another allocation",
     [](auto& c) { c.status.allocation->devices.results[0].device = "BAD"; },
     {"status.allocation: Invalid value: null: field cannot be modified once set"}},
    {"spec and metadata are those of the stored claim",
     [](auto& c) {
       c.spec.devices.requests.Reset();
       c.metadata.labels = {{"BAD LABEL", ""}};
     },
     {}},
    {"consumers are complete and differ by uid",
     [](auto& c) {
       c.status.reserved_for = {{"", "", "", ""}, {"", "pods", "a", "u"}, {"", "pods", "b", "u"}};
     },
     {"status.reservedFor[0].resource: Required value",
      "status.reservedFor[0].name: Required value", "status.reservedFor[0].uid: Required value",
      R"(status.reservedFor[2]: Duplicate value: {"resource":"pods","name":"b","uid":"u"})"}},
    {"257 consumers",
     [](auto& c) {
       for (int i = 0; i < 257; ++i) {
         c.status.reserved_for.emplace_back();
       }
     },
     {"status.reservedFor: Too many: 257: must have at most 256 items"}},
    {"device status: formats",
     [](auto& c) {
       api::AllocatedDeviceStatus status = Reports("gpu-0");
       status.data = api::RawJson{"1"};
       status.network_data = {std::string(257, 'i'),
                              {"10.9.8.7", "010.9.8.7/24", "10.9.8.7/24", "10.9.8.7/24"},
                              std::string(129, 'h')};
       c.status.devices = {status};
     },
     {"status.devices[0].data: Invalid value: \"<value omitted>\": must be a valid JSON object",
      ("status.devices[0].networkData.ips[0]: Invalid value: \"10.9.8.7\": must be a valid address "
       "in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"),
      ("status.devices[0].networkData.ips[1]: Invalid value: \"010.9.8.7/24\": must be in "
       "canonical form (\"10.9.8.7/24\")"),
      "status.devices[0].networkData.interfaceName: Too long: may not be more than 256 bytes",
      "status.devices[0].networkData.ips[3]: Duplicate value: \"10.9.8.7/24\"",
      "status.devices[0].networkData.hardwareAddress: Too long: may not be more than 128 bytes"}},
    {"device status: the same device twice",
     [](auto& c) { c.status.devices = {Reports("gpu-0"), Reports("gpu-0")}; },
     {R"(status.devices[1]: Duplicate value: {"driver":"gpu.example.com","pool":"node-1","device":"gpu-0",)"
      R"("conditions":null})"}},
    {"device status: shares tell devices apart",
     [](auto& c) {
       c.status.devices = {Reports("gpu-0")};
       c.status.devices[0].share_id = kUuid;
     },
     {R"(status.devices[0]: Invalid value: {"Driver":"gpu.example.com","Pool":"node-1","Device":"gpu-0","ShareID":)"
      R"("12345678-1234-1234-1234-123456789abc"}: must be an allocated device in the claim)"}},
    {"nine conditions",
     [](auto& c) {
       c.status.devices = {Reports("gpu-0")};
       for (char type = 'a'; type < 'j'; ++type) {
         c.status.devices[0].conditions.push_back(
             {std::string(1, type), "True", 0, Time(), "Ready", ""});
       }
     },
     {"status.devices[0].conditions: Too many: 9: must have at most 8 items"}},
};

TEST(ClaimStatus, NewAllocation) { ExpectErrors(kAllocationRows, Claim()); }
TEST(ClaimStatus, AllocatedClaim) { ExpectErrors(kAllocatedRows, AllocatedClaim()); }

TEST(ClaimStatus, ADeletedClaimGetsNoNewConsumers) {
  api::ResourceClaim old = AllocatedClaim();
  old.metadata.deletion_timestamp = Time();
  old.status.reserved_for = {{"", "pods", "a", "1"}, {"", "pods", "b", "2"}};
  api::ResourceClaim claim = old;
  claim.status.reserved_for = {{"", "pods", "b", "2"}};
  EXPECT_EQ(Shown(Validate({.operation = Operation::kStatus}, claim, &old)), Errors{});
  claim.status.reserved_for.push_back({"", "pods", "c", "3"});
  EXPECT_EQ(Shown(Validate({.operation = Operation::kStatus}, claim, &old)),
            Errors{"status.reservedFor: Forbidden: new entries may not be added while "
                   "`deallocationRequested` or "
                   "`deletionTimestamp` are set"});
}

TEST(ClaimStatus, AdminAccessIsCheckedWhenItIsFirstGranted) {
  const api::ResourceClaim old = Claim();
  api::ResourceClaim claim = AllocatedClaim();
  Given(claim.status.allocation).devices.results[0].admin_access = true;
  EXPECT_EQ(
      Shown(Validate({.operation = Operation::kStatus}, claim, &old)),
      Errors{"status.allocation.devices.results[0].adminAccess: Forbidden: admin access to devices "
             "requires the "
             "`resource.kubernetes.io/admin-access: true` label on the containing namespace"});
  const api::ResourceClaim granted = claim;
  EXPECT_EQ(Shown(Validate({.operation = Operation::kStatus}, claim, &granted)), Errors{});
}

TEST(ClaimStatus, StoredDeviceStatusIsNotJudgedByDeclarativeRulesAgain) {
  api::ResourceClaim old = AllocatedClaim();
  Given(old.status.allocation).devices.results[0].share_id = "X";
  old.status.devices = {Reports("gpu-0")};
  old.status.devices[0].share_id = "X";
  api::ResourceClaim claim = old;
  claim.status.devices[0].data = api::RawJson{"{}"};
  EXPECT_EQ(Shown(Validate({.operation = Operation::kStatus}, claim, &old)),
            Errors{"status.devices[0].shareID: Invalid value: \"X\": error validating uid: invalid "
                   "UUID length: 1"});
}

struct ShareRow {
  std::string share;
  std::string problem;
};

const ShareRow kShareRows[] = {
    {"", "error validating uid: invalid UUID length: 0"},
    {"12345678-1234-1234-1234-123456789abx", "error validating uid: invalid UUID format"},
    {"12345678x1234-1234-1234-123456789abc", "error validating uid: invalid UUID format"},
    {"urx:uuid:12345678-1234-1234-1234-123456789abc",
     "error validating uid: invalid urn prefix: \"urx:uuid:\""},
    {"[12345678-1234-1234-1234-123456789abc]",
     "error validating uid: invalid bracketed UUID format"},
    {"{12345678-1234-1234-1234-123456789abx}", "error validating uid: invalid UUID format"},
    {"x2345678123412341234123456789abc", "error validating uid: invalid UUID format"},
    {"12345678123412341234123456789abc",
     "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with "
     "lowercase hexadecimal "
     "characters"},
    {"12345678-1234-1234-1234-123456789ABC",
     "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with "
     "lowercase hexadecimal "
     "characters"},
};

TEST(ClaimStatus, SharesAreUuids) {
  const api::ResourceClaim old = Claim();
  Request request{.operation = Operation::kStatus};
  ASSERT_TRUE(request.gates.Set("DeclarativeValidationBeta", false));
  for (const ShareRow& row : kShareRows) {
    api::ResourceClaim claim = AllocatedClaim();
    Given(claim.status.allocation).devices.results[0].share_id = row.share;
    EXPECT_EQ(Shown(Validate(request, claim, &old)),
              Errors{Text({"status.allocation.devices.results[0].shareID: Invalid value: \"",
                           row.share, "\": ", row.problem})});
  }
}

struct DropRow {
  std::string_view gate;
  Errors dropped;
};

const DropRow kDropRows[] = {
    {"DRAConsumableCapacity",
     {"status.allocation.devices.results[0].consumedCapacity",
      "status.allocation.devices.results[0].shareID", "status.devices[0].shareID"}},
    {"DRADeviceBindingConditions",
     {"status.allocation.devices.results[0].bindingConditions",
      "status.allocation.devices.results[0].bindingFailureConditions"}},
    {"DRAOptionalNodeOperations", {"status.allocation.devices.results[0].skipNodeOperations"}},
};

api::ResourceClaim ClaimWithEverything() {
  api::ResourceClaim claim = AllocatedClaim();
  api::DeviceRequestAllocationResult& result = Given(claim.status.allocation).devices.results[0];
  result.share_id = kUuid;
  result.consumed_capacity["memory"] = {};
  result.binding_conditions = {"a"};
  result.binding_failure_conditions = {"b"};
  result.skip_node_operations = {"*"};
  claim.status.devices = {Reports("gpu-0")};
  claim.status.devices[0].share_id = kUuid;
  return claim;
}

TEST(ClaimStatus, GatesTakeFieldsAwayUnlessStoredOnesUseThem) {
  for (const DropRow& row : kDropRows) {
    Request request{.operation = Operation::kStatus};
    ASSERT_TRUE(request.gates.Set("DRAOptionalNodeOperations", true));
    ASSERT_TRUE(request.gates.Set(row.gate, false));
    const api::ResourceClaim unallocated = Claim();
    api::ResourceClaim claim = ClaimWithEverything();
    EXPECT_EQ(Validate(request, claim, &unallocated).dropped, row.dropped) << row.gate;

    const api::ResourceClaim old = ClaimWithEverything();
    claim = old;
    EXPECT_EQ(Validate(request, claim, &old).dropped, Errors{}) << row.gate;
    EXPECT_EQ(claim.status, old.status) << row.gate;
  }
}

TEST(ClaimStatus, DeallocationTakesDeviceStatusAway) {
  api::ResourceClaim old = AllocatedClaim();
  old.status.devices = {Reports("gpu-0")};
  api::ResourceClaim claim = old;
  claim.status.allocation.reset();
  const Outcome outcome = Validate({.operation = Operation::kStatus}, claim, &old);
  EXPECT_EQ(Shown(outcome), Errors{});
  EXPECT_EQ(outcome.dropped, Errors{"status.devices"});
  EXPECT_TRUE(claim.status.devices.is_nil());
}

}  // namespace
}  // namespace quadra::validation
