// ExplainReport: a diagnosis, for people and for programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "diagnosis/diagnose.h"

namespace quadra::cli {

// How many nodes are listed where not all are.
inline constexpr std::size_t kFewNodes = 5;

struct ExplainStyle {
  bool headings = true;
  bool all_nodes = false;     // otherwise the nearest few
  std::string next_prefix;    // the command that was run, for the next one to try
  bool wants_devices = true;  // false: a pod that asks for none
};

void PrintDiagnosis(const diagnosis::Diagnosis& diagnosis, const ExplainStyle& style,
                    Console& console);

// One word: has, wouldGet, wouldNot, …; the document's verdict.
std::string_view VerdictOf(const diagnosis::Diagnosis& diagnosis);
// The document of -o json; docs/cli.md describes it, and its fields are a promise.
std::string DiagnosisJson(const diagnosis::Diagnosis& diagnosis);
// Several of these as one document.
std::string ExplanationList(const std::vector<std::string>& explanations);

}  // namespace quadra::cli
