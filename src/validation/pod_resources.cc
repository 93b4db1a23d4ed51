#include "validation/pod_resources.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "validation/formats.h"

namespace quadra::validation {
namespace {

using api::Quantity;

constexpr std::string_view kHugePages = "hugepages-";

bool IsHugePages(std::string_view name) { return name.starts_with(kHugePages); }

// Resources that Kubernetes itself defines, which includes the implicit ones of device classes
// (deviceclass.resource.kubernetes.io/NAME).
bool IsNative(std::string_view name) {
  return name.find('/') == std::string_view::npos ||
         name.find("kubernetes.io/") != std::string_view::npos;
}

// May a container be given less than its limit?
bool IsOvercommitAllowed(std::string_view name) { return IsNative(name) && !IsHugePages(name); }

bool IsExtended(std::string_view name) {
  return !IsNative(name) && !name.starts_with("requests.") &&
         api::LabelKeyProblems(fmt::format("requests.{}", name)).empty();
}

// Whole things, of which there is no half.
bool IsCount(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>({
      "pods",
      "resourcequotas",
      "services",
      "replicationcontrollers",
      "secrets",
      "configmaps",
      "persistentvolumeclaims",
      "services.nodeports",
      "services.loadbalancers",
  });
  return std::ranges::find(kNames, name) != kNames.end();
}

bool IsStandard(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>({
      "cpu",
      "memory",
      "ephemeral-storage",
      "requests.cpu",
      "requests.memory",
      "requests.ephemeral-storage",
      "limits.cpu",
      "limits.memory",
      "limits.ephemeral-storage",
      "storage",
      "requests.storage",
  });
  return std::ranges::find(kNames, name) != kNames.end() || IsCount(name) || IsHugePages(name) ||
         name.starts_with("requests.hugepages-");
}

bool IsCounted(std::string_view name) { return IsCount(name) || IsExtended(name); }

bool IsStandardForContainers(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || IsHugePages(name);
}

void ValidateName(ErrorList& errors, const Path& path, std::string_view name) {
  const api::Problems problems = api::LabelKeyProblems(name);
  for (const std::string& problem : problems) {
    errors.Invalid(path, Named(name), problem);
  }
  const bool plain = name.find('/') == std::string_view::npos;
  if (problems.empty() && plain && !IsStandard(name)) {
    errors.Invalid(path, Named(name), "must be a standard resource type or fully qualified");
  }
  if (plain && !IsStandardForContainers(name)) {
    errors.Invalid(path, Named(name), "must be a standard resource for containers");
  } else if (!IsNative(name) && !IsExtended(name)) {
    errors.Invalid(path, Named(name), "doesn't follow extended resource name standard");
  }
}

// Upstream asks for whole thousandths, with its overflows.
bool IsWhole(const Quantity& amount) { return amount.MilliValue() % 1000 == 0; }

bool IsDivisible(std::string_view name, const Quantity& amount) {
  const auto page = Quantity::Parse(name.substr(kHugePages.size()));
  if (!page || page->Sign() <= 0 || !IsWhole(*page)) {
    return false;
  }
  const std::int64_t size = page->Value();
  return size != 0 && amount.Value() % size == 0;
}

void ValidateAmount(ErrorList& errors, const Path& path, std::string_view name,
                    const Quantity& amount) {
  if (amount.Sign() < 0) {
    errors.Invalid(path, amount.ToString(), "must be greater than or equal to 0");
  }
  if (IsCounted(name) && !IsWhole(amount)) {
    errors.Invalid(path, Named(amount.ToString()), "must be an integer");
  }
}

void RequireWholePages(ErrorList& errors, const Path& path, std::string_view name,
                       const Quantity& amount) {
  if (IsHugePages(name) && !IsDivisible(name, amount)) {
    const std::string text = amount.ToString();
    errors.Invalid(path, text,
                   fmt::format("{} is not positive integer multiple of {}", text, name));
  }
}

// Upstream compares a request with its limit first, which may change the form of the request, and
// with it what is said of numbers beyond int64.
Quantity AfterComparing(Quantity request, const Quantity* limit) {
  if (limit != nullptr && limit->IsDecimal()) {
    request.ToDecimal();
  }
  return request;
}

void ValidateHugePages(ErrorList& errors, const Path& path,
                       const api::ResourceRequirements& resources) {
  for (const auto& [name, amount] : resources.limits) {
    RequireWholePages(errors, path.Child("limits", name), name, amount);
  }
  for (const auto& [name, amount] : resources.requests) {
    RequireWholePages(errors, path.Child("requests", name), name,
                      AfterComparing(amount, resources.limits.Find(name)));
  }
}

void ValidateAmounts(ErrorList& errors, const Path& path, const api::ResourceList& amounts) {
  for (const auto& [name, amount] : amounts) {
    const Path entry = path.Key(name);
    ValidateName(errors, entry, name);
    ValidateAmount(errors, entry, name, amount);
  }
}

// A request must not exceed its limit, and must equal it where a node cannot promise more than it
// has.
void CompareWithLimit(ErrorList& errors, const Path& resources, std::string_view name,
                      const Quantity& request, const api::ResourceList& limits) {
  const Quantity* limit = limits.Find(name);
  const bool overcommit = IsOvercommitAllowed(name);
  if (limit == nullptr) {
    if (!overcommit) {
      errors.Required(resources.Child("limits"),
                      "Limit must be set for non overcommitable resources");
    }
  } else if (request != *limit && !overcommit) {
    errors.Invalid(resources.Child("requests"), request.ToString(),
                   fmt::format("must be equal to {} limit of {}", name, limit->ToString()));
  } else if (request > *limit) {
    errors.Invalid(
        resources.Child("requests"), request.ToString(),
        fmt::format("must be less than or equal to {} limit of {}", name, limit->ToString()));
  }
}

bool Names(const api::ResourceList& amounts, bool (*predicate)(std::string_view)) {
  return std::ranges::any_of(amounts,
                             [predicate](const auto& entry) { return predicate(entry.first); });
}

bool IsCpuOrMemory(std::string_view name) { return name == "cpu" || name == "memory"; }

void RequireCpuOrMemory(ErrorList& errors, const Path& path,
                        const api::ResourceRequirements& resources) {
  const auto either = [&](bool (*predicate)(std::string_view)) {
    return Names(resources.limits, predicate) || Names(resources.requests, predicate);
  };
  if (either(IsHugePages) && !either(IsCpuOrMemory)) {
    errors.Forbidden(path, "HugePages require cpu or memory");
  }
}

// Judges one reference to a claim against those before it. `seen` holds "claim" for a reference to
// a whole claim and "claim/request" for one to a part of it; both forms may not be mixed for one
// claim.
void ValidateClaimOverlap(ErrorList& errors, const Path& path,
                          const api::ContainerResourceClaim& claim, ClaimNames& seen) {
  if (seen.contains(claim.name)) {
    errors.Duplicate(path, claim.name);
    return;
  }
  std::string key = claim.name;
  if (!claim.request.empty()) {
    CheckDnsLabel(errors, path.Child("request"), claim.request);
    key += "/" + claim.request;
  }
  if (seen.contains(key)) {
    errors.Duplicate(path, key);
  } else if (claim.request.empty()) {
    for (const std::string& other : seen) {
      if (const auto slash = other.find('/');
          slash != std::string::npos && other.substr(0, slash) == claim.name) {
        errors.Duplicate(path, claim.name);
      }
    }
  }
  seen.insert(std::move(key));
}

}  // namespace

void ValidateContainerResources(ErrorList& errors, const Path& path,
                                const api::ResourceRequirements& resources,
                                const ClaimNames& claim_names, bool whole_huge_pages) {
  const std::size_t start = errors.size();
  ValidateAmounts(errors, path.Child("limits"), resources.limits);
  ValidateAmounts(errors, path.Child("requests"), resources.requests);
  if (whole_huge_pages) {
    ValidateHugePages(errors, path, resources);
  }
  for (const auto& [name, amount] : resources.requests) {
    CompareWithLimit(errors, path, name, amount, resources.limits);
  }
  errors.SortSince(start);
  RequireCpuOrMemory(errors, path, resources);
  ValidateClaimReferences(errors, path.Child("claims"), resources.claims, claim_names);
}

void ValidateClaimReferences(ErrorList& errors, const Path& path,
                             const api::List<api::ContainerResourceClaim>& claims,
                             const ClaimNames& claim_names) {
  ClaimNames seen;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Path item = path.Index(i);
    if (claims[i].name.empty()) {
      errors.Required(item);
      continue;
    }
    ValidateClaimOverlap(errors, item, claims[i], seen);
    if (!claim_names.contains(claims[i].name)) {
      errors.Add(
          ErrorType::kNotFound, item, Quoted(claims[i].name).text,
          fmt::format("must be one of the names in pod.spec.resourceClaims{}",
                      claim_names.empty() ? " which is empty"
                                          : fmt::format(": {}", fmt::join(claim_names, ", "))));
    }
  }
}

bool IsNodeAllocatableResource(std::string_view name) {
  return IsCpuOrMemory(name) || IsHugePages(name);
}

bool HasIndivisibleHugePages(const api::ResourceList& amounts) {
  return std::ranges::any_of(amounts, [](const auto& entry) {
    return IsHugePages(entry.first) && !IsDivisible(entry.first, entry.second);
  });
}

}  // namespace quadra::validation
