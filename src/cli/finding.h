// Finding: what `quadra validate` says about one object, and the ways of printing findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "api/object.h"
#include "cli/cli.h"
#include "cli/exit_code.h"

namespace quadra::cli {

enum class Conclusion : std::uint8_t {
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
  api::Identity identity;
  Conclusion conclusion = Conclusion::kValid;
  std::string reason;  // kNotChecked, kNoStored: why
  std::vector<Problem> errors;
  std::vector<Note> warnings;
  std::vector<Note> dropped;  // paths of fields that the server would drop silently
};

ExitCode ExitCodeOf(Conclusion conclusion);

// Prints findings as they come and a summary at the end. `format` is text, json, yaml,
// jsonpath=TEMPLATE or jsonl.
class Report {
 public:
  // `console` must outlive this.
  Report(std::string format, Console& console)
      : format_(std::move(format)), console_(console), out_(console.out) {}
  void Add(const Finding& finding);
  // To be called once, after the last. Returns `code`, or kUsage where a template fails.
  ExitCode Finish(ExitCode code);

 private:
  void PrintText(const Finding& finding);
  std::string Document() const;
  void PrintSummary();

  std::string format_;
  Console& console_;
  std::ostream& out_;
  std::vector<std::string> items_;                                 // of documents: the findings
  std::vector<std::size_t> counts_ = std::vector<std::size_t>(5);  // by Conclusion
};

}  // namespace quadra::cli
