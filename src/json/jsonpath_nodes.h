// What a jsonpath template consists of: the parser's output, the evaluator's input.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace quadra::json::jsonpath {

struct Node;

struct Text {
  std::string text;
};
struct Field {
  std::string name;
};
struct Identifier {
  std::string name;  // range, end, or a mistake
};
struct Literal {
  Value value;  // a number or a boolean
};
struct Wildcard {};
struct Recursive {};
// [from:to:step]; [n] is [n:n+1] with a derived end.
struct Slice {
  struct Bound {
    std::int64_t value = 0;
    bool known = false;
    bool derived = false;
  };
  std::array<Bound, 3> bounds;
};
// Applied one after the other, each to the values of the one before.
struct List {
  std::vector<Node> nodes;
};
struct Filter {
  List left;
  List right;
  std::string operation;  // as written; "exists" where there is none
};
struct Union {
  std::vector<List> lists;
};

struct Node {
  std::variant<Text, Field, Identifier, Literal, Wildcard, Recursive, Slice, List, Filter, Union>
      kind;
};

// Plain text and one List for each pair of braces. Fails with the bare sentence.
Result<List> ParseTemplate(std::string_view text);

// What a text in double or single quotes stands for, with Go's escapes.
Result<std::string> Unquote(std::string_view quoted);

}  // namespace quadra::json::jsonpath
