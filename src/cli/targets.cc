#include "cli/targets.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/views.h"
#include "base/nearest.h"
#include "cli/dump_input.h"

namespace quadra::cli {
namespace {

// What we call kinds whose own names are long.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kOurWords = {{
    {"claim", "resourceclaims"},
    {"claims", "resourceclaims"},
    {"template", "resourceclaimtemplates"},
    {"templates", "resourceclaimtemplates"},
    {"class", "deviceclasses"},
    {"classes", "deviceclasses"},
    {"slice", "resourceslices"},
    {"slices", "resourceslices"},
    {"rule", "devicetaintrules"},
    {"rules", "devicetaintrules"},
}};

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lowered;
}

bool IsNamed(const apiserver::Resource& resource, std::string_view word) {
  return word == resource.kind->plural || word == resource.singular ||
         std::ranges::find(resource.short_names, word) != resource.short_names.end();
}

// The preferred version of the first group that has it; `group` may be empty for any.
const apiserver::Resource* FindResource(const apiserver::Catalog& catalog, std::string_view word,
                                        std::string_view group) {
  for (const apiserver::Group& candidate : catalog.groups()) {
    if (!group.empty() && candidate.name != group) {
      continue;
    }
    for (const apiserver::GroupVersion& version : candidate.versions) {
      for (const apiserver::Resource& resource : version.resources) {
        if (IsNamed(resource, word)) {
          return &resource;
        }
      }
    }
  }
  return nullptr;
}

Error UnknownWord(const apiserver::Catalog& catalog, std::string_view word) {
  std::set<std::string_view> known;
  for (const apiserver::Group& group : catalog.groups()) {
    for (const apiserver::Resource& resource : group.versions.front().resources) {
      known.insert(resource.kind->plural);
    }
  }
  const std::vector<std::string_view> words(known.begin(), known.end());
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("there is no kind \"{}\" here{}", word, DidYouMean(word, words)),
          .remedy = "give an object of another kind as a file, with -f"};
}

}  // namespace

std::string KindTitleOf(const client::Resource& resource) {
  return fmt::format("{}{}{}", Lowered(resource.kind), resource.group.empty() ? "" : ".",
                     resource.group);
}

std::string TitleOf(const client::Resource& resource, std::string_view name) {
  return fmt::format("{}/{}", KindTitleOf(resource), name);
}

Result<std::string> NamespaceFor(const Invocation& invocation, const live::Session& session,
                                 const api::Identity& identity) {
  const std::string given = invocation.Value(kNamespaceFlag.name);
  if (!given.empty() && !identity.ns.empty() && given != identity.ns) {
    return Fail({.kind = ErrorKind::kUsage,
                 .message = fmt::format("{} is of namespace {}, not {}", identity.Title(),
                                        identity.ns, given),
                 .remedy = fmt::format("leave -n out, or say -n {}", identity.ns)});
  }
  if (!identity.ns.empty()) {
    return identity.ns;
  }
  return given.empty() ? session.ns() : given;
}

Result<client::Resource> ResourceNamed(std::string_view word) {
  static const std::vector<const api::KindSchema*> kinds = api::Registry().All();
  static const apiserver::Catalog catalog(kinds);
  const std::string lowered = Lowered(word);
  std::string_view name = std::string_view(lowered).substr(0, lowered.find('.'));
  const std::string_view group =
      name.size() == lowered.size() ? "" : std::string_view(lowered).substr(name.size() + 1);
  for (const auto& [ours, plural] : kOurWords) {
    name = group.empty() && name == ours ? plural : name;
  }
  const apiserver::Resource* const found = FindResource(catalog, name, group);
  if (found == nullptr) {
    return Fail(UnknownWord(catalog, word));
  }
  return client::ResourceFor(api::ApiVersionOf(*found->kind), found->kind->kind);
}

}  // namespace quadra::cli
