// Any line gets one line back that is JSON with a result; questions are built around the input, so
// that most of them are about devices.
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "base/check.h"
#include "json/value.h"
#include "streams/allocation.h"

namespace {

// The input chooses among parts; each byte one.
class Parts {
 public:
  Parts(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  unsigned Next(unsigned count) { return at_ < size_ ? data_[at_++] % count : 0; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

constexpr const char* kAmounts[] = {"0", "1", "2", "4", "8", "-1", "500m", "1e3", "8Ei"};

std::string Device(Parts& parts, unsigned number) {
  const char* amount = kAmounts[parts.Next(9)];
  switch (parts.Next(6)) {
    case 0:
      return fmt::format(R"({{"name":"d{}"}})", number);
    case 1:
      return fmt::format(
          R"({{"name":"d{}","attributes":{{"a":{{"string":"{}"}}}},"taints":[{{"key":"k","effect":"NoSchedule"}}]}})",
          number, amount);
    case 2:
      return fmt::format(
          R"({{"name":"d{}","consumesCounters":[{{"counterSet":"s","counters":{{"c":{{"value":"{}"}}}}}}]}})",
          number, amount);
    case 3:
      return fmt::format(
          R"({{"name":"d{}","allowMultipleAllocations":true,"capacity":{{"m":{{"value":"8","requestPolicy":{{"default":"1","validRange":{{"min":"{}","step":"{}"}}}}}}}}}})",
          number, amount, kAmounts[parts.Next(9)]);
    case 4:
      return fmt::format(R"({{"name":"d{}","attributes":{{"a":{{"int":{}}}}}}})", number,
                         parts.Next(3));
    default:
      return fmt::format(R"({{"name":"d{}","bindingConditions":["b"],"bindsToNode":true}})",
                         number);
  }
}

std::string Request(Parts& parts, unsigned number) {
  const unsigned count = parts.Next(5);
  switch (parts.Next(5)) {
    case 0:
      return fmt::format(
          R"({{"name":"r{}","exactly":{{"deviceClassName":"c","allocationMode":"All"}}}})", number);
    case 1:
      return fmt::format(
          R"({{"name":"r{0}","firstAvailable":[{{"name":"x","deviceClassName":"c","allocationMode":"ExactCount","count":{1}}},{{"name":"y","deviceClassName":"c","allocationMode":"ExactCount","count":1}}]}})",
          number, count);
    case 2:
      return fmt::format(
          R"({{"name":"r{}","exactly":{{"deviceClassName":"c","allocationMode":"ExactCount","count":{},"capacity":{{"requests":{{"m":"{}"}}}}}}}})",
          number, count, kAmounts[parts.Next(9)]);
    case 3:
      return fmt::format(
          R"({{"name":"r{}","exactly":{{"deviceClassName":"c","allocationMode":"ExactCount","count":{},"adminAccess":true,"tolerations":[{{"operator":"Exists"}}]}}}})",
          number, count);
    default:
      return fmt::format(
          R"({{"name":"r{}","exactly":{{"deviceClassName":"c","allocationMode":"ExactCount","count":{}}}}})",
          number, count);
  }
}

std::string Question(Parts& parts) {
  std::string devices;
  for (unsigned i = 0, count = parts.Next(8); i < count; ++i) {
    devices += (i > 0 ? "," : "") + Device(parts, parts.Next(16) == 0 ? 0 : i);
  }
  std::string requests;
  for (unsigned i = 0, count = parts.Next(6); i < count; ++i) {
    requests += (i > 0 ? "," : "") + Request(parts, i);
  }
  const char* constraint =
      parts.Next(2) == 0 ? R"({"matchAttribute":"d/a"})" : R"({"distinctAttribute":"d/a"})";
  return fmt::format(
      R"({{"node":"n","objects":[{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n"}}}},{{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{{"name":"c"}},"spec":{{}}}},{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"k"}},"spec":{{"driver":"d","allNodes":true,"pool":{{"name":"p","generation":1,"resourceSliceCount":2}},"sharedCounters":[{{"name":"s","counters":{{"c":{{"value":"8"}}}}}}]}}}},{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"s"}},"spec":{{"driver":"d","allNodes":true,"pool":{{"name":"p","generation":1,"resourceSliceCount":2}},"devices":[{}]}}}},{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{{"name":"x"}},"spec":{{"devices":{{"requests":[{}],"constraints":[{}]}}}}}}]}})",
      devices, requests, parts.Next(3) == 0 ? constraint : "");
}

void MustAnswer(quadra::streams::AllocationAnswerer& answerer, const std::string& line) {
  const auto answer = quadra::json::ParseValue(answerer.Answer(line, 1));
  QUADRA_CHECK(answer && answer->Find("result") != nullptr, "every line has an answer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quadra::streams::AllocationAnswerer kind({});
  quadra::streams::AllocationAnswerer strict({.strict = true});
  MustAnswer(kind, std::string(reinterpret_cast<const char*>(data), size));
  Parts parts(data, size);
  const std::string question = Question(parts);
  MustAnswer(kind, question);
  MustAnswer(strict, question);
  return 0;
}
