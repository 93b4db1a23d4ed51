#include "apiserver/catalog.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "apiserver/version_order.h"

namespace quadra::apiserver {
namespace {

const Catalog& Builtin() {
  static const Catalog catalog(api::Registry().All());
  return catalog;
}

template <typename T>
std::string Joined(const std::vector<T>& words) {
  std::string text;
  for (const auto& word : words) {
    text.append(text.empty() ? "" : " ");
    if constexpr (std::is_same_v<T, Verb>) {
      text.append(NameOf(word));
    } else {
      text.append(word);
    }
  }
  return text;
}

TEST(Catalog, ListsGroupsAndVersionsInUpstreamsOrder) {
  std::vector<std::string> listed;
  for (const Group& group : Builtin().groups()) {
    for (const GroupVersion& version : group.versions) {
      listed.push_back(version.ApiVersion());
    }
  }
  EXPECT_EQ(Joined(listed),
            "v1 apps/v1 events.k8s.io/v1 authentication.k8s.io/v1 authorization.k8s.io/v1 batch/v1 "
            "policy/v1 rbac.authorization.k8s.io/v1 storage.k8s.io/v1 apiextensions.k8s.io/v1 "
            "scheduling.k8s.io/v1 coordination.k8s.io/v1 resource.k8s.io/v1 "
            "resource.k8s.io/v1beta2 resource.k8s.io/v1beta1 resource.k8s.io/v1alpha3");
}

TEST(Catalog, FindsOnlyWhatIsServed) {
  struct Row {
    std::string_view group, version, plural, kind;
  };
  const Row rows[] = {
      {"", "v1", "pods", "Pod"},
      {"resource.k8s.io", "v1beta1", "resourceslices", "ResourceSlice"},
      {"", "v1", "endpoints", "Endpoints"},
      {"", "v1", "podlists", ""},
      {"", "v1", "", ""},  // kinds without a plural have no address
      {"", "v2", "pods", ""},
      {"nobody.example.com", "v1", "pods", ""},
      {"resource.k8s.io", "v1beta1", "devicetaintrules", ""},
  };
  for (const Row& row : rows) {
    const Resource* found = Builtin().Find(row.group, row.version, row.plural);
    EXPECT_EQ(found == nullptr ? "" : found->kind->kind, row.kind) << row.group << row.plural;
  }
}

TEST(Catalog, SaysWhatTheTablesDoNot) {
  struct Row {
    std::string_view group, plural, singular, short_names, categories, verbs;
  };
  constexpr std::string_view kAll = "create delete deletecollection get list patch update watch";
  const Row rows[] = {
      {"", "pods", "pod", "po", "all", kAll},
      {"", "namespaces", "namespace", "ns", "", "create delete get list patch update watch"},
      {"", "endpoints", "endpoints", "ep", "", kAll},
      {"", "bindings", "binding", "", "", "create"},
      {"authentication.k8s.io", "tokenreviews", "tokenreview", "", "", "create"},
      {"apiextensions.k8s.io", "customresourcedefinitions", "customresourcedefinition", "crd crds",
       "api-extensions", kAll},
      {"resource.k8s.io", "deviceclasses", "deviceclass", "", "", kAll},
  };
  for (const Row& row : rows) {
    const Resource* found = Builtin().Find(row.group, "v1", row.plural);
    ASSERT_NE(found, nullptr) << row.plural;
    EXPECT_EQ(found->singular, row.singular);
    EXPECT_EQ(Joined(found->short_names), row.short_names) << row.plural;
    EXPECT_EQ(Joined(found->categories), row.categories) << row.plural;
    EXPECT_EQ(Joined(found->verbs.List()), row.verbs) << row.plural;
  }
}

TEST(Catalog, ListsSubresourcesByName) {
  struct Row {
    std::string_view group, plural, subresources;
  };
  const Row rows[] = {
      {"", "pods", "binding:Binding ephemeralcontainers:Pod resize:Pod status:Pod"},
      {"", "namespaces", "finalize:Namespace status:Namespace"},
      {"", "configmaps", ""},
      {"apps", "deployments", "scale:Scale status:Deployment"},
      {"resource.k8s.io", "resourceclaims", "status:ResourceClaim"},
  };
  for (const Row& row : rows) {
    const Resource* found = Builtin().Find(row.group, "v1", row.plural);
    ASSERT_NE(found, nullptr) << row.plural;
    std::vector<std::string> parts;
    parts.reserve(found->subresources.size());
    for (const Subresource& part : found->subresources) {
      parts.push_back(std::string(part.name).append(":").append(part.kind->kind));
    }
    EXPECT_EQ(Joined(parts), row.subresources) << row.plural;
  }
}

TEST(Catalog, ShortNamesOfCoreAreUnique) {
  std::vector<std::string> names;
  for (const GroupVersion& version : Builtin().Find("")->versions) {
    for (const Resource& resource : version.resources) {
      names.insert(names.end(), resource.short_names.begin(), resource.short_names.end());
    }
  }
  std::ranges::sort(names);
  EXPECT_EQ(Joined(names), "cm ep ev limits no ns po pv pvc quota rc sa svc");
}

TEST(VersionOrder, PrefersTheStableThenTheGreater) {
  std::vector<std::string_view> versions = {"v1alpha3", "foo", "v1", "v1beta10", "v2",
                                            "v1beta2",  "v0",  "v",  "v1gamma1", "v10"};
  std::ranges::sort(versions, PrecedesVersion);
  EXPECT_EQ(Joined(versions), "v10 v2 v1 v1beta10 v1beta2 v1alpha3 foo v v0 v1gamma1");
}

}  // namespace
}  // namespace quadra::apiserver
