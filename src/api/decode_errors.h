// DecodeErrors: what went wrong while an object was read, ranked and worded as upstream's strict
// decoder does.
//
// Upstream reports one class only, the first of: broken syntax; a value its own parser refused (a
// quantity or time, which ends decoding at once); the first wrong JSON type; all unknown and
// duplicate fields in document order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/decode_error.h"
#include "api/schema.h"

namespace quadra::api {

// The last step of the way to a value inside an object. Steps live on the stack of the decoder that
// takes them, each knowing the one before: a way costs nothing until an error names it.
struct PathStep {
  const PathStep* before = nullptr;
  std::size_t depth = 1;         // steps in all
  const Field* field = nullptr;  // a struct member
  std::string_view key = {};     // else a map key or unknown member, unless
  std::size_t index = 0;         // it is a list item
  bool is_index = false;
};

// spec.devices[0].attributes.model: indices in brackets, map keys as plain segments. Null: no way
// at all.
std::string ExactPath(const PathStep* last);
// As Go's decoder names the place of a wrong type: struct members only, embedded structs by their
// Go name.
std::string MemberPath(const PathStep* last);

// Collects during a decode. Not thread-safe.
class DecodeErrors {
 public:
  // While it lives, errors lie inside this step.
  class Inside {
   public:
    Inside(DecodeErrors& errors, const Field& field) : Inside(errors) { step_.field = &field; }
    Inside(DecodeErrors& errors, std::string_view key) : Inside(errors) { step_.key = key; }
    Inside(DecodeErrors& errors, std::size_t index) : Inside(errors) {
      step_.index = index;
      step_.is_index = true;
    }
    ~Inside() { errors_.last_ = step_.before; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    explicit Inside(DecodeErrors& errors)
        : errors_(errors), step_{.before = errors.last_, .depth = errors.depth() + 1} {
      errors.last_ = &step_;
    }

    DecodeErrors& errors_;
    PathStep step_;
  };
  std::size_t depth() const { return last_ == nullptr ? 0 : last_->depth; }

  void WrongType(std::string_view found, const Type& wanted);
  // The value at hand was refused by its own parser. Later errors no longer count.
  void BadValue(std::string why);
  // As BadValue, for a parser that wanted another JSON type; upstream then names the path.
  void BadValueType(std::string_view found, const Type& wanted);
  // A string that is no base64: counts as a wrong type, but upstream names no path.
  void BadEncoding();
  // Between the two calls a value is read by its own parser, which is not strict: unknown and
  // duplicate fields do not count, and a wrong type ends decoding when the parser is left.
  void EnterLenient();
  void LeaveLenient();
  void Unknown(std::string_view key);
  void Duplicate(std::string_view key);

  bool aborted() const { return bad_value_.has_value(); }
  // The error upstream would report; nullopt when all is well. Syntax is the caller's.
  std::optional<DecodeError> First() const;
  // Every unknown and duplicate field (at most 100), for tools that list them all.
  const std::vector<DecodeError>& strict() const { return strict_; }

 private:
  DecodeError TypeError(std::string_view found, const Type& wanted) const;
  void AddStrict(std::string_view problem, std::string_view key);

  const PathStep* last_ = nullptr;
  std::optional<DecodeError> bad_value_;
  std::optional<DecodeError> wrong_type_;
  std::vector<std::optional<DecodeError>> outside_;  // wrong_type_ before each EnterLenient
  std::vector<DecodeError> strict_;
};

}  // namespace quadra::api
