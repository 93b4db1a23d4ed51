// Result<T>: a value, or an Error that a person can act on.
//
// Three outcomes have three spellings in this code base. An Error says that the question was wrong
// or the machinery failed. A negative answer ("no fit") is a value with its own type. A broken
// invariant is CHECK (check.h). Nothing here throws; adapters catch what libraries throw.
//
//   Result<Quantity> Quantity::Parse(std::string_view text);
//   QUADRA_TRY(const Quantity memory, Quantity::Parse(text));   // returns the Error to our caller
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace quadra {

// What went wrong, for programs. The spelling of a code (ErrorKindName) is a promise: it appears in
// output and in docs.
enum class ErrorKind {
  kInvalid,      // a value breaks a rule
  kSyntax,       // text that is no JSON, YAML, protobuf, ...
  kUnsupported,  // well-formed, but of a kind or version we do not know
  kNotFound,     // a named thing does not exist
  kTooLarge,     // beyond a documented limit
  kUnreadable,   // a file, directory or stream could not be read
  kUsage,        // the command line makes no sense
};

std::string_view ErrorKindName(ErrorKind kind);

// All parts but `kind` and `message` may be empty.
struct Error {
  ErrorKind kind = ErrorKind::kInvalid;
  std::string message;  // one sentence without the parts below
  std::string field;    // path inside the object, e.g. spec.devices[0].name
  std::string value;    // the offending value as the user wrote it
  std::string remedy;   // what to do about it, as an imperative

  // "field: message: value; remedy", leaving out what is empty.
  std::string ToString() const;

  friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }
inline tl::unexpected<Error> Fail(ErrorKind kind, std::string message) {
  return Fail(Error{.kind = kind, .message = std::move(message)});
}

}  // namespace quadra

#define QUADRA_CONCAT_INNER(a, b) a##b
#define QUADRA_CONCAT(a, b) QUADRA_CONCAT_INNER(a, b)

// Declares `declaration` with the value of `expression`, or returns its Error from the enclosing
// function.
#define QUADRA_TRY(declaration, expression) \
  QUADRA_TRY_AS(QUADRA_CONCAT(quadra_try_, __LINE__), declaration, expression)
#define QUADRA_TRY_AS(name, declaration, expression)                          \
  auto name = (expression);                                                   \
  if (!name) return tl::unexpected<::quadra::Error>(std::move(name).error()); \
  declaration = *std::move(name)

// The same for an expression whose value is not wanted.
#define QUADRA_RETURN_IF_ERROR(expression)                                      \
  do {                                                                          \
    if (auto quadra_status = (expression); !quadra_status) {                    \
      return tl::unexpected<::quadra::Error>(std::move(quadra_status).error()); \
    }                                                                           \
  } while (false)
