#include "api/object.h"

#include <algorithm>
#include <chrono>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/random_objects_for_tests.h"
#include "api/slot.h"
#include "base/random.h"

namespace quadra::api {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSlice =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},)"
    R"("spec":{"driver":"gpu.example.com","pool":{"name":"p","generation":1,"resourceSliceCount":2},)"
    R"("allNodes":true,"devices":[{"name":"gpu-0","attributes":{"model":{"string":"H100"},)"
    R"("slots":{"ints":[1,2]}},"capacity":{"memory":{"value":"80Gi"}}}]}})";

TEST(DecodeTyped, ReadsEveryPart) {
  const auto slice = DecodeJson<ResourceSlice>(kSlice);
  ASSERT_TRUE(slice) << slice.error().message;
  EXPECT_EQ(slice->metadata.name, "s");
  EXPECT_EQ(slice->spec.pool.resource_slice_count, 2);
  EXPECT_EQ(slice->spec.all_nodes, true);
  EXPECT_FALSE(slice->spec.node_name.has_value());
  EXPECT_TRUE(slice->spec.shared_counters.is_nil());
  const Device& device = slice->spec.devices[0];
  EXPECT_EQ(device.attributes.Find("model")->string_value, "H100");
  EXPECT_EQ(device.attributes.Find("slots")->int_values, (List<std::int64_t>{1, 2}));
  EXPECT_EQ(device.capacity.Find("memory")->value.ToString(), "80Gi");
}

TEST(DecodeTyped, RefusesAnotherKind) {
  const auto claim = DecodeJson<ResourceClaim>(kSlice);
  ASSERT_FALSE(claim);
  EXPECT_EQ(claim.error().message,
            "expected a v1.ResourceClaim, not resource.k8s.io/v1 ResourceSlice");
}

TEST(Codec, TypedAndGenericPrintTheSame) {
  const auto slice = DecodeJson<ResourceSlice>(kSlice);
  const auto object = DecodeJson(kSlice);
  ASSERT_TRUE(slice && object);
  EXPECT_EQ(EncodeJson(*slice), EncodeJson(*object));
  EXPECT_EQ(EncodeProto(*slice), EncodeProto(*object));
  EXPECT_EQ(ToTyped<ResourceSlice>(*object), *slice);
  EXPECT_EQ(ToObject(*slice), *object);
  const auto back = DecodeProto<ResourceSlice>(EncodeProto(*slice));
  ASSERT_TRUE(back) << back.error().ToString();
  EXPECT_EQ(*back, *slice);
}

// The only kind that nests at all: a schema may say what a value must not be, and so on.
std::string Definition(int depth) {
  std::string schema;
  for (int i = 0; i < depth; ++i) {
    schema += R"({"not":)";
  }
  schema += "{}" + std::string(static_cast<std::size_t>(depth), '}');
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
         R"("spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":)" +
         schema + "}}]}}";
}

TEST(Codec, SchemasMayNestAThousandLevels) {
  const auto deep = DecodeJson(Definition(990));
  ASSERT_TRUE(deep) << deep.error().message;
  EXPECT_EQ(DecodeProto(EncodeProto(*deep)), *deep);
  EXPECT_EQ(DecodeJson(EncodeJson(*deep)), *deep);
  EXPECT_EQ(ProtoOfJson(*deep->kind, EncodeJson(*deep)), EncodeProto(*deep));
  const auto deeper = DecodeJson(Definition(1'000));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().message, "nested deeper than 1000 levels");
}

TEST(ProtoOfJson, IsThatOfTheObject) {
  SeededRandom random(1);
  for (const KindSchema& kind : AllKinds()) {
    const int rounds = kind.kind == "WatchEvent" ? 0 : 20;  // which has no header
    for (int round = 0; round < rounds; ++round) {
      const auto drawn =
          DecodeJson(RandomObjects(random, {.leave_out = {"openAPIV3Schema"}}).Json(kind));
      ASSERT_TRUE(drawn) << kind.kind << ": " << drawn.error().message;
      const std::string json = EncodeJson(*drawn);
      const auto read = DecodeJson(json);
      ASSERT_TRUE(read) << json;
      EXPECT_EQ(ProtoOfJson(kind, json), EncodeProto(*read)) << json;
    }
  }
}

TEST(ProtoOfJson, LeavesOutWhatTheKindHasNot) {
  const KindSchema& kind = *FindKind("v1", "ConfigMap");
  const std::string head = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"m"})";
  EXPECT_EQ(ProtoOfJson(kind, head + R"(,"later":{"x":[1]}})"), ProtoOfJson(kind, head + "}"));
}

