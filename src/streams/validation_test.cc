#include "streams/validation.h"

#include <string>

#include <gtest/gtest.h>

namespace quadra::streams {
namespace {

struct Row {
  const char* what;
  const char* question;
  const char* answer;
};

const Row kRows[] = {
    {"an object that is accepted",
     R"({"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}})",
     R"({"errors":[],"warnings":[],"dropped":[]})"},
    {"a generated name is what the rules see",
     R"({"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"generateName":"gpu-"}}})",
     R"({"errors":[],"warnings":[],"dropped":[]})"},
    {"null members count as absent",
     R"({"operation":"create","old":null,"featureGates":null,"namespaceLabels":null,"object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}})",
     R"({"errors":[],"warnings":[],"dropped":[]})"},
    {"an error as in the causes of the Status",
     R"({"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{}}]}}}})",
     R"({"errors":[{"type":"FieldValueRequired","field":"spec.devices.requests[0].exactly.deviceClassName","message":"Required value"}],"warnings":[],"dropped":[]})"},
    {"a warning",
     R"({"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"a"},"spec":{"driver":"GPU.example.com","allNodes":true,"pool":{"name":"p","generation":1,"resourceSliceCount":1}}}})",
     R"({"errors":[],"warnings":["spec.driver: driver names should be lowercase; \"GPU.example.com\" contains uppercase characters"],"dropped":[]})"},
    {"a field that a gate drops",
     R"({"operation":"create","featureGates":{"DRADeviceTaintRules":false,"DRADeviceTaints":false},"object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"a"},"spec":{"driver":"d","allNodes":true,"pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[{"name":"g","taints":[{"key":"k","effect":"NoSchedule"}]}]}}})",
     R"({"errors":[],"warnings":[],"dropped":["spec.devices[0].taints"]})"},
    {"an update meets the stored object",
     R"({"operation":"update","object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"b"}}]}}},"old":{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u","resourceVersion":"1"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}}}})",
     R"({"errors":[{"type":"FieldValueInvalid","field":"spec","message":"Invalid value: null: field is immutable"}],"warnings":[],"dropped":[]})"},
    {"an unknown operation", R"({"operation":"delete","object":{}})",
     R"({"input":"unknown operation \"delete\": there are create, update and status"})"},
    {"no object", R"({"operation":"create"})", R"({"input":"object is missing"})"},
    {"no stored object",
     R"({"operation":"update","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}})",
     R"({"input":"old is missing"})"},
    {"a stored object of another kind",
     R"({"operation":"update","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}},"old":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice"}})",
     R"({"input":"old is a ResourceSlice, object a DeviceClass"})"},
    {"a kind without status",
     R"({"operation":"status","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}})",
     R"({"input":"DeviceClass has no status"})"},
    {"a kind that is not judged",
     R"({"operation":"create","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}})",
     R"({"input":"ConfigMap is not checked"})"},
};

TEST(ValidationStream, QuestionsAndAnswers) {
  for (const Row& row : kRows) {
    EXPECT_EQ(ToJson(AnswerValidation(row.question, Time())), row.answer) << row.what;
  }
}

TEST(ValidationStream, UnreadableLinesAreAnswered) {
  for (const char* line :
       {"", "no json", "[]", "{\"operation\":1}", "{\"operation\":\"create\",\"object\":{}"}) {
    const ValidationAnswer answer = AnswerValidation(line, Time());
    ASSERT_TRUE(std::holds_alternative<Senseless>(answer)) << line << ToJson(answer);
    EXPECT_TRUE(std::get<Senseless>(answer).why.starts_with("unreadable line: ")) << line;
  }
}

TEST(ValidationStream, UndecodableObjectsNameThePath) {
  const ValidationAnswer answer = AnswerValidation(
      R"({"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","spec":{"foo":1}}})",
      Time());
  ASSERT_TRUE(std::holds_alternative<Undecodable>(answer)) << ToJson(answer);
  EXPECT_EQ(std::get<Undecodable>(answer).path, "spec.foo");
  EXPECT_NE(std::get<Undecodable>(answer).message, "");
}

TEST(ValidationStream, AGateThatIsLockedMakesNoSense) {
  const ValidationAnswer answer = AnswerValidation(
      R"({"operation":"create","featureGates":{"DRAAdminAccess":false},"object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}})",
      Time());
  EXPECT_TRUE(std::holds_alternative<Senseless>(answer)) << ToJson(answer);
}

}  // namespace
}  // namespace quadra::streams
