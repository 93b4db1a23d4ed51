// FieldError: one refusal, spelled exactly as a cause in the API server's Status; ErrorList: the
// refusals of one object.
//
// Upstream judges an object twice, by hand-written rules and by declarative ones (tags on the Go
// types), and shows both: hand-written errors first, without exact repetitions, then declarative
// ones. Where a declarative rule of level beta says the same (type, field, origin) as a
// hand-written one that is marked covered, only the declarative text appears. Combine() does this;
// rules only have to mark what they report.
//
//   errors.Required(path.Child("driver"));
//   errors.Invalid(path, Number(count), "must be greater than zero").WithOrigin("minimum").Cover();
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validation/path.h"

namespace quadra::validation {

enum class ErrorType : std::uint8_t {
  kRequired,
  kInvalid,
  kDuplicate,
  kNotSupported,
  kForbidden,
  kNotFound,
  kTooLong,
  kTooShort,
  kTooMany,
  kTooFew,
  kTypeInvalid,
  kInternalError,
  // Refusals of the whole request, which have no causes: the reason of the Status.
  kConflict,
  kUnknown,
};

// As in causes, e.g. FieldValueRequired; for refusals of the whole request the Status reason, e.g.
// Conflict.
std::string_view ErrorTypeName(ErrorType type);

struct FieldError {
  ErrorType type = ErrorType::kInvalid;
  std::string field;    // path text; empty for refusals of the whole request
  std::string message;  // e.g. Invalid value: "x": must be lower case

  // For Combine() only.
  std::string_view origin = {};  // which rule; a literal
  bool covered = false;          // hand-written, and a declarative rule says the same
  bool beta =
      false;  // declarative, and enforced only while the gate DeclarativeValidationBeta is on

  FieldError& WithOrigin(std::string_view rule) {
    origin = rule;
    return *this;
  }
  FieldError& Cover() {
    covered = true;
    return *this;
  }

  // What users see.
  friend bool operator==(const FieldError& a, const FieldError& b) {
    return a.type == b.type && a.field == b.field && a.message == b.message;
  }
};

// A value as it is shown in messages. Go tells `string` (quoted as Go source) from named string
// types such as enums and UIDs (shown as JSON); so do we.
struct Value {
  std::string text;
};
Value Quoted(std::string_view text);  // Go's %q
Value Named(std::string_view text);   // of a named string type or behind a pointer: as JSON
Value Number(std::int64_t number);
Value Bool(bool value);
Value Json(std::string json);  // anything else, already encoded
Value Null();

class ErrorList {
 public:
  // The makers return the new error for marking; the reference dies with the next one. `detail` may
  // be empty.
  FieldError& Required(const Path& path, std::string_view detail = {});
  FieldError& Invalid(const Path& path, const Value& value, std::string_view detail);
  FieldError& Invalid(const Path& path, std::string_view value, std::string_view detail);
  FieldError& Duplicate(const Path& path, const Value& value);
  FieldError& Duplicate(const Path& path, std::string_view value);
  FieldError& NotFound(const Path& path, const Value& value);
  // `supported` is listed in the given order.
  FieldError& NotSupported(const Path& path, const Value& value,
                           std::span<const std::string_view> supported);
  FieldError& Forbidden(const Path& path, std::string_view detail);
  FieldError& TooLong(const Path& path, std::size_t max_bytes);
  FieldError& TooLongCharacters(const Path& path, std::size_t max_characters);
  FieldError& TooMany(const Path& path, std::size_t size, std::size_t max);
  FieldError& InternalError(const Path& path, std::string_view detail);
  // A refusal of the whole request.
  FieldError& Refuse(ErrorType reason, std::string message);
  FieldError& Add(ErrorType type, const Path& path, std::string_view value,
                  std::string_view detail);

  bool empty() const { return errors_.empty(); }
  std::size_t size() const { return errors_.size(); }
  const std::vector<FieldError>& errors() const { return errors_; }

  // What was reported since the list had `start` entries: for marking, or for giving neighbours a
  // stable order.
  std::span<FieldError> Since(std::size_t start) { return std::span(errors_).subspan(start); }
  void CoverSince(std::size_t start);
  void OriginSince(std::size_t start, std::string_view origin);
  void BetaSince(std::size_t start);
  // By field, type, message: for errors of several Go maps that upstream mixes.
  void SortSince(std::size_t start);

 private:
  std::vector<FieldError> errors_;
};

// The errors a client sees (see above). `beta_enforced`: the gate DeclarativeValidationBeta.
//
// Upstream walks Go maps, whose order is random. Here (and in comparisons with upstream)
// neighbouring errors from one map are ordered by field, type, message.
std::vector<FieldError> Combine(const ErrorList& hand_written, const ErrorList& declarative,
                                bool beta_enforced);

}  // namespace quadra::validation