TEST(Bindings, TheEnginesKindsKeepEveryField) {
  const Binding* const whole[] = {&BindingOf<ResourceSlice>(),
                                  &BindingOf<ResourceSliceSpec>(),
                                  &BindingOf<Device>(),
                                  &BindingOf<ResourceClaim>(),
                                  &BindingOf<ResourceClaimSpec>(),
                                  &BindingOf<ExactDeviceRequest>(),
                                  &BindingOf<ResourceClaimStatus>(),
                                  &BindingOf<DeviceClass>(),
                                  &BindingOf<DeviceTaintRule>(),
                                  &BindingOf<ResourcePoolStatusRequest>(),
                                  &BindingOf<ObjectMeta>(),
                                  &BindingOf<PoolStatus>(),
                                  &BindingOf<DeviceRequestAllocationResult>(),
                                  &BindingOf<AllocatedDeviceStatus>()};
  for (const Binding* binding : whole) {
    const Struct& schema = binding->schema();
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
      EXPECT_NE(binding->TableOf(schema).members[i].slot, nullptr)
          << schema.name << "." << schema.fields[i].json;
    }
  }
}

TEST(EncodeJsonWithout, ComparesAllTheRest) {
  auto slice = DecodeJson<ResourceSlice>(kSlice);
  ASSERT_TRUE(slice);
  const Device device = slice->spec.devices[0];
  const auto rest = [](const Device& each) {
    return EncodeJsonWithout(each, {"name", "attributes"});
  };
  EXPECT_EQ(rest(device), R"({"capacity":{"memory":{"value":"80Gi"}}})");
  Device renamed = device;
  renamed.name = "gpu-1";
  renamed.attributes = {};
  EXPECT_EQ(rest(renamed), rest(device));
  renamed.all_nodes = true;
  EXPECT_NE(rest(renamed), rest(device));
}

std::string Wrapped(std::string_view spec) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c"},"spec":)" +
         std::string(spec) + "}";
}

// A CustomResourceDefinition with this JSON schema.
std::string WithSchema(std::string_view schema) {
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":)" +
         std::string(schema) + "}}]}}";
}

TEST(Decode, SchemasInSchemasAreNotStrict) {
  EXPECT_TRUE(DecodeJson(WithSchema(R"({"items":{"zzz":1,"type":"a","type":"b"}})")));
}

TEST(Decode, ReportsAsUpstreamRanks) {
  const struct {
    const char* why;
    std::string text;
    DecodeError::Class error_class;
    const char* path;
  } rows[] = {
      {"syntax beats all", Wrapped(R"({"foo":1,"devices":7)"), DecodeError::Class::kSyntax, ""},
      {"a quantity's error names no path",
       Wrapped(
           R"({"foo":1,"devices":{"requests":[{"name":3,"exactly":{"capacity":{"requests":{"m":"x"}}}}]}})"),
       DecodeError::Class::kValue, ""},
      {"a wrong type beats unknown fields, without indices",
       Wrapped(R"({"foo":1,"devices":{"requests":[{"name":3}]}})"), DecodeError::Class::kType,
       "spec.devices.requests.name"},
      {"unknown fields have indices", Wrapped(R"({"devices":{"requests":[{"nme":"a"}]}})"),
       DecodeError::Class::kStrict, "spec.devices.requests[0].nme"},
      {"a fraction is no integer",
       Wrapped(R"({"devices":{"requests":[{"exactly":{"count":1.0}}]}})"),
       DecodeError::Class::kType, "spec.devices.requests.exactly.count"},
      {"embedded structs show their Go name",
       Wrapped(R"({"devices":{"config":[{"opaque":{"driver":1}}]}})"), DecodeError::Class::kType,
       "spec.devices.config.DeviceConfiguration.opaque.driver"},
      {"a schema where a boolean may be", WithSchema(R"({"additionalProperties":[1]})"),
       DecodeError::Class::kValue, ""},
      {"a wrong type in a schema in a schema beats one before it",
       WithSchema(R"({"type":5,"items":{"type":5}})"), DecodeError::Class::kType,
       "spec.versions.schema.openAPIV3Schema.items.type"},
      {"no kind", R"({"apiVersion":"v1"})", DecodeError::Class::kHeader, ""},
      {"unknown kind", R"({"apiVersion":"v1","kind":"Pood"})", DecodeError::Class::kHeader, ""},
      {"no object", "[]", DecodeError::Class::kHeader, ""},
      {"syntax beats the header", R"({"apiVersion":"v1","kind":"Pood","spec":[}})",
       DecodeError::Class::kSyntax, ""},
      {"the last kind counts", R"({"apiVersion":"v1","kind":"Pod","metadata":{},"kind":"Pood"})",
       DecodeError::Class::kHeader, ""},
      {"in whatever letters", R"({"apiVersion":"v1","kind":"Pod","metadata":{},"KIND":"Pood"})",
       DecodeError::Class::kHeader, ""},
  };
  for (const auto& row : rows) {
    const auto object = DecodeJson(row.text);
    ASSERT_FALSE(object) << row.why;
    EXPECT_EQ(object.error().error_class, row.error_class)
        << row.why << ": " << object.error().message;
    EXPECT_EQ(object.error().path, row.path) << row.why;
  }
}

