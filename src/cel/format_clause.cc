#include "cel/format_clause.h"

#include <charconv>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "cel/unicode.h"

namespace quadra::cel {
namespace {

Result<std::int64_t> TakePrecision(std::string_view& rest) {
  const std::size_t end = rest.find_first_not_of("0123456789", 1);
  if (end == std::string_view::npos) {
    return Fail(ErrorKind::kSyntax,
                "error while parsing precision: could not find end of precision specifier");
  }
  const std::string_view digits = rest.substr(1, end - 1);
  std::int64_t precision = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), precision);
  if (read.ec != std::errc()) {
    return Fail(ErrorKind::kSyntax,
                fmt::format("error while parsing precision: error while converting precision to "
                            "integer: strconv.Atoi: parsing \"{}\": {}",
                            digits, digits.empty() ? "invalid syntax" : "value out of range"));
  }
  rest.remove_prefix(end);
  return precision;
}

}  // namespace

Result<FormatClause> TakeFormatClause(std::string_view& rest) {
  FormatClause clause;
  if (rest[0] == '.') {
    QUADRA_TRY(clause.precision, TakePrecision(rest));
  }
  clause.verb = rest[0];
  rest.remove_prefix(1);
  if (std::string_view("sdfebxXo").find(clause.verb) == std::string_view::npos) {
    std::string shown;
    AppendRune(shown, static_cast<unsigned char>(clause.verb));
    return Fail(ErrorKind::kSyntax, fmt::format("unrecognized formatting clause \"{}\"", shown));
  }
  return clause;
}

}  // namespace quadra::cel
