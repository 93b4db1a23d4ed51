// DeviceClass: a named choice of devices with configuration for their drivers. Always changeable.
#include <fmt/format.h>

#include "validation/claim_config.h"
#include "validation/claim_declarative.h"
#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/claim_selectors.h"
#include "validation/object_meta.h"
#include "validation/strategy.h"

namespace quadra::validation {
namespace {

void Prepare(const Request& /*request*/, api::DeviceClass& device_class,
             const api::DeviceClass* old, Dropped& /*dropped*/) {
  if (old == nullptr) {
    device_class.metadata.generation = 1;
  } else if (device_class.spec != old->spec) {
    device_class.metadata.generation = NextGeneration(old->metadata.generation);
  }
}

// A generateName is not looked at, only the name made from it.
api::Problems NameProblems(std::string_view name, bool prefix) {
  return prefix ? api::Problems() : api::DnsSubdomainProblems(name, api::Wording::kBytes);
}

// Declarative rules say the same about names.
void CheckClassMeta(ErrorList& errors, const Path& path, const api::ObjectMeta& meta) {
  if (meta.name.empty() && !meta.generate_name.empty()) {
    errors.InternalError(path.Child("name"),
                         fmt::format("generateName was specified ({}), but no name was generated",
                                     Quoted(meta.generate_name).text));
  }
  const std::size_t start = errors.size();
  CheckKindMeta(errors, path, meta, {.name_problems = NameProblems});
  const std::string name = path.Child("name").ToString();
  for (FieldError& error : errors.Since(start)) {
    if (error.field == name && error.type == ErrorType::kInvalid) {
      error.WithOrigin("format=k8s-long-name").Cover();
    }
  }
}

bool IsExtendedResourceName(std::string_view name) {
  return name.find('/') != name.npos && name.find("kubernetes.io/") == name.npos &&
         !name.starts_with("requests.") &&
         api::LabelKeyProblems("requests." + std::string(name)).empty();
}

template <typename T>
Age AgeOf(const T& list, const T* old) {
  return old != nullptr && list == *old ? Age::kStored : Age::kNew;
}

void CheckClassSpec(ErrorList& errors, const Path& path, const api::DeviceClassSpec& spec,
                    const api::DeviceClassSpec* old, const Request& request) {
  const Age selectors = AgeOf(spec.selectors, old == nullptr ? nullptr : &old->selectors);
  CheckSelectors(errors, path.Child("selectors"), spec.selectors, selectors, request);
  const Age configs = AgeOf(spec.config, old == nullptr ? nullptr : &old->config);
  if (!ReportSize(errors, path.Child("config"), spec.config, kMaxConfigs)) {
    for (std::size_t i = 0; i < spec.config.size(); ++i) {
      CheckOpaque(errors, path.Child("config", i), spec.config[i].opaque, configs);
    }
  }
  if (spec.extended_resource_name && !IsExtendedResourceName(*spec.extended_resource_name)) {
    errors
        .Invalid(path.Child("extendedResourceName"), *spec.extended_resource_name,
                 "must be a valid extended resource name")
        .WithOrigin("format=k8s-extended-resource-name")
        .Cover();
  }
}

void CheckClass(const Request& request, const api::DeviceClass& device_class,
                const api::DeviceClass* old, ErrorList& errors) {
  const Path metadata("metadata");
  CheckClassMeta(errors, metadata, device_class.metadata);
  if (old != nullptr) {
    CheckKindMetaUpdate(errors, metadata, device_class.metadata, old->metadata);
  }
  CheckClassSpec(errors, Path("spec"), device_class.spec, old == nullptr ? nullptr : &old->spec,
                 request);
}

constexpr Strategy<api::DeviceClass> kStrategy{.resource = "deviceclasses.resource.k8s.io",
                                               .prepare = Prepare,
                                               .check = CheckClass,
                                               .declare = DeclareClass};

}  // namespace

Outcome Validate(const Request& request, api::DeviceClass& object, const api::DeviceClass* old) {
  return Run(request, object, old, kStrategy);
}

}  // namespace quadra::validation