TEST(Decode, ListsUnknownAndDuplicateFieldsOnce) {
  std::vector<DecodeError> strict;
  const auto object =
      DecodeJson(Wrapped(R"({"a":1,"a":2,"devices":{},"devices":{"requests":[],"b":null}})"),
                 {.strictness = Strictness::kLenient, .strict_errors = &strict});
  ASSERT_TRUE(object);
  ASSERT_EQ(strict.size(), 3U);
  EXPECT_EQ(strict[0].message, R"(unknown field "spec.a")");
  EXPECT_EQ(strict[1].message, R"(duplicate field "spec.devices")");
  EXPECT_EQ(strict[2].message, R"(unknown field "spec.devices.b")");
}

TEST(Decode, QuotesUnknownNamesAsGoDoes) {
  const struct {
    const char* name;  // as JSON writes it
    const char* message;
  } rows[] = {
      {R"(bell\u0007)", R"(unknown field "spec.bell\a")"},
      {R"(a\"b)", R"(unknown field "spec.a\"b")"},
      {R"(nul\u0000 del\u007f)", R"(unknown field "spec.nul\x00 del\x7f")"},
      {R"(zero\u200bwidth)", R"(unknown field "spec.zero\u200bwidth")"},
      {R"(\ud83d\ude00 é)", R"(unknown field "spec.😀 é")"},
  };
  for (const auto& row : rows) {
    const auto object = DecodeJson(Wrapped(fmt::format(R"({{"{}":1}})", row.name)));
    ASSERT_FALSE(object) << row.name;
    EXPECT_EQ(object.error().message, row.message);
  }
}

// A ConfigMap's data as it is after lenient reading of this text.
std::string DataOf(std::string_view members) {
  const auto object = DecodeJson(
      R"({"kind":"ConfigMap","apiVersion":"v1",)" + std::string(members) + R"(,"metadata":{}})",
      {.strictness = Strictness::kLenient});
  EXPECT_TRUE(object) << object.error().message;
  const std::string text = EncodeJson(*object);
  return text.substr(std::min(text.find("\"data\""), text.size()));
}

TEST(Decode, MapsComeInAnyOrderAndMoreThanOnce) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {R"("data":{})", ""},
      {R"("data":{"b":"1","a":"2"})", R"("data":{"a":"2","b":"1"}})"},
      {R"("data":{"b":"1","a":"2","b":"3"})", R"("data":{"a":"2","b":"3"}})"},
      {R"("data":{"b":"1","c":"2"},"data":{"c":"3","a":"4","c":"5"})",
       R"("data":{"a":"4","b":"1","c":"5"}})"},
      {R"("data":{"b":"1"},"data":null)", ""},
  };
  for (const auto& [given, kept] : rows) {
    EXPECT_EQ(DataOf(given), kept) << given;
  }
}

TEST(Decode, LargeMapsAreOrderedToo) {
  std::string given, kept;
  for (int i = 0; i < 100; ++i) {
    given += fmt::format(R"("{}":"{}",)", 199 - i, i);
    kept += fmt::format(R"("{}":"{}",)", 100 + i, i == 50 ? 7 : 99 - i);
  }
  kept.pop_back();
  EXPECT_EQ(DataOf("\"data\":{" + given + R"("150":"7"})"), "\"data\":{" + kept + "}}");
}

