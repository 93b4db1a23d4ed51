#include <array>
#include <ostream>

#include <fmt/format.h>

#include "cli/document.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kKubernetes = "v1.37.1";

constexpr std::array kVersionFlags = {
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "json yaml jsonpath=",
         .help = "Print for programs."},
    Flag{.name = "client",
         .help = "Accepted because kubectl's users type it; there is no server to ask yet."},
};

struct Fact {
  std::string_view key;
  std::string_view value;
};

constexpr std::array kFacts = {
    Fact{"gitVersion", "v" QUADRA_VERSION},
    Fact{"compiler", __VERSION__},
    Fact{"kubernetesVersion", kKubernetes},
};

// The facts are plain ASCII without quotes, so no escaping is needed.
std::string VersionJson() {
  std::string members;
  for (const Fact& fact : kFacts) {
    members +=
        fmt::format("{}    \"{}\": \"{}\"", members.empty() ? "" : ",\n", fact.key, fact.value);
  }
  return fmt::format("{{\n  \"clientVersion\": {{\n{}\n  }}\n}}\n", members);
}

ExitCode PrintVersion(const Invocation& invocation, Console& console) {
  const std::string format = invocation.Value("output");
  if (IsDocumentFormat(format)) {
    return PrintDocument(VersionJson(), format, ExitCode::kYes, console);
  }
  console.out << "Client Version: v" QUADRA_VERSION "\nKubernetes API: " << kKubernetes << '\n';
  return ExitCode::kYes;
}

}  // namespace

const Verb kVersionVerb{
    .name = "version",
    .synopsis = "[-o json|yaml|jsonpath=TEMPLATE]",
    .summary = "print the version of quadra and of the Kubernetes API it speaks",
    .description =
        "Prints the version of this program, and the release of Kubernetes whose "
        "behaviour it follows.",
    .examples = "  quadra version\n  quadra version -o json\n",
    .flags = kVersionFlags,
    .run = PrintVersion,
};

}  // namespace quadra::cli
