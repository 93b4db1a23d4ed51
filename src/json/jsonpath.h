// JsonPath: kubectl's `-o jsonpath=TEMPLATE`, a text with {expressions} that is filled from a
// document.
//
// Knows what kubectl's language knows: {.a.b}, ['a'], \. inside names, [n], [-1], [from:to:step],
// [*], .*, unions [0,2], ..name, filters [?(@.x=="y")] with == != < <= > >= or none, {range}…{end},
// {"quoted text"}, numbers and booleans. What is missing prints nothing; several values are one
// blank apart; strings, numbers and booleans print as they are, objects and lists as compact JSON
// with sorted keys. Members of an object come in the order of their keys, where kubectl's order is
// random. Errors are worded as kubectl words them.
//
// Immutable, so usable by many threads. Cost: proportional to the document, and to what is printed.
//
//   QUADRA_TRY(const JsonPath path, JsonPath::Parse("{range .items[*]}{.name}{\"\\n\"}{end}"));
//   QUADRA_TRY(const std::string text, path.Print(document));
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace quadra::json {

namespace jsonpath {
struct Node;
}

class JsonPath {
 public:
  // Fails with ErrorKind::kSyntax: error parsing jsonpath {.a, unclosed action.
  static Result<JsonPath> Parse(std::string_view text);

  // Fails with ErrorKind::kInvalid where the template asks for what this document cannot answer, e.g.
  // an index beyond the end of a list.
  Result<std::string> Print(const Value& document) const;

 private:
  std::string text_;
  std::shared_ptr<const jsonpath::Node> root_;
};

}  // namespace quadra::json
