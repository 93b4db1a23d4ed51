#include <gtest/gtest.h>

#include "validation/claim_test_objects.h"

namespace quadra::validation {
namespace {

using ClaimRow = Row<api::ResourceClaim>;

const ClaimRow kRequestRows[] = {
    {"a good claim", [](auto&) {}, {}},
    {"no requests at all", [](auto& c) { c.spec.devices.requests.Reset(); }, {}},
    {"a request without name",
     [](auto& c) { c.spec.devices.requests[0].name = ""; },
     {Text({"spec.devices.requests[0].name: Invalid value: \"\": ", kBadLabel})}},
    {"a request with dots",
     [](auto& c) { c.spec.devices.requests[0].name = "a.b"; },
     {"spec.devices.requests[0].name: Invalid value: \"a.b\": must not contain dots"}},
    {"neither exactly nor alternatives",
     [](auto& c) { c.spec.devices.requests[0].exactly.reset(); },
     {"spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is "
      "required"}},
    {"both: nothing inside is looked at by hand",
     [](auto& c) {
       c.spec.devices.requests[0].first_available = {Alternative("x")};
       c.spec.devices.requests[0].exactly->count = -1;
     },
     {"spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` "
      "is required, but "
      "multiple fields are set"}},
    {"no class",
     [](auto& c) { c.spec.devices.requests[0].exactly->device_class_name = ""; },
     {"spec.devices.requests[0].exactly.deviceClassName: Required value"}},
    {"a class in upper case",
     [](auto& c) { c.spec.devices.requests[0].exactly->device_class_name = "GPU"; },
     {Text({"spec.devices.requests[0].exactly.deviceClassName: Invalid value: \"GPU\": ",
            kBadSubdomain})}},
    {"a negative count",
     [](auto& c) { c.spec.devices.requests[0].exactly->count = -1; },
     {"spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero"}},
    {"all devices, and a count",
     [](auto& c) {
       c.spec.devices.requests[0].exactly->allocation_mode = "All";
       c.spec.devices.requests[0].exactly->count = 2;
     },
     {"spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when "
      "allocationMode is 'All'"}},
    {"an unknown mode",
     [](auto& c) { c.spec.devices.requests[0].exactly->allocation_mode = "Some"; },
     {"spec.devices.requests[0].exactly.allocationMode: Unsupported value: \"Some\": supported "
      "values: \"All\", "
      "\"ExactCount\""}},
    {"no mode: only the hand-written rule minds",
     [](auto& c) { c.spec.devices.requests[0].exactly->allocation_mode = ""; },
     {"spec.devices.requests[0].exactly.allocationMode: Unsupported value: \"\": supported values: "
      "\"All\", "
      "\"ExactCount\""}},
    {"too many requests: none is looked at",
     [](auto& c) {
       for (int i = 0; i < 32; ++i) {
         c.spec.devices.requests.push_back(Wants("BAD"));
       }
     },
     {"spec.devices.requests: Too many: 33: must have at most 32 items"}},
    {"a selector without CEL",
     [](auto& c) { c.spec.devices.requests[0].exactly->selectors.emplace_back(); },
     {"spec.devices.requests[0].exactly.selectors[0].cel: Required value"}},
    {"an expression of 10 KiB and a byte",
     [](auto& c) {
       c.spec.devices.requests[0].exactly->selectors.emplace_back().cel = {std::string(10241, 'x')};
     },
     {"spec.devices.requests[0].exactly.selectors[0].cel.expression: Too long: may not be more "
      "than 10240 bytes"}},
    {"alternatives: name, class, mode",
     [](auto& c) {
       api::DeviceSubRequest bad = Alternative("a/b");
       bad.device_class_name = "";
       bad.allocation_mode = "Some";
       c.spec.devices.requests = {WantsFirstOf("gpu", {bad})};
     },
     {Text(
          {"spec.devices.requests[0].firstAvailable[0].name: Invalid value: \"a/b\": ", kBadLabel}),
      "spec.devices.requests[0].firstAvailable[0].deviceClassName: Required value",
      "spec.devices.requests[0].firstAvailable[0].allocationMode: Unsupported value: \"Some\": "
      "supported values: "
      "\"All\", \"ExactCount\""}},
    {"nine alternatives",
     [](auto& c) {
       c.spec.devices.requests = {WantsFirstOf("gpu", {})};
       for (int i = 0; i < 9; ++i) {
         c.spec.devices.requests[0].first_available.push_back(Alternative("x"));
       }
     },
     {"spec.devices.requests[0].firstAvailable: Too many: 9: must have at most 8 items"}},
};

const ClaimRow kTolerationRows[] = {
    {"an empty key is fine with Equal",
     [](auto& c) { c.spec.devices.requests[0].exactly->tolerations.emplace_back().op = "Equal"; },
     {}},
    {"Exists wants no value",
     [](auto& c) {
       c.spec.devices.requests[0].exactly->tolerations = {{"k", "Exists", "v", "", {}}};
     },
     {"spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: \"v\": must be empty "
      "for operator "
      "`Exists`"}},
    {"unknown words",
     [](auto& c) {
       c.spec.devices.requests[0].exactly->tolerations = {{"k", "Has", "", "Some", {}}};
     },
     {"spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: \"Has\": "
      "supported values: "
      "\"Equal\", \"Exists\"",
      "spec.devices.requests[0].exactly.tolerations[0].effect: Unsupported value: \"Some\": "
      "supported values: "
      "\"NoExecute\", \"NoSchedule\", \"None\""}},
    {"no operator",
     [](auto& c) { c.spec.devices.requests[0].exactly->tolerations.emplace_back().key = "k"; },
     {"spec.devices.requests[0].exactly.tolerations[0].operator: Required value"}},
};

const ClaimRow kReferenceRows[] = {
    {"an unknown request",
     [](auto& c) {
       auto& constraint = c.spec.devices.constraints.emplace_back();
       constraint.requests = {"cpu"};
       constraint.match_attribute = "gpu.example.com/model";
     },
     {Text(
         {"spec.devices.constraints[0].requests[0]: Invalid value: \"cpu\": ", kUnknownRequest})}},
    {"parts of a reference are names; two slashes are no reference",
     [](auto& c) { c.spec.devices.config = {{{"gpu/X", "a/b/c"}, Opaque()}}; },
     {Text({"spec.devices.config[0].requests[0]: Invalid value: \"X\": ", kBadLabel}),
      Text({"spec.devices.config[0].requests[0]: Invalid value: \"gpu/X\": ", kUnknownRequest}),
      Text({"spec.devices.config[0].requests[1]: Invalid value: \"a/b/c\": ", kUnknownRequest})}},
    {"requests and alternatives may be named, once each",
     [](auto& c) {
       c.spec.devices.requests = {WantsFirstOf("gpu", {Alternative("big"), Alternative("small")})};
       c.spec.devices.config = {{{"gpu", "gpu/big", "gpu"}, Opaque()}};
     },
     {"spec.devices.config[0].requests[2]: Duplicate value: \"gpu\""}},
    {"a constraint on nothing",
     [](auto& c) { c.spec.devices.constraints.emplace_back(); },
     {"spec.devices.constraints[0]: Required value: exactly one of \"matchAttribute\" or "
      "\"distinctAttribute\" is "
      "required, but multiple fields are set"}},
    {"attributes need a domain in lower case; both at once pass",
     [](auto& c) {
       auto& constraint = c.spec.devices.constraints.emplace_back();
       constraint.match_attribute = "model";
       constraint.distinct_attribute = "GPU.example.com/model";
     },
     {"spec.devices.constraints[0].matchAttribute: Invalid value: \"model\": a fully qualified "
      "name must be a domain "
      "and a name separated by a slash",
      Text({"spec.devices.constraints[0].distinctAttribute: Invalid value: \"GPU.example.com\": "
            "prefix: ",
            kBadSubdomain})}},
};

const ClaimRow kConfigRows[] = {
    {"nothing in it",
     [](auto& c) { c.spec.devices.config.emplace_back(); },
     {"spec.devices.config[0].opaque: Required value"}},
    {"no driver, no parameters",
     [](auto& c) { c.spec.devices.config = {{{}, Opaque("", "")}}; },
     {"spec.devices.config[0].opaque.parameters: Required value",
      "spec.devices.config[0].opaque.driver: Required value"}},
    {"drivers may have upper case; parameters are an object",
     [](auto& c) { c.spec.devices.config = {{{}, Opaque("GPU.example.com", "[1]")}}; },
     {"spec.devices.config[0].opaque.parameters: Invalid value: \"<value omitted>\": must be a "
      "valid JSON object"}},
    {"null parameters",
     [](auto& c) { c.spec.devices.config = {{{}, Opaque("gpu.example.com", "null")}}; },
     {"spec.devices.config[0].opaque.parameters: Required value"}},
    {"a number beyond float64",
     [](auto& c) {
       c.spec.devices.config = {{{}, Opaque("gpu.example.com", R"({"a":[{},"x",1e999,2e999]})")}};
     },
     {"spec.devices.config[0].opaque.parameters: Invalid value: \"<value omitted>\": error parsing "
      "data as JSON: json: "
      "cannot unmarshal number 1e999 into Go value of type float64"}},
    {"10 KiB and a byte",
     [](auto& c) {
       c.spec.devices.config = {
           {{}, Opaque("gpu.example.com", "\"" + std::string(10239, 'x') + "\"")}};
     },
     {"spec.devices.config[0].opaque.parameters: Too long: may not be more than 10240 bytes"}},
};

void ExpectCreateErrors(std::span<const ClaimRow> rows) {
  for (const ClaimRow& row : rows) {
    api::ResourceClaim claim = Claim();
    row.change(claim);
    EXPECT_EQ(Shown(Validate({}, claim)), row.expected) << row.what;
  }
}

TEST(ResourceClaim, CreateRequests) { ExpectCreateErrors(kRequestRows); }
TEST(ResourceClaim, CreateTolerations) { ExpectCreateErrors(kTolerationRows); }
TEST(ResourceClaim, CreateReferences) { ExpectCreateErrors(kReferenceRows); }
TEST(ResourceClaim, CreateConfig) { ExpectCreateErrors(kConfigRows); }

TEST(ResourceClaim, DuplicatesShowTheItemInTheVersionOfTheRequest) {
  api::ResourceClaim claim = Claim();
  claim.spec.devices.requests.push_back(Wants("gpu"));
  EXPECT_EQ(
      Shown(Validate({.version = "v1"}, claim)),
      Errors{
          R"(spec.devices.requests[1]: Duplicate value: {"name":"gpu","exactly":{"deviceClassName":"gpu",)"
          R"("allocationMode":"ExactCount","count":1}})"});
  EXPECT_EQ(
      Shown(Validate({.version = "v1beta1"}, claim)),
      Errors{R"(spec.devices.requests[1]: Duplicate value: {"name":"gpu","deviceClassName":"gpu",)"
             R"("allocationMode":"ExactCount","count":1})"});
}

TEST(ResourceClaim, HandWrittenPathsAreThoseOfV1) {
  api::ResourceClaim claim = Claim();
  Given(claim.spec.devices.requests[0].exactly).count = 0;
  Given(claim.spec.devices.requests[0].exactly).allocation_mode = "Some";
  Given(claim.spec.devices.requests[0].exactly).device_class_name = "";
  EXPECT_EQ(Shown(Validate({.version = "v1beta1"}, claim)),
            (Errors{"spec.devices.requests[0].exactly.deviceClassName: Required value",
                    "spec.devices.requests[0].allocationMode: Unsupported value: \"Some\": "
                    "supported values: \"All\", "
                    "\"ExactCount\""}));
}

TEST(ResourceClaim, WithoutBetaRulesHandWrittenTextsShow) {
  api::ResourceClaim claim = Claim();
  claim.spec.devices.requests.push_back(Wants("gpu"));
  Request request;
  ASSERT_TRUE(request.gates.Set("DeclarativeValidationBeta", false));
  EXPECT_EQ(Shown(Validate(request, claim)),
            Errors{"spec.devices.requests[1]: Duplicate value: \"gpu\""});
}

TEST(ResourceClaim, AdminAccessNeedsTheLabelOfTheNamespace) {
  const api::Map<std::string> allowed = {{"resource.kubernetes.io/admin-access", "true"}};
  const api::Map<std::string> misspelt = {{"resource.kubernetes.io/admin-access", "True"}};
  const Errors refused = {
      "spec.devices.requests[1].adminAccess: Forbidden: admin access to devices requires the "
      "`resource.kubernetes.io/admin-access: true` label on the containing namespace"};
  api::ResourceClaim claim = Claim();
  Given(claim.spec.devices.requests[0].exactly).admin_access = false;
  claim.spec.devices.requests.push_back(Wants("watch"));
  Given(claim.spec.devices.requests[1].exactly).admin_access = true;
  EXPECT_EQ(Shown(Validate({.namespace_labels = allowed}, claim)), Errors{});
  EXPECT_EQ(Shown(Validate({.namespace_labels = misspelt}, claim)), refused);
  EXPECT_EQ(Shown(Validate({}, claim)), refused);
}

TEST(ResourceClaim, DerivedAttributesMustBeUsed) {
  Request request;
  ASSERT_TRUE(request.gates.Set("DRADerivedAttributes", true));
  api::ResourceClaim claim = Claim();
  Given(claim.spec.devices.requests[0].exactly).derived_attributes = {
      {"example.com/a", "1"}, {"example.com/b", "1"}, {"example.com/a", "1"}, {"", ""}};
  api::DeviceConstraint constraint;
  constraint.match_attribute = "example.com/a";
  constraint.requests = {"gpu"};
  claim.spec.devices.constraints = {constraint};
  EXPECT_EQ(
      Shown(Validate(request, claim)),
      (Errors{"spec.devices.requests[0].exactly.derivedAttributes[1].name: Invalid value: "
              "\"example.com/b\": must "
              "be referenced by at least one matchAttribute or distinctAttribute constraint "
              "targeting this "
              "request",
              "spec.devices.requests[0].exactly.derivedAttributes[2]: Duplicate value: "
              "\"example.com/a\"",
              "spec.devices.requests[0].exactly.derivedAttributes[3].name: Required value",
              "spec.devices.requests[0].exactly.derivedAttributes[3].expression: Required value"}));
}

// Says the same about every expression.
class SameVerdict final : public CelCheck {
 public:
  explicit SameVerdict(CelVerdict verdict) : verdict_(std::move(verdict)) {}
  CelVerdict Compile(std::string_view, CelUse, const FeatureGates&) const override {
    return verdict_;
  }

