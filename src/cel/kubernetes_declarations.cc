// Kubernetes' libraries.
#include <string>

#include <fmt/format.h>

#include "cel/declarations.h"

namespace quadra::cel {
namespace {

constexpr Declaration kUrls[] = {
    {"getEscapedPath", "url_get_escaped_path", kMember, "kubernetes.URL", "string"},
    {"getHost", "url_get_host", kMember, "kubernetes.URL", "string"},
    {"getHostname", "url_get_hostname", kMember, "kubernetes.URL", "string"},
    {"getPort", "url_get_port", kMember, "kubernetes.URL", "string"},
    {"getQuery", "url_get_query", kMember, "kubernetes.URL", "map(string, list(string))"},
    {"getScheme", "url_get_scheme", kMember, "kubernetes.URL", "string"},
    {"isURL", "is_url_string", kGlobal, "string", "bool"},
    {"url", "string_to_url", kGlobal, "string", "kubernetes.URL"},
};

constexpr Declaration kRegex[] = {
    {"find", "string_find_string", kMember, "string, string", "string"},
    {"findAll", "string_find_all_string", kMember, "string, string", "list(string)"},
    {"findAll", "string_find_all_string_int", kMember, "string, string, int", "list(string)"},
};

constexpr Declaration kKubernetesLists[] = {
    {"indexOf", "list_a_index_of_int", kMember, "list(A), A", "int"},
    {"lastIndexOf", "list_a_last_index_of_int", kMember, "list(A), A", "int"},
};

constexpr Declaration kIncludes[] = {
    {"includes", "list_includes_dyn_dyn", kMember, "dyn, dyn", "bool"},
};

constexpr Declaration kAuthorizer[] = {
    {"allowed", "decision_allowed", kMember, "kubernetes.authorization.Decision", "bool"},
    {"check", "pathcheck_check", kMember, "kubernetes.authorization.PathCheck, string",
     "kubernetes.authorization.Decision"},
    {"check", "resourcecheck_check", kMember, "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.Decision"},
    {"error", "decision_error", kMember, "kubernetes.authorization.Decision", "string"},
    {"errored", "decision_errored", kMember, "kubernetes.authorization.Decision", "bool"},
    {"group", "authorizer_group", kMember, "kubernetes.authorization.Authorizer, string",
     "kubernetes.authorization.GroupCheck"},
    {"name", "resourcecheck_name", kMember, "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.ResourceCheck"},
    {"namespace", "resourcecheck_namespace", kMember,
     "kubernetes.authorization.ResourceCheck, string", "kubernetes.authorization.ResourceCheck"},
    {"path", "authorizer_path", kMember, "kubernetes.authorization.Authorizer, string",
     "kubernetes.authorization.PathCheck"},
    {"reason", "decision_reason", kMember, "kubernetes.authorization.Decision", "string"},
    {"resource", "groupcheck_resource", kMember, "kubernetes.authorization.GroupCheck, string",
     "kubernetes.authorization.ResourceCheck"},
    {"serviceAccount", "authorizer_serviceaccount", kMember,
     "kubernetes.authorization.Authorizer, string, string", "kubernetes.authorization.Authorizer"},
    {"subresource", "resourcecheck_subresource", kMember,
     "kubernetes.authorization.ResourceCheck, string", "kubernetes.authorization.ResourceCheck"},
};

constexpr Declaration kAuthorizerSelectors[] = {
    {"fieldSelector", "authorizer_fieldselector", kMember,
     "kubernetes.authorization.ResourceCheck, string", "kubernetes.authorization.ResourceCheck"},
    {"labelSelector", "authorizer_labelselector", kMember,
     "kubernetes.authorization.ResourceCheck, string", "kubernetes.authorization.ResourceCheck"},
};

constexpr Declaration kQuantity[] = {
    {"add", "quantity_add", kMember, "kubernetes.Quantity, kubernetes.Quantity",
     "kubernetes.Quantity"},
    {"add", "quantity_add_int", kMember, "kubernetes.Quantity, int", "kubernetes.Quantity"},
    {"asApproximateFloat", "quantity_get_float", kMember, "kubernetes.Quantity", "double"},
    {"asInteger", "quantity_get_int", kMember, "kubernetes.Quantity", "int"},
    {"compareTo", "quantity_compare_to", kMember, "kubernetes.Quantity, kubernetes.Quantity",
     "int"},
    {"isGreaterThan", "quantity_is_greater_than", kMember,
     "kubernetes.Quantity, kubernetes.Quantity", "bool"},
    {"isInteger", "quantity_is_integer", kMember, "kubernetes.Quantity", "bool"},
    {"isLessThan", "quantity_is_less_than", kMember, "kubernetes.Quantity, kubernetes.Quantity",
     "bool"},
    {"isQuantity", "is_quantity_string", kGlobal, "string", "bool"},
    {"quantity", "string_to_quantity", kGlobal, "string", "kubernetes.Quantity"},
    {"sign", "quantity_sign", kGlobal, "kubernetes.Quantity", "int"},
    {"sub", "quantity_sub", kMember, "kubernetes.Quantity, kubernetes.Quantity",
     "kubernetes.Quantity"},
    {"sub", "quantity_sub_int", kMember, "kubernetes.Quantity, int", "kubernetes.Quantity"},
};

constexpr Declaration kSemver[] = {
    {"compareTo", "semver_compare_to", kMember, "kubernetes.Semver, kubernetes.Semver", "int"},
    {"isGreaterThan", "semver_is_greater_than", kMember, "kubernetes.Semver, kubernetes.Semver",
     "bool"},
    {"isLessThan", "semver_is_less_than", kMember, "kubernetes.Semver, kubernetes.Semver", "bool"},
    {"isSemver", "is_semver_string", kGlobal, "string", "bool"},
    {"isSemver", "is_semver_string_bool", kGlobal, "string, bool", "bool"},
    {"major", "semver_major", kMember, "kubernetes.Semver", "int"},
    {"minor", "semver_minor", kMember, "kubernetes.Semver", "int"},
    {"patch", "semver_patch", kMember, "kubernetes.Semver", "int"},
    {"semver", "string_to_semver", kGlobal, "string", "kubernetes.Semver"},
    {"semver", "string_bool_to_semver", kGlobal, "string, bool", "kubernetes.Semver"},
};

constexpr Declaration kIp[] = {
    {"family", "ip_family", kMember, "net.IP", "int"},
    {"ip", "string_to_ip", kGlobal, "string", "net.IP"},
    {"ip.isCanonical", "ip_is_canonical", kGlobal, "string", "bool"},
    {"isGlobalUnicast", "ip_is_global_unicast", kMember, "net.IP", "bool"},
    {"isIP", "is_ip", kGlobal, "string", "bool"},
    {"isLinkLocalMulticast", "ip_is_link_local_multicast", kMember, "net.IP", "bool"},
    {"isLinkLocalUnicast", "ip_is_link_local_unicast", kMember, "net.IP", "bool"},
    {"isLoopback", "ip_is_loopback", kMember, "net.IP", "bool"},
    {"isUnspecified", "ip_is_unspecified", kMember, "net.IP", "bool"},
    {"string", "ip_to_string", kGlobal, "net.IP", "string"},
};

constexpr Declaration kCidr[] = {
    {"cidr", "string_to_cidr", kGlobal, "string", "net.CIDR"},
    {"containsCIDR", "cidr_contains_cidr_string", kMember, "net.CIDR, string", "bool"},
    {"containsCIDR", "cidr_contains_cidr", kMember, "net.CIDR, net.CIDR", "bool"},
    {"containsIP", "cidr_contains_ip_string", kMember, "net.CIDR, string", "bool"},
    {"containsIP", "cidr_contains_ip_ip", kMember, "net.CIDR, net.IP", "bool"},
    {"ip", "cidr_ip", kMember, "net.CIDR", "net.IP"},
    {"isCIDR", "is_cidr", kGlobal, "string", "bool"},
    {"masked", "cidr_masked", kMember, "net.CIDR", "net.CIDR"},
    {"prefixLength", "cidr_prefix_length", kMember, "net.CIDR", "int"},
    {"string", "cidr_to_string", kGlobal, "net.CIDR", "string"},
};

constexpr Declaration kNamedFormats[] = {
    {"format.byte", "format.byte", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.date", "format.date", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.datetime", "format.datetime", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.dns1035Label", "format.dns1035Label", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.dns1035LabelPrefix", "format.dns1035LabelPrefix", kGlobal, "",
     "kubernetes.NamedFormat"},
    {"format.dns1123Label", "format.dns1123Label", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.dns1123LabelPrefix", "format.dns1123LabelPrefix", kGlobal, "",
     "kubernetes.NamedFormat"},
    {"format.dns1123Subdomain", "format.dns1123Subdomain", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.dns1123SubdomainPrefix", "format.dns1123SubdomainPrefix", kGlobal, "",
     "kubernetes.NamedFormat"},
    {"format.labelValue", "format.labelValue", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.named", "format-named", kGlobal, "string", "optional_type(kubernetes.NamedFormat)"},
    {"format.qualifiedName", "format.qualifiedName", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.uri", "format.uri", kGlobal, "", "kubernetes.NamedFormat"},
    {"format.uuid", "format.uuid", kGlobal, "", "kubernetes.NamedFormat"},
    {"validate", "format-validate", kMember, "kubernetes.NamedFormat, string",
     "optional_type(list(string))"},
};

constexpr std::string_view kSummable[] = {"int", "uint", "double", "duration"};
constexpr std::string_view kComparable[] = {"int",      "uint",      "double", "bool",
                                            "duration", "timestamp", "string", "bytes"};

}  // namespace

void DeclareUrls(Environment& environment) { Declare(environment, kUrls); }

void DeclareRegex(Environment& environment) { Declare(environment, kRegex); }

void DeclareKubernetesLists(Environment& environment) {
  for (const std::string_view type : kComparable) {
    const std::string list = fmt::format("list({})", type);
    Declare(environment,
            {"isSorted", fmt::format("list_{}_is_sorted_bool", type), kMember, list, "bool"});
    Declare(environment, {"min", fmt::format("list_{0}_min_{0}", type), kMember, list, type});
    Declare(environment, {"max", fmt::format("list_{0}_max_{0}", type), kMember, list, type});
  }
  for (const std::string_view type : kSummable) {
    Declare(environment, {"sum", fmt::format("list_{0}_sum_{0}", type), kMember,
                          fmt::format("list({})", type), type});
  }
  Declare(environment, kKubernetesLists);
}

void DeclareIncludes(Environment& environment) { Declare(environment, kIncludes); }

void DeclareAuthorizer(Environment& environment) { Declare(environment, kAuthorizer); }

void DeclareAuthorizerSelectors(Environment& environment) {
  Declare(environment, kAuthorizerSelectors);
}

void DeclareQuantity(Environment& environment) { Declare(environment, kQuantity); }

void DeclareSemver(Environment& environment) { Declare(environment, kSemver); }

void DeclareIp(Environment& environment) {
  Declare(environment, kIp);
  environment.type_names.push_back({"net.IP", environment.types.Opaque("net.IP")});
}

void DeclareCidr(Environment& environment) {
  Declare(environment, kCidr);
  environment.type_names.push_back({"net.CIDR", environment.types.Opaque("net.CIDR")});
}

void DeclareNamedFormats(Environment& environment) { Declare(environment, kNamedFormats); }

}  // namespace quadra::cel