TEST(Decode, AProtobufEntryTakesItsLastKeyAndValue) {
  const auto message = [](char number, std::string_view content) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} +
           std::string(content);
  };
  const struct {
    std::string entry;
    std::string_view data;
  } rows[] = {
      {message(1, "k") + message(2, "v"), R"({"k":"v"})"},
      {message(2, "v") + message(1, "k"), R"({"k":"v"})"},
      {message(1, "k") + message(1, "l") + message(2, "v") + message(2, "w"), R"({"l":"w"})"},
      {message(1, "k"), R"({"k":""})"},
      {message(2, "v"), R"({"":"v"})"},
      {message(1, "k") + message(2, "v") + message(9, "?"), R"({"k":"v"})"},
  };
  for (const auto& row : rows) {
    const auto object = DecodeProto(std::string("k8s\0", 4) +
                                    message(1, message(1, "v1") + message(2, "ConfigMap")) +
                                    message(2, message(2, row.entry)));
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_EQ(EncodeJson(*object),
              R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":)" +
                  std::string(row.data) + "}");
  }
}

TEST(Decode, NullIsNothing) {
  const auto slice = DecodeJson<ResourceSlice>(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":null,"spec":{"driver":null,)"
      R"("pool":null,"nodeName":null,"devices":null,"allNodes":null}})");
  ASSERT_TRUE(slice) << slice.error().message;
  EXPECT_TRUE(slice->spec.devices.is_nil());
  EXPECT_FALSE(slice->spec.node_name);
}