 private:
  CelVerdict verdict_;
};

TEST(ResourceClaim, ExpressionsAreJudgedByTheirCheck) {
  api::ResourceClaim claim = Claim();
  Given(claim.spec.devices.requests[0].exactly).selectors.emplace_back().cel = {"device.x"};
  const SameVerdict wrong({.problem = "compilation failed: no x"});
  EXPECT_EQ(Shown(Validate({.cel = wrong}, claim)),
            Errors{"spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "
                   "\"device.x\": "
                   "compilation failed: no x"});
  const SameVerdict costly({.max_cost = 1'000'001});
  EXPECT_EQ(Shown(Validate({.cel = costly}, claim)),
            Errors{"spec.devices.requests[0].exactly.selectors[0].cel.expression: Forbidden: too "
                   "complex, exceeds cost "
                   "limit"});
}

TEST(ResourceClaim, CostsOfDerivedAttributesAddUp) {
  const SameVerdict costly({.max_cost = 600'000});
  Request request{.cel = costly};
  ASSERT_TRUE(request.gates.Set("DRADerivedAttributes", true));
  api::ResourceClaim claim = Claim();
  claim.spec.devices.requests = {WantsFirstOf("gpu", {Alternative("a"), Alternative("b")})};
  for (api::DeviceSubRequest& alternative : claim.spec.devices.requests[0].first_available) {
    alternative.derived_attributes = {{"example.com/a", "1"}};
  }
  claim.spec.devices.constraints.emplace_back().match_attribute = "example.com/a";
  EXPECT_EQ(Shown(Validate(request, claim)),
            Errors{"spec.devices: Forbidden: too complex, total cost of derived attribute CEL "
                   "expressions in the claim "
                   "exceeds cost limit"});
}

TEST(ResourceClaim, CreateClearsTheStatus) {
  api::ResourceClaim claim = AllocatedClaim();
  const Outcome outcome = Validate({}, claim);
  EXPECT_EQ(Shown(outcome), Errors{});
  EXPECT_EQ(outcome.dropped, Errors{});
  EXPECT_EQ(claim.status, api::ResourceClaimStatus());
}

TEST(ResourceClaim, UpdateKeepsSpecAndStatus) {
  const api::ResourceClaim old = AllocatedClaim();
  api::ResourceClaim claim = old;
  claim.status = {};
  claim.metadata.labels = {{"a", "b"}};
  EXPECT_EQ(Shown(Validate({.operation = Operation::kUpdate}, claim, &old)), Errors{});
  EXPECT_EQ(claim.status, old.status);
  Given(claim.spec.devices.requests[0].exactly).count = -1;
  EXPECT_EQ(Shown(Validate({.operation = Operation::kUpdate}, claim, &old)),
            Errors{"spec: Invalid value: null: field is immutable"});
}

struct DropRow {
  std::string_view gate;
  std::string_view version;
  std::vector<std::string> dropped;
};

const DropRow kDropRows[] = {
    {"DRADeviceTaints",
     "v1",
     {"spec.devices.requests[0].exactly.tolerations",
      "spec.devices.requests[1].firstAvailable[0].tolerations"}},
    {"DRADeviceTaints",
     "v1beta1",
     {"spec.devices.requests[0].tolerations",
      "spec.devices.requests[1].firstAvailable[0].tolerations"}},
    {"DRAConsumableCapacity",
     "v1",
     {"spec.devices.constraints[0].distinctAttribute", "spec.devices.requests[0].exactly.capacity",
      "spec.devices.requests[1].firstAvailable[0].capacity"}},
    {"DRADerivedAttributes",
     "v1beta2",
     {"spec.devices.requests[0].exactly.derivedAttributes",
      "spec.devices.requests[1].firstAvailable[0].derivedAttributes"}},
};

api::ResourceClaim ClaimWithEverything() {
  api::ResourceClaim claim = Claim();
  claim.spec.devices.requests.push_back(WantsFirstOf("nic", {Alternative("fast")}));
  const auto fill = [](auto& demand) {
    demand.tolerations = {{"k", "Equal", "", "", {}}};
    demand.capacity.emplace();
    demand.derived_attributes = {{"example.com/a", "1"}};
  };
  fill(Given(claim.spec.devices.requests[0].exactly));
  fill(claim.spec.devices.requests[1].first_available[0]);
  claim.spec.devices.constraints.emplace_back().distinct_attribute = "example.com/a";
  return claim;
}

TEST(ResourceClaim, GatesTakeFieldsAwayUnlessStoredOnesUseThem) {
  for (const DropRow& row : kDropRows) {
    Request request{.version = row.version};
    ASSERT_TRUE(request.gates.Set("DRADerivedAttributes", true));
    ASSERT_TRUE(request.gates.Set(row.gate, false));
    api::ResourceClaim claim = ClaimWithEverything();
    EXPECT_EQ(Validate(request, claim).dropped, row.dropped) << row.gate;

    const api::ResourceClaim old = ClaimWithEverything();
    request.operation = Operation::kUpdate;
    claim = old;
    EXPECT_EQ(Validate(request, claim, &old).dropped, Errors{}) << row.gate;
    EXPECT_EQ(claim.spec, old.spec) << row.gate;
  }
}

}  // namespace
}  // namespace quadra::validation
