// ExplainReport: a diagnosis, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/cli.h"
#include "diagnosis/diagnose.h"

namespace quadra::cli {

struct ExplainStyle {
  bool headings = true;
  bool all_nodes = false;   // otherwise the nearest few
  std::string next_prefix;  // the command that was run, for the next one to try
};

void PrintDiagnosis(const diagnosis::Diagnosis& diagnosis, const ExplainStyle& style,
                    Console& console);

// The document of -o json; docs/cli.md describes it, and its fields are a promise.
std::string DiagnosisJson(const diagnosis::Diagnosis& diagnosis);
// Several of these as one document.
std::string ExplanationList(const std::vector<std::string>& explanations);

}  // namespace quadra::cli
