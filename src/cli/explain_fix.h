// ExplainFix: the objects that a fix of an explanation changes, as they would be.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/object.h"
#include "base/result.h"
#include "cli/verb.h"
#include "diagnosis/diagnose.h"
#include "json/documents.h"

namespace quadra::cli {

// The pods and nodes of the dump as they were written, by kind/namespace/name. The dump itself keeps
// of them only what placing looks at.
using Written = std::map<std::string, json::Manifest>;
void KeepWritten(const json::Manifest& manifest, const api::Identity& identity, Written& written);

struct ChosenFix {
  std::string text;                  // in words
  std::vector<std::string> objects;  // as JSON, in the order in which they are to be read
  const api::Pod* pod = nullptr;     // that is helped; null: a claim is
  std::string pod_as_written;        // as JSON; empty where it was not written
};

// Of those that `answer` found, by its number as people type it; kUsage where there is none.
Result<ChosenFix> ChooseFix(const std::string& wanted, const placement::Cluster& cluster,
                            const diagnosis::Diagnosis& answer, const api::Pod* pod,
                            const Written& written);

ExitCode PrintFix(const ChosenFix& fix, const std::string& format, Console& console);

}  // namespace quadra::cli
