#include "validation/formats.h"

#include <vector>

#include <fmt/format.h>

namespace quadra::validation {
namespace {

void ReportAll(ErrorList& errors, const Path& path, std::string_view value,
               const api::Problems& problems, std::string_view origin) {
  for (const std::string& problem : problems) {
    errors.Invalid(path, value, problem).WithOrigin(origin);
  }
}

void CheckCIdentifier(ErrorList& errors, const Path& path, std::string_view value) {
  if (value.size() > api::kMaxIdentifierLength) {
    errors.TooLong(path, api::kMaxIdentifierLength);
  }
  ReportAll(errors, path, value, api::CIdentifierProblems(value), {});
}

}  // namespace

void CheckDnsLabel(ErrorList& errors, const Path& path, std::string_view value) {
  ReportAll(errors, path, value, api::DnsLabelProblems(value), "format=k8s-short-name");
}

void CheckDnsSubdomain(ErrorList& errors, const Path& path, std::string_view value) {
  ReportAll(errors, path, value, api::DnsSubdomainProblems(value), "format=k8s-long-name");
}

void CheckNodeName(ErrorList& errors, const Path& path, std::string_view value) {
  ReportAll(errors, path, value, api::DnsSubdomainProblems(value), {});
}

void CheckDriverName(ErrorList& errors, const Path& path, std::string_view value, Covered covered) {
  const std::size_t start = errors.size();
  if (value.empty()) {
    errors.Required(path);
  } else {
    if (value.size() > api::kMaxDriverNameLength) {
      errors.TooLong(path, api::kMaxDriverNameLength).WithOrigin("maxLength");
    }
    ReportAll(errors, path, value, api::DnsSubdomainProblems(api::ToLower(value)),
              "format=k8s-long-name-caseless");
  }
  if (covered == Covered::kYes) {
    errors.CoverSince(start);
  }
}

void CheckPoolName(ErrorList& errors, const Path& path, std::string_view value) {
  if (value.empty()) {
    errors.Required(path);
    return;
  }
  const std::size_t start = errors.size();
  if (value.size() > api::kMaxPoolNameLength) {
    errors.TooLong(path, api::kMaxPoolNameLength);
  }
  for (const std::string_view part : api::Split(value, '/')) {
    CheckDnsSubdomain(errors, path, part);
  }
  errors.OriginSince(start, "format=k8s-resource-pool-name");
}

void CheckLabelKey(ErrorList& errors, const Path& path, std::string_view value) {
  ReportAll(errors, path, value, api::LabelKeyProblems(value), "format=k8s-label-key");
}

void CheckLabelValue(ErrorList& errors, const Path& path, std::string_view value) {
  ReportAll(errors, path, value, api::LabelValueProblems(value), {});
}

void CheckQualifiedName(ErrorList& errors, const Path& path, std::string_view value) {
  const std::size_t slash = value.find('/');
  if (slash == value.npos) {
    return CheckCIdentifier(errors, path, value);
  }
  const std::string_view domain = value.substr(0, slash);
  const std::string_view name = value.substr(slash + 1);
  if (name.find('/') != name.npos) {
    return;  // said by whoever checks the key
  }
  if (domain.empty()) {
    errors.Invalid(path, "", "the domain must not be empty");
  } else {
    CheckDriverName(errors, path, domain);
  }
  if (name.empty()) {
    errors.Invalid(path, "", "the name must not be empty");
  } else {
    CheckCIdentifier(errors, path, name);
  }
}

void CheckFullyQualifiedName(ErrorList& errors, const Path& path, std::string_view value) {
  const std::size_t start = errors.size();
  CheckQualifiedName(errors, path, value);
  if (value.find('/') == value.npos) {
    errors.Invalid(path, Named(value),
                   "a fully qualified name must be a domain and a name separated by a slash");
  }
  errors.OriginSince(start, "format=k8s-resource-fully-qualified-name");
}

std::string ShortenedKey(std::string_view key, std::size_t max) {
  if (key.size() <= max) {
    return std::string(key);
  }
  const std::size_t kept = max - 3;
  return fmt::format("{}...{}", key.substr(0, (kept + 1) / 2), key.substr(key.size() - kept / 2));
}

}  // namespace quadra::validation
