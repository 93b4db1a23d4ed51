// Regular expressions with Go's acceptance and Go's error texts, run by RE2.
//
// A compiled Regex is immutable and shared by threads. Compilation is linear in the pattern but for
// counted repetitions, whose expansion is bounded; matching is linear in the text.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace quadra::cel {

class Regex {
 public:
  // Errors read as Go's: "error parsing regexp: missing closing ): `(`".
  static Result<Regex> Compile(std::string_view pattern);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // Anywhere in the text.
  bool Matches(std::string_view text) const;
  // The leftmost match, empty if there is none.
  std::string_view Find(std::string_view text) const;
  // Matches that do not overlap, at most `limit` of them; all if negative.
  std::vector<std::string_view> FindAll(std::string_view text, std::int64_t limit) const;

 private:
  explicit Regex(std::unique_ptr<const re2::RE2> program);
  std::unique_ptr<const re2::RE2> program_;
};

}  // namespace quadra::cel
