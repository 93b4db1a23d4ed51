// Any bytes are an expression or a list of complaints.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cel/checked.h"
#include "cel/environment.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quadra::cel;  // NOLINT(google-build-using-namespace)
  static const auto environment = KubernetesEnvironment({});
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const ParseOutcome outcome = Parse(*environment, source);
  QUADRA_CHECK((outcome.ast == nullptr) == !outcome.issues.empty(), "either a tree or complaints");
  QUADRA_CHECK(outcome.ast != nullptr || !FormatIssues(source, outcome.issues).empty(),
               "complaints have words");
  return 0;
}
