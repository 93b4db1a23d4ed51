// Documents of ours, printed in the format people ask for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/cli.h"
#include "cli/exit_code.h"

namespace quadra::cli {

// The apiVersion of all documents of ours.
inline constexpr std::string_view kDocumentVersion = "quadra/v1";

// Of objects of Kubernetes as JSON, as kubectl prints them.
inline constexpr int kObjectIndent = 4;

// REQUIRES: JSON that we wrote ourselves.
std::string AsYaml(std::string_view json);

// Objects of Kubernetes, each as JSON: one by itself, several as a List, as kubectl prints them.
// `as_list`: one as a List too, since it was not asked for by its name.
std::string DocumentOfObjects(const std::vector<std::string>& objects, bool as_list = false);

// Whether `format` is one of those PrintDocument knows: json, yaml, jsonpath=TEMPLATE.
bool IsDocumentFormat(std::string_view format);
// Refuses a template that cannot be parsed. Every command line is checked before its verb runs.
Status CheckFormat(std::string_view format);

// `code`; or kUsage, having said why, where printing failed.
ExitCode PrintedOr(const Status& printed, ExitCode code, Console& console);

// Prints `json` as `format` wants it: as it is, as YAML, or what a template makes of it, without a
// line feed behind, as kubectl has it. Returns `code`; or kUsage, having said why, where the
// template asks for what the document has not.
// REQUIRES: JSON that we wrote ourselves, and IsDocumentFormat(format).
ExitCode PrintDocument(std::string_view json, std::string_view format, ExitCode code,
                       Console& console);

}  // namespace quadra::cli
