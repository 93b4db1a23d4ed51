#include <string>

#include "cel/declarations.h"
#include "cel/environment.h"

namespace quadra::cel {
namespace {

// Type names that are values.
struct Named {
  std::string_view name;
  std::string_view type;
};
constexpr Named kTypeNames[] = {
    {"bool", "bool"},         {"bytes", "bytes"},
    {"double", "double"},     {"google.protobuf.Duration", "duration"},
    {"int", "int"},           {"list", "list(dyn)"},
    {"map", "map(dyn, dyn)"}, {"null_type", "null"},
    {"string", "string"},     {"google.protobuf.Timestamp", "timestamp"},
    {"type", "type"},         {"uint", "uint"},
};

// Between the lists of old and of new: what does not depend on the choice, in upstream's order.
void DeclareFixed(Environment& environment) {
  DeclareAuthorizer(environment);
  DeclareOptionals(environment);
  DeclareQuantity(environment);
  DeclareStrings(environment);
  DeclareStringFormat(environment);
  DeclareSets(environment);
  DeclareIp(environment);
  DeclareCidr(environment);
  DeclareNamedFormats(environment);
  DeclareAuthorizerSelectors(environment);
  DeclareTwoVariableComprehensions(environment);
  DeclareSemver(environment);
  DeclareLists(environment);
}

}  // namespace

void DeclareStandard(Environment& environment) {
  DeclareOperators(environment);
  DeclareArithmetic(environment);
  DeclareConversions(environment);
  DeclareTime(environment);
  DeclareMatches(environment);
  for (const Named& named : kTypeNames) {
    environment.type_names.push_back(
        {std::string(named.name), ReadType(environment.types, named.type)});
  }
}

std::unique_ptr<Environment> KubernetesEnvironment(const LibraryChoice& choice) {
  auto environment = std::make_unique<Environment>();
  DeclareStandard(*environment);
  DeclareUrls(*environment);
  DeclareRegex(*environment);
  if (!choice.lists_after_strings) {
    DeclareKubernetesLists(*environment);
  }
  DeclareFixed(*environment);
  if (choice.lists_after_strings) {
    DeclareKubernetesLists(*environment);
  }
  if (choice.list_includes) {
    DeclareIncludes(*environment);
  }
  // Kubernetes' own schema types, which the checker alone knows by name.
  environment->type_names.push_back({"duration", types::kDuration, false});
  environment->type_names.push_back({"timestamp", types::kTimestamp, false});
  return environment;
}

std::unique_ptr<Environment> SpecificationEnvironment() {
  auto environment = KubernetesEnvironment({.list_includes = true, .lists_after_strings = true});
  environment->options.homogeneous_literals = false;
  environment->options.literal_validators = false;
  return environment;
}

}  // namespace quadra::cel
