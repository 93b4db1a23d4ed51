#include "api/object_reader.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::api {
namespace {

// Writes down what it is given.
struct Notebook {
  std::vector<std::string> lines;

  void operator()(const ResourceSlice& slice) { lines.push_back("slice " + slice.metadata.name); }
  void operator()(const DeviceClass& given) { lines.push_back("class " + given.metadata.name); }
  void operator()(const ResourceClaim& claim) {
    const auto exactly = claim.spec.devices.requests[0].exactly.value_or(ExactDeviceRequest());
    lines.push_back("claim " + claim.metadata.name + " " + exactly.allocation_mode);
  }
  void operator()(const Namespace& given) {
    lines.push_back("namespace " + given.metadata.name + " " + *given.metadata.labels.Find("a"));
  }
  void operator()(const PriorityClass& given) {
    lines.push_back("priority " + std::to_string(given.value) +
                    (given.global_default ? " default" : ""));
  }
};

constexpr const char* kClaim =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"a"}}]}}})";
constexpr const char* kOldClaim =
    R"({"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"c"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"a"}]}}})";

TEST(ReadObject, HandsEachKindToItsOverload) {
  const struct {
    const char* why;
    RawObject object;
    bool taken;
    std::vector<std::string> lines;
  } rows[] = {
      {"a kind the sink takes",
       {"resource.k8s.io/v1", "DeviceClass",
        R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}})"},
       true,
       {"class a"}},
      {"any version of the group",
       {"resource.k8s.io/v1beta1", "ResourceSlice",
        R"({"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"devices":[{"name":"d","basic":{}}]}})"},
       true,
       {"slice s"}},
      {"as written", {"resource.k8s.io/v1", "ResourceClaim", kClaim}, true, {"claim c "}},
      {"with defaults",
       {"resource.k8s.io/v1", "ResourceClaim", kClaim, Defaults::kFilled},
       true,
       {"claim c ExactCount"}},
      {"defaults after conversion",
       {"resource.k8s.io/v1beta1", "ResourceClaim", kOldClaim, Defaults::kFilled},
       true,
       {"claim c ExactCount"}},
      {"a namespace",
       {"v1", "Namespace", R"({"metadata":{"name":"n","labels":{"a":"b"}}})"},
       true,
       {"namespace n b"}},
      {"a priority class",
       {"scheduling.k8s.io/v1", "PriorityClass", R"({"value":7,"globalDefault":true})"},
       true,
       {"priority 7 default"}},
      {"a kind the sink does not take is not decoded", {"v1", "Pod", "no JSON at all"}, false, {}},
      {"a kind of that name in another group",
       {"example.com/v1", "DeviceClass", "no JSON at all"},
       false,
       {}},
      {"a group whose name begins alike",
       {"resource.k8s.io.example.com/v1", "DeviceClass", "no JSON at all"},
       false,
       {}},
      {"a kind that nobody knows", {"v1", "Service", "{}"}, false, {}},
  };
  for (const auto& row : rows) {
    Notebook notebook;
    const Result<bool> taken = ReadObject(row.object, notebook);
    ASSERT_TRUE(taken) << row.why << ": " << taken.error().ToString();
    EXPECT_EQ(*taken, row.taken) << row.why;
    EXPECT_EQ(notebook.lines, row.lines) << row.why;
  }
}

TEST(ReadObject, AnErrorNamesTheField) {
  Notebook notebook;
  const Result<bool> taken = ReadObject(
      {"resource.k8s.io/v1", "ResourceSlice",
       R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","spec":{"devices":[{"name":7}]}})"},
      notebook);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().field, "spec.devices[0].name");
  EXPECT_TRUE(notebook.lines.empty());
}

TEST(ReadObject, AVersionThatIsNotServedIsAnError) {
  Notebook notebook;
  EXPECT_FALSE(ReadObject(
      {"resource.k8s.io/v1alpha2", "ResourceSlice",
       R"({"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceSlice","metadata":{}})"},
      notebook));
}

}  // namespace
}  // namespace quadra::api
