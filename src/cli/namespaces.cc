#include "cli/namespaces.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/dump_input.h"

namespace quadra::cli {

Status CheckPathSegment(std::string_view what, std::string_view segment) {
  std::vector<std::string> wrong;
  if (segment == "." || segment == "..") {
    wrong.push_back(fmt::format("may not be '{}'", segment));
  }
  for (const char byte : {'/', '%'}) {
    if (segment.find(byte) != std::string_view::npos) {
      wrong.push_back(fmt::format("may not contain '{}'", byte));
    }
  }
  if (wrong.empty()) {
    return {};
  }
  return Fail(
      {.kind = ErrorKind::kUsage,
       .message = fmt::format("invalid {} \"{}\": [{}]", what, segment, fmt::join(wrong, " "))});
}

Status SettleNamespace(Invocation& invocation) {
  if (!invocation.Has(kNamespaceFlag.name)) {
    return {};
  }
  const std::string ns = invocation.Value(kNamespaceFlag.name);
  if (ns.empty()) {
    invocation.flags.erase(invocation.flags.find(kNamespaceFlag.name));
  }
  return CheckPathSegment("namespace", ns);
}

Status CheckTarget(const live::Target& target) {
  if (target.name.empty()) {
    return Fail({.kind = ErrorKind::kUsage, .message = "resource name may not be empty"});
  }
  if (target.resource.namespaced && target.ns.empty()) {
    return Fail({.kind = ErrorKind::kUsage,
                 .message = "an empty namespace may not be set when a resource name is provided"});
  }
  if (target.resource.namespaced) {
    QUADRA_RETURN_IF_ERROR(CheckPathSegment("namespace", target.ns));
  }
  return CheckPathSegment("resource name", target.name);
}

}  // namespace quadra::cli
