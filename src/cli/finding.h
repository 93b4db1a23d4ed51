// Finding: what `quadra validate` says about one object, and the ways of printing findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/identity.h"

namespace quadra::cli {

enum class Verdict : std::uint8_t {
  kValid,
  kDraFieldsValid,  // only the fields of dynamic resource allocation were judged
  kInvalid,
  kNotChecked,
  kNoStored,  // an update was asked for, but the stored object was not given
};

struct Problem {
  std::string
      type;  // as in the causes of the server's Status; empty when the object could not be decoded
  std::string field;  // path; may be empty
  std::string message;
  std::string hint;  // our words after upstream's
  std::size_t line = 0;
};

struct Note {
  std::string text;
  std::size_t line = 0;
};

struct Finding {
  std::string file;
  std::size_t line = 0;
  Identity identity;
  Verdict verdict = Verdict::kValid;
  std::string reason;  // kNotChecked, kNoStored: why
  std::vector<Problem> errors;
  std::vector<Note> warnings;
  std::vector<Note> dropped;  // paths of fields that the server would drop silently
};

ExitCode ExitCodeOf(Verdict verdict);

// Prints findings as they come and a summary at the end. `format` is text, json, yaml or
// jsonl.
class Report {
 public:
  Report(std::string format, std::ostream& out) : format_(std::move(format)), out_(out) {}
  void Add(const Finding& finding);
  // To be called once, after the last.
  void Finish();

 private:
  void PrintText(const Finding& finding);
  std::string Document() const;
  void PrintSummary();

  std::string format_;
  std::ostream& out_;
  std::vector<std::string> items_;                                 // of json and yaml: the findings
  std::vector<std::size_t> counts_ = std::vector<std::size_t>(5);  // by Verdict
};

}  // namespace quadra::cli
