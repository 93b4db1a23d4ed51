// Whatever parses is checked: every node has a type and every call an overload, or there are
// complaints.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "cel/checked.h"
#include "cel/environment.h"

namespace {

using namespace quadra::cel;  // NOLINT(google-build-using-namespace)

void Walk(const CheckedAst& checked, NodeId id) {
  const Node& node = checked.ast->nodes[id];
  QUADRA_CHECK(!checked.types[id]->open, "variables are substituted");
  QUADRA_CHECK(node.kind != NodeKind::kCall || !checked.overloads(id).empty(), "calls resolve");
  for (const NodeId child : checked.ast->children(id)) {
    Walk(checked, child);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto environment = KubernetesEnvironment({.list_includes = true});
  ParseOutcome parsed =
      Parse(*environment, std::string_view(reinterpret_cast<const char*>(data), size));
  if (parsed.ast == nullptr) {
    return 0;
  }
  const CheckOutcome outcome = Check(*environment, std::move(parsed.ast));
  QUADRA_CHECK((outcome.checked == nullptr) == !outcome.issues.empty(),
               "either a checked tree or complaints");
  if (outcome.checked != nullptr) {
    Walk(*outcome.checked, outcome.checked->ast->root);
  }
  return 0;
}
