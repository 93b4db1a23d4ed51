// Questions about small clusters, for this folder's tests: one node `n1`, one class `any` that
// takes every device, one driver.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/allocator.h"
#include "api/object.h"
#include "base/check.h"
#include "inventory/inventory.h"

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
  QuestionBuilder& With(bool inventory::Features::* feature) {
    features_.*feature = true;
    return *this;
  }

  const std::vector<std::string>& objects() const { return objects_; }
  const inventory::Features& features() const { return features_; }

 private:
  std::vector<std::string> objects_ = {
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}})",
      R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"any"},"spec":{}})"};
  inventory::Features features_;
};

// The cluster of a question.
struct QuestionWorld {
  inventory::Inventory inventory;
  std::vector<api::ResourceClaim> pending;

  void operator()(const api::ResourceSlice& slice) { inventory.AddSlice(slice); }
  void operator()(api::DeviceClass device_class) { inventory.SetClass(std::move(device_class)); }
  void operator()(api::Node node) { inventory.SetNode(std::move(node)); }
  void operator()(api::ResourceClaim claim) {
    if (claim.status.allocation) {
      inventory.SetClaim(claim);
    } else {
      pending.push_back(std::move(claim));
    }
  }
};

inline QuestionWorld WorldOf(const QuestionBuilder& question, const selector::Language& language) {
  QuestionWorld world{.inventory = inventory::Inventory(language, question.features()),
                      .pending = {}};
  for (const std::string& json : question.objects()) {
    const api::Header header = *api::ReadHeader(json);
    const Result<bool> taken = api::ReadObject(
        {.api_version = header.api_version, .kind = header.kind, .json = json}, world);
    QUADRA_CHECK(taken && *taken, "the objects of a question are well-formed");
  }
  return world;
}

inline Allocation Answer(const QuestionBuilder& question, bool strict = false) {
  const selector::Language language;
  selector::ExpressionCache expressions(language);
  QuestionWorld world = WorldOf(question, language);
  std::vector<const api::ResourceClaim*> claims;
  claims.reserve(world.pending.size());
  for (const api::ResourceClaim& claim : world.pending) {
    claims.push_back(&claim);
  }
  const inventory::Snapshot cluster = world.inventory.Take();
  SeededRandom random(1);
  return Allocate({.cluster = cluster,
                   .node = *cluster.nodes().find("n1")->second,
                   .claims = claims,
                   .strict = strict,
                   .expressions = expressions},
                  random);
}

// What a test looks at.
struct Told {
  Allocation::Result result = Allocation::Result::kError;
  std::string devices;  // claim by claim in the order of picking, e.g. "a b|c"
  std::string message;  // of an error, or of the first reason
  std::string code;     // of the first reason
  std::uint64_t work = 0;
};

inline std::string DevicesOf(const Allocation& allocation) {
  std::vector<std::string> by_claim;
  for (const api::AllocationResult& claim : allocation.claims) {
    std::vector<std::string> names;
    for (const api::DeviceRequestAllocationResult& result : claim.devices.results) {
      names.push_back(result.device);
    }
    by_claim.push_back(fmt::format("{}", fmt::join(names, " ")));
  }
  return fmt::format("{}", fmt::join(by_claim, "|"));
}

inline Told Ask(const QuestionBuilder& question, bool strict = false) {
  const Allocation allocation = Answer(question, strict);
  const bool explained = !allocation.reasons.empty();
  return {.result = allocation.result,
          .devices = DevicesOf(allocation),
          .message = explained ? allocation.reasons[0].message : allocation.message,
          .code = explained ? std::string(reasons::NameOf(allocation.reasons[0].code)) : "",
          .work = allocation.work};
}

}  // namespace quadra::allocator
