#include "patch/go_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/go_text.h"
#include "patch/trees.h"

namespace quadra::patch {
namespace {

using json::Kind;
using json::Value;

double AsDouble(const std::string& spelling) { return std::strtod(spelling.c_str(), nullptr); }

std::string SpelledAsGo(const std::string& spelling) {
  std::int64_t integer = 0;
  const char* const end = spelling.data() + spelling.size();
  const auto [stop, problem] = std::from_chars(spelling.data(), end, integer);
  if (problem == std::errc() && stop == end) {
    return fmt::to_string(integer);
  }
  std::array<char, 64> text{};
  std::string made(text.begin(), std::to_chars(text.begin(), text.end(), AsDouble(spelling)).ptr);
  return made.find_first_of(".e") == std::string::npos ? made + ".0" : made;
}

bool IsFloat(const Value& number) {
  return number.number().find_first_of(".e") != std::string::npos;
}

// %v, and %s where `text` is set.
class GoPrinter {
 public:
  explicit GoPrinter(bool text) : text_(text) {}

  void Print(const Value& value);
  std::string Result() && { return std::move(out_); }

 private:
  void PrintNested(const Value& value);
  void PrintObject(const Value& object);
  void PrintArray(const Value& array);
  void PrintScalar(const Value& value, std::string_view plain);

  bool text_;
  int depth_ = 0;
  std::string out_;
};

constexpr int kMaxPrintedDepth = 1000;  // deeper values are cut short, so that depth costs no stack

void GoPrinter::PrintScalar(const Value& value, std::string_view plain) {
  if (text_ && !value.is_null()) {
    out_ += fmt::format("%!s({}={})", GoTypeName(value), plain);
  } else {
    out_ += plain;
  }
}

// Go sorts the keys of maps when it prints them.
void GoPrinter::PrintObject(const Value& object) {
  std::vector<const Value::Member*> members;
  for (const Value::Member& member : object.members()) {
    members.push_back(&member);
  }
  std::ranges::sort(members, {}, &Value::Member::key);
  out_ += "map[";
  for (const Value::Member* member : members) {
    out_ += (member == members.front() ? "" : " ") + member->key + ":";
    Print(member->value);
  }
  out_ += "]";
}

void GoPrinter::PrintArray(const Value& array) {
  out_ += "[";
  for (const Value& item : array.items()) {
    out_ += &item == array.items().data() ? "" : " ";
    Print(item);
  }
  out_ += "]";
}

void GoPrinter::Print(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return PrintScalar(value, "<nil>");
    case Kind::kBool:
      return PrintScalar(value, value.boolean() ? "true" : "false");
    case Kind::kNumber:
      return PrintScalar(value,
                         IsFloat(value) ? GoFloat(AsDouble(value.number())) : value.number());
    case Kind::kString:
      out_ += value.string();
      return;
    case Kind::kArray:
    case Kind::kObject:
      return PrintNested(value);
  }
}

void GoPrinter::PrintNested(const Value& value) {
  if (depth_ == kMaxPrintedDepth) {
    out_ += "...";
    return;
  }
  ++depth_;
  value.kind() == Kind::kArray ? PrintArray(value) : PrintObject(value);
  --depth_;
}

std::string Printed(const Value& value, bool text) {
  GoPrinter printer(text);
  printer.Print(value);
  return std::move(printer).Result();
}

}  // namespace

void SpellNumbersAsGo(Value& tree) {
  ForEachValue(tree, [](Value& value) {
    if (value.kind() == Kind::kNumber) {
      value = Value::Number(SpelledAsGo(value.number()));
    }
  });
}

bool SameGoType(const Value& a, const Value& b) {
  return a.kind() == b.kind() && (a.kind() != Kind::kNumber || IsFloat(a) == IsFloat(b));
}

std::string_view GoTypeName(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return "%!s(<nil>)";
    case Kind::kBool:
      return "bool";
    case Kind::kNumber:
      return IsFloat(value) ? "float64" : "int64";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "[]interface {}";
    case Kind::kObject:
      return "map[string]interface {}";
  }
  return "";
}

std::string GoPlain(const Value& value) { return Printed(value, false); }
std::string GoAsText(const Value& value) {
  return value.is_null() ? "%!s(<nil>)" : Printed(value, true);
}

}  // namespace quadra::patch
