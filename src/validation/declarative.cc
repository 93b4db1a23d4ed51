#include "validation/declarative.h"

#include <fmt/format.h>

#include "base/go_text.h"

namespace quadra::validation {
namespace {

bool Report(const Site& site, std::string_view value, const api::Problems& problems,
            std::string_view origin, std::string_view prefix = {}) {
  for (const std::string& problem : problems) {
    site.errors.Invalid(site.path, value, std::string(prefix) + problem).WithOrigin(origin);
  }
  return true;
}

void CheckIdentifier(const Site& site, std::string_view value) {
  if (value.size() > api::kMaxIdentifierLength) {
    site.errors.TooLong(site.path, api::kMaxIdentifierLength);
  }
  Report(site, value, api::CIdentifierProblems(value), {});
}

void CheckDomain(const Site& site, std::string_view value) {
  if (value.empty()) {
    site.errors.Invalid(site.path, "", "prefix must not be empty");
    return;
  }
  if (value.size() > api::kMaxDomainLength) {
    site.errors.TooLong(site.path, api::kMaxDomainLength);
  }
  Report(site, value, api::DnsSubdomainProblems(value, api::Wording::kBytes), {}, "prefix: ");
}

std::string Joined(std::span<const std::string_view> names, std::string_view quote) {
  std::string text;
  for (const std::string_view name : names) {
    text += text.empty() ? "" : ", ";
    text.append(quote).append(name).append(quote);
  }
  return text;
}

std::vector<std::string_view> Chosen(std::span<const std::string_view> members,
                                     std::span<const bool> given) {
  std::vector<std::string_view> chosen;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (given[i]) {
      chosen.push_back(members[i]);
    }
  }
  return chosen;
}

}  // namespace

bool MaxBytes::operator()(const Site& site, const std::string& now,
                          const std::string* /*old*/) const {
  if (now.size() > max) {
    site.errors.TooLong(site.path, max).WithOrigin("maxBytes");
  }
  return true;
}

bool MaxLength::operator()(const Site& site, const std::string& now,
                           const std::string* /*old*/) const {
  if (now.size() > max && CountRunes(now) > max) {
    site.errors.TooLongCharacters(site.path, max).WithOrigin("maxLength");
  }
  return true;
}

bool Minimum::Check(const Site& site, std::int64_t now) const {
  if (now < min) {
    site.errors
        .Invalid(site.path, Number(now), fmt::format("must be greater than or equal to {}", min))
        .WithOrigin("minimum");
  }
  return true;
}

bool Maximum::Check(const Site& site, std::int64_t now) const {
  if (now > max) {
    site.errors
        .Invalid(site.path, Number(now), fmt::format("must be less than or equal to {}", max))
        .WithOrigin("maximum");
  }
  return true;
}

bool Enum::operator()(const Site& site, const std::string& now, const std::string* /*old*/) const {
  if (std::ranges::find(values, now) == values.end()) {
    site.errors.NotSupported(site.path, Named(now), values);
  }
  return true;
}

bool ShortName(const Site& site, const std::string& now, const std::string* /*old*/) {
  return Report(site, now, api::DnsLabelProblems(now, api::Wording::kBytes),
                "format=k8s-short-name");
}

bool LongName(const Site& site, const std::string& now, const std::string* /*old*/) {
  return Report(site, now, api::DnsSubdomainProblems(now, api::Wording::kBytes),
                "format=k8s-long-name");
}

bool LongNameCaseless(const Site& site, const std::string& now, const std::string* /*old*/) {
  return Report(site, now, api::CaselessDnsSubdomainProblems(now), "format=k8s-long-name-caseless");
}

bool LabelKey(const Site& site, const std::string& now, const std::string* /*old*/) {
  return Report(site, now, api::LabelKeyProblems(now), "format=k8s-label-key");
}

bool Uuid(const Site& site, const std::string& now, const std::string* /*old*/) {
  if (!api::IsLowerCaseUuid(now)) {
    site.errors.Invalid(site.path, now, "must be a lowercase UUID in 8-4-4-4-12 format")
        .WithOrigin("format=k8s-uuid");
  }
  return true;
}

bool ResourcePoolName(const Site& site, const std::string& now, const std::string* /*old*/) {
  const std::size_t start = site.errors.size();
  if (now.size() > api::kMaxPoolNameLength) {
    site.errors.TooLong(site.path, api::kMaxPoolNameLength);
  }
  const std::vector<std::string_view> parts = api::Split(now, '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) {
      site.errors.Invalid(site.path, now, fmt::format("segment {}: must not be empty", i));
    } else {
      Report(site, parts[i], api::DnsSubdomainProblems(parts[i], api::Wording::kBytes), {},
             fmt::format("segment {}: ", i));
    }
  }
  site.errors.OriginSince(start, "format=k8s-resource-pool-name");
  return true;
}

bool FullyQualifiedName(const Site& site, const std::string& now, const std::string* /*old*/) {
  const std::size_t start = site.errors.size();
  const std::vector<std::string_view> parts = api::Split(now, '/');
  if (parts.size() == 1) {
    CheckIdentifier(site, now);
    site.errors.Invalid(site.path, now,
                        "a fully qualified name must be a domain and a name separated by a slash");
  } else if (parts.size() == 2) {
    CheckDomain(site, parts[0]);
    if (parts[1].empty()) {
      site.errors.Invalid(site.path, "", "name must not be empty");
    } else {
      CheckIdentifier(site, parts[1]);
    }
  }
  site.errors.OriginSince(start, "format=k8s-resource-fully-qualified-name");
  return true;
}

bool ExtendedResourceName(const Site& site, const std::string& now, const std::string* /*old*/) {
  constexpr std::string_view kOrigin = "format=k8s-extended-resource-name";
  if (now.find('/') == now.npos) {
    Report(site, now, {"a name must be a domain-prefixed path, such as 'example.com/my-prop'"},
           kOrigin);
  } else if (now.find("kubernetes.io/") != now.npos) {
    Report(site, now, {"must not have \"kubernetes.io/\" domain"}, kOrigin);
  }
  if (now.starts_with("requests.")) {
    Report(site, now, {"must not have \"requests.\" prefix"}, kOrigin);
  }
  return Report(site, now, api::LabelKeyProblems("requests." + now), kOrigin);
}

void CheckUnion(const Site& site, std::span<const std::string_view> members,
                std::span<const bool> given, bool none_allowed) {
  const auto count = std::ranges::count(given, true);
  if (count == 1 || (count == 0 && none_allowed)) {
    return;
  }
  const std::string all = Joined(members, "`");
  if (count == 0) {
    site.errors.Invalid(site.path, "", "must specify one of: " + all).WithOrigin("union");
    return;
  }
  site.errors
      .Invalid(site.path, fmt::format("{{{}}}", Joined(Chosen(members, given), "")),
               fmt::format("must specify {} one of: {}", none_allowed ? "at most" : "exactly", all))
      .WithOrigin(none_allowed ? "zeroOrOneOf" : "union");
}

}  // namespace quadra::validation