TEST(Encode, PrintsWhatGoPrints) {
  const struct {
    std::string ours;
    const char* text;
  } rows[] = {
      {EncodeJson(ResourceClaim{}),
       R"({"metadata":{},"spec":{"devices":{"requests":null}},"status":{}})"},
      {EncodeJson(CapacityRequestPolicy{}), R"({"default":null})"},
      {EncodeJson(Counter{}), R"({"value":"0"})"},
      {EncodeJson(DeviceRequest{.name = "a"}, "v1beta1"), R"({"name":"a","deviceClassName":""})"},
      {EncodeJson(
           DeviceRequest{.name = "a", .exactly = ExactDeviceRequest{.device_class_name = "c"}},
           "v1beta1"),
       R"({"name":"a","deviceClassName":"c"})"},
      {EncodeJson(Device{.name = "d"}, "v1beta1"), R"({"name":"d","basic":{}})"},
      {EncodeGoStruct(NodeSelectorTerm{}), R"({"MatchExpressions":null,"MatchFields":null})"},
      {EncodeGoStruct(NodeSelectorRequirement{.key = "k", .op = "In", .values = {"v"}}),
       R"({"Key":"k","Operator":"In","Values":["v"]})"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(row.ours, row.text);
  }
}

std::string Converted(std::string_view json, std::string_view to) {
  const auto object = DecodeJson(json);
  EXPECT_TRUE(object) << object.error().message;
  const auto converted = Convert(*object, to);
  return converted ? EncodeJson(*converted) : converted.error().ToString();
}

TEST(Convert, ReshapesV1beta1) {
  const std::string v1 =
      R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{},"spec":{"devices":{"requests":[)"
      R"({"name":"a","exactly":{"deviceClassName":"c","count":2}},{"name":"b","firstAvailable":[)"
      R"({"name":"s","deviceClassName":"d"}]}]}},"status":{}})";
  const std::string v1beta1 =
      R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1beta1","metadata":{},"spec":{"devices":{"requests":[)"
      R"({"name":"a","deviceClassName":"c","count":2},{"name":"b","deviceClassName":"","firstAvailable":[)"
      R"({"name":"s","deviceClassName":"d"}]}]}},"status":{}})";
  EXPECT_EQ(Converted(v1, "resource.k8s.io/v1beta1"), v1beta1);
  EXPECT_EQ(Converted(v1beta1, "resource.k8s.io/v1"), v1);
  EXPECT_EQ(
      Converted(v1, "resource.k8s.io/v7"),
      "apiVersion: ResourceClaim has no version resource.k8s.io/v7: resource.k8s.io/v7; name a "
      "version that serves this kind");
}

TEST(Defaults, DependOnWhatIsThere) {
  auto object = DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{},"spec":{"devices":{"requests":[)"
      R"({"name":"a","deviceClassName":"c","tolerations":[{"key":"k"}]},{"name":"b","firstAvailable":[)"
      R"({"name":"s","deviceClassName":"d","allocationMode":"All"}]}]}}})");
  ASSERT_TRUE(object);
  ApplyDefaults(*object, Time(0s));
  EXPECT_EQ(
      EncodeJson(*object),
      R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1beta1","metadata":{},"spec":{"devices":{"requests":[)"
      R"({"name":"a","deviceClassName":"c","allocationMode":"ExactCount","count":1,"tolerations":[{"key":"k",)"
      R"("operator":"Equal"}]},{"name":"b","deviceClassName":"","firstAvailable":[{"name":"s","deviceClassName":)"
      R"("d","allocationMode":"All"}]}]}},"status":{}})");
}

TEST(Defaults, StampTaintsWithTheTime) {
  auto rule = DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{},"spec":{}})");
  ASSERT_TRUE(rule);
  ApplyDefaults(*rule, Time(90s));
  EXPECT_EQ(ToTyped<DeviceTaintRule>(*rule).spec.taint.time_added, Time(90s));
}

TEST(Equality, IsSemantic) {
  const auto with = [](std::string_view devices) {
    auto object = DecodeJson(
        R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{},"spec":{"devices":)" +
        std::string(devices) + "}}");
    EXPECT_TRUE(object);
    return *object;
  };
  EXPECT_EQ(with("[]"), with("null"));
  EXPECT_EQ(with(R"([{"name":"a","capacity":{"m":{"value":"1Gi"}}}])"),
            with(R"([{"name":"a","capacity":{"m":{"value":"1024Mi"}},"taints":[]}])"));
  EXPECT_FALSE(with(R"([{"name":"a"}])") == with(R"([{"name":"a","nodeName":""}])"));
}

// --- What could be stored, but never be read again.

TEST(Decode, RefusesTimesThatNoTextCanSay) {
  const auto read = [](std::string_view time) {
    return DecodeJson(fmt::format(R"({{"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
                                  R"("metadata":{{"name":"l"}},"spec":{{"renewTime":"{}"}}}})",
                                  time))
        .has_value();
  };
  EXPECT_TRUE(read("9999-12-31T23:59:59.000000Z"));
  EXPECT_TRUE(read("0000-01-01T00:00:00.000000Z"));
  EXPECT_FALSE(read("9999-12-31T23:59:59.000000-01:00"));
  EXPECT_FALSE(read("0000-01-01T00:00:00.000000+01:00"));
}

TEST(DecodeProto, RefusesTimesThatNoTextCanSay) {
  const auto lease = [](std::int64_t seconds) {
    std::string number;
    for (auto bits = static_cast<std::uint64_t>(seconds); number.empty() || bits != 0; bits >>= 7) {
      number += static_cast<char>((bits & 0x7f) | (bits > 0x7f ? 0x80 : 0));
    }
    const auto field = [](int tag, const std::string& text) {
      return std::string{static_cast<char>(tag << 3 | 2), static_cast<char>(text.size())} + text;
    };
    const std::string time = "\x08" + number;
    const std::string object = field(1, field(1, "l")) + field(2, field(4, time));
    return DecodeProto(std::string("k8s\0", 4) +
                       field(1, field(1, "coordination.k8s.io/v1") + field(2, "Lease")) +
                       field(2, object))
        .has_value();
  };
  EXPECT_TRUE(lease(0));
  EXPECT_TRUE(lease(253402300799));
  EXPECT_FALSE(lease(253402300800));
  EXPECT_FALSE(lease(INT64_MAX));
  EXPECT_FALSE(lease(INT64_MIN));
}

TEST(DecodeProto, RefusesRawValuesThatAreNoJson) {
  const std::string good = EncodeProto(
      *DecodeJson(R"({"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r"},)"
                  R"("data":{"a":[1,2,3]},"revision":1})"));
  constexpr std::string_view kRaw = R"({"a":[1,2,3]})";
  for (const std::string_view raw :
       {R"(not json{    )", R"({"a":1} x     )", R"({}},"x":{    )", R"({"a":[1,2,3] )"}) {
    std::string bad = good;
    bad.replace(bad.find(kRaw), kRaw.size(), raw.substr(0, kRaw.size()));
    EXPECT_FALSE(DecodeProto(bad)) << raw;
  }
  EXPECT_TRUE(DecodeProto(good));
}

}  // namespace
}  // namespace quadra::api
