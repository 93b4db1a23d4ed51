// Questions about small clusters, for this folder's tests: one node `n1`, one class `any` that
// takes every device, one driver.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/stream.h"
#include "json/value.h"

namespace quadra::allocator {

inline std::string DeviceJson(std::string_view name, std::string_view more = "") {
  return fmt::format(R"({{"name":"{}"{}{}}})", name, more.empty() ? "" : ",", more);
}

// `count` devices named after `prefix`, each with the same fields.
inline std::vector<std::string> DevicesJson(std::string_view prefix, std::size_t count,
                                            std::string_view more = "") {
  std::vector<std::string> devices;
  devices.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    devices.push_back(DeviceJson(fmt::format("{}-{}", prefix, i), more));
  }
  return devices;
}

inline std::string TextAttributeJson(std::string_view name, std::string_view value) {
  return fmt::format(R"("attributes":{{"{}":{{"string":"{}"}}}})", name, value);
}

inline std::string RequestJson(std::string_view name, std::size_t count,
                               std::string_view more = "") {
  return fmt::format(
      R"({{"name":"{}","exactly":{{"deviceClassName":"any","allocationMode":"ExactCount","count":{}{}{}}}}})",
      name, count, more.empty() ? "" : ",", more);
}

inline std::string SelectorJson(std::string_view expression) {
  return fmt::format(R"("selectors":[{{"cel":{{"expression":"{}"}}}}])", expression);
}

class QuestionBuilder {
 public:
  QuestionBuilder& Pool(std::string_view name, const std::vector<std::string>& devices,
                        std::string_view more = "") {
    return Object(fmt::format(
        R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"{0}"}},"spec":{{"driver":"d.example.com","nodeName":"n1","pool":{{"name":"{0}","generation":1,"resourceSliceCount":1}},"devices":[{1}]{2}{3}}}}})",
        name, fmt::join(devices, ","), more.empty() ? "" : ",", more));
  }

  QuestionBuilder& Claim(std::string_view name, const std::vector<std::string>& requests,
                         std::string_view more = "") {
    return Object(fmt::format(
        R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{{"namespace":"ns","name":"{}"}},"spec":{{"devices":{{"requests":[{}]{}{}}}}}}})",
        name, fmt::join(requests, ","), more.empty() ? "" : ",", more));
  }

  // A claim that holds devices of pool `p`, each written as in status.allocation.devices.results
  // but for request, driver and pool.
  QuestionBuilder& Holder(std::string_view name, const std::vector<std::string>& results) {
    std::vector<std::string> whole;
    whole.reserve(results.size());
    for (const std::string& result : results) {
      whole.push_back(
          fmt::format(R"({{"request":"r","driver":"d.example.com","pool":"p",{}}})", result));
    }
    return Object(fmt::format(
        R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{{"namespace":"ns","name":"{}"}},"spec":{{}},"status":{{"allocation":{{"devices":{{"results":[{}]}}}}}}}})",
        name, fmt::join(whole, ",")));
  }

  QuestionBuilder& Object(std::string json) {
    objects_.push_back(std::move(json));
    return *this;
  }
  QuestionBuilder& Gate(std::string_view name, bool on) {
    gates_.push_back(fmt::format(R"("{}":{})", name, on));
    return *this;
  }

  std::string Line() const {
    return fmt::format(
        R"({{"node":"n1","objects":[{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n1"}}}},{{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{{"name":"any"}},"spec":{{}}}}{}{}],"featureGates":{{{}}}}})",
        objects_.empty() ? "" : ",", fmt::join(objects_, ","), fmt::join(gates_, ","));
  }

 private:
  std::vector<std::string> objects_;
  std::vector<std::string> gates_;
};

// What a test looks at: "allocated", "unavailable", …; the devices, claim by claim in the order of
// picking; the steps.
struct Told {
  std::string result;
  std::string devices;  // e.g. "a b|c"
  std::string message;  // of an error, or of the first reason
  std::string code;     // of the first reason
  std::uint64_t work = 0;
};

inline Told Ask(const QuestionBuilder& question, bool strict = false) {
  AllocationAnswerer answerer({.strict = strict});
  const json::Value answer = *json::ParseValue(answerer.Answer(question.Line(), 1));
  Told told{.result = answer.Find("result")->string(), .devices = "", .message = "", .code = ""};
  if (const json::Value* claims = answer.Find("claims")) {
    std::vector<std::string> by_claim;
    for (const json::Value& claim : claims->items()) {
      std::vector<std::string> names;
      const json::Value* results = claim.Find("allocation")->Find("devices")->Find("results");
      for (std::size_t i = 0; results != nullptr && i < results->items().size(); ++i) {
        names.push_back(results->items()[i].Find("device")->string());
      }
      by_claim.push_back(fmt::format("{}", fmt::join(names, " ")));
    }
    told.devices = fmt::format("{}", fmt::join(by_claim, "|"));
  }
  if (const json::Value* reasons = answer.Find("reasons")) {
    told.code = reasons->items().at(0).Get("code").string();
    told.message = reasons->items().at(0).Get("message").string();
  }
  if (const json::Value* message = answer.Find("message")) {
    told.message = message->string();
  }
  if (const json::Value* work = answer.Find("work")) {
    told.work = std::stoull(work->number());
  }
  return told;
}

}  // namespace quadra::allocator
