#include <array>
#include <ostream>

#include <fmt/format.h>

#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kKubernetes = "v1.37.1";

constexpr std::array kFlags = {
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "json yaml",
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
std::string AsJson() {
  std::string members;
  for (const Fact& fact : kFacts) {
    members +=
        fmt::format("{}    \"{}\": \"{}\"", members.empty() ? "" : ",\n", fact.key, fact.value);
  }
  return fmt::format("{{\n  \"clientVersion\": {{\n{}\n  }}\n}}\n", members);
}

std::string AsYaml() {
  std::string out = "clientVersion:\n";
  for (const Fact& fact : kFacts) {
    out += fmt::format("  {}: \"{}\"\n", fact.key, fact.value);
  }
  return out;
}

ExitCode PrintVersion(const Invocation& invocation, Console& console) {
  const std::string format = invocation.Value("output");
  if (format == "json") {
    console.out << AsJson();
  } else if (format == "yaml") {
    console.out << AsYaml();
  } else {
    console.out << "Client Version: v" QUADRA_VERSION "\nKubernetes API: " << kKubernetes << '\n';
  }
  return ExitCode::kYes;
}

}  // namespace

const Verb kVersionVerb{
    .name = "version",
    .synopsis = "[-o json|yaml]",
    .summary = "print the version of quadra and of the Kubernetes API it speaks",
    .description =
        "Prints the version of this program, and the release of Kubernetes whose "
        "behaviour it follows.",
    .examples = "  quadra version\n  quadra version -o json\n",
    .flags = kFlags,
    .run = PrintVersion,
};

}  // namespace quadra::cli
