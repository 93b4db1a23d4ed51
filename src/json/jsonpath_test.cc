#include "json/jsonpath.h"

#include <span>

#include <gtest/gtest.h>

namespace quadra::json {
namespace {

constexpr std::string_view kDocument = R"({
  "kind": "List",
  "items": [
    {"name": "a", "n": 1, "labels": {"kubernetes.io/arch": "amd64", "x": "1"}, "ok": true},
    {"name": "b", "n": 2, "f": 0.5, "none": null, "deep": {"name": "inner"}},
    {"name": "c", "n": 10, "ok": false, "empty": [], "small": 0.00001, "large": 1e21, "text": "<&>"}
  ]
})";

// What the template prints, or its error.
std::string Filled(std::string_view text) {
  const Result<JsonPath> path = JsonPath::Parse(text);
  if (!path) {
    return path.error().message;
  }
  const Result<Value> document = ParseValue(kDocument);
  const Result<std::string> filled = path->Print(document.value());
  return filled ? *filled : filled.error().message;
}

std::string Repeated(std::string_view text, int times) {
  std::string repeated;
  for (int i = 0; i < times; ++i) {
    repeated += text;
  }
  return repeated;
}

// Each range without an end runs what is behind it twice.
TEST(JsonPath, RangesThatStayOpenAreFew) {
  EXPECT_EQ(Filled(Repeated("{range .x}", 10)), "");
  EXPECT_EQ(Filled("{range .kind}{end}" + Repeated("{range .x}", 30)).substr(0, 22),
            "error parsing jsonpath");
  EXPECT_NE(Filled(Repeated("{range @}a", 40)).find("40 ranges are not closed: write {end}"),
            std::string::npos);
  EXPECT_EQ(Filled(Repeated("{range .x}", 40) + Repeated("{end}", 40) + "done"), "done");
  EXPECT_EQ(Filled(Repeated("{range @}", 40) + "a" + Repeated("{end}", 40)), "a");
}

struct Row {
  std::string_view text, filled;
};

void ExpectRows(std::span<const Row> rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(Filled(row.text), row.filled) << row.text;
  }
}

TEST(JsonPath, Values) {
  const Row rows[] = {
      {"", ""},
      {"plain text", "plain text"},
      {"{.kind}", "List"},
      {"kind={$.kind}!", "kind=List!"},
      {"{.items[0].name}", "a"},
      {"{.items[-1].name}", "c"},
      {"{.items[*].n}", "1 2 10"},
      {"{.items[0:2].name}", "a b"},
      {"{.items[1:].name}", "b c"},
      {"{.items[::2].name}", "a c"},
      {"{.items[0,2].name}", "a c"},
      {"{.items[1:1].name}", ""},
      {"{.items[].name}", "a"},
      {"{.items[*]['name','n']}", "a b c 1 2 10"},
      {"{..name}", "a b inner c"},
      {"{.items[0].labels}", R"({"kubernetes.io/arch":"amd64","x":"1"})"},
      {R"({.items[0].labels.kubernetes\.io/arch})", "amd64"},
      {R"({.items[0].labels['kubernetes\.io/arch']})", "amd64"},
      {"{.items[0].labels.*}", "amd64 1"},
      {"{.items[0].name.*}", "97"},
      {"{.missing}{.items[0].missing.deeper}{.kind.x}", ""},
      {"{.items[1].none}", "null"},
      {"{.items[*].ok}", "true false"},
      {"{.items[1].f} {.items[2].small} {.items[2].large}", "0.5 1e-05 1e+21"},
      {"{.items[2]}",
       R"({"empty":[],"large":1e+21,"n":10,"name":"c","ok":false,"small":0.00001,"text":"\u003c\u0026\u003e"})"},
      {R"({"quoted\t\"text\""}{'single\u00e9'})", "quoted\t\"text\"single\xC3\xA9"},
      {"{5}{-2.50}{true}", "5-2.5true"},
  };
  ExpectRows(rows);
}

TEST(JsonPath, Filters) {
  const Row rows[] = {
      {R"({.items[?(@.name=="b")].n})", "2"},
      {R"({.items[?(@.name!="b")].n})", "1 10"},
      {"{.items[?(@.n>1)].name}", "b c"},
      {"{.items[?(@.n>=2)].name}", "b c"},
      {"{.items[?(@.n<2)].name}", "a"},
      {"{.items[?(@.n<=2)].name}", "a b"},
      {"{.items[?(@.ok)].name}", "a c"},
      {"{.items[?(@.ok==true)].name}", "a"},
      {R"({.items[?(@.labels.kubernetes\.io/arch=="amd64")].name})", "a"},
      {R"x({.items[?(@.name==")")].n})x", ""},
      {"{.items[?(@.n==0.5)].name}",
       "error executing jsonpath \"{.items[?(@.n==0.5)].name}\": incompatible types for "
       "comparison"},
      {"{.items[?(@.n=1)].name}",
       "error executing jsonpath \"{.items[?(@.n=1)].name}\": unrecognized filter operator ="},
      {"{.items[?(@.ok<true)].name}",
       "error executing jsonpath \"{.items[?(@.ok\\u003ctrue)].name}\": invalid type for "
       "comparison"},
      {"{.items[0].labels[?(@.x)]}",
       "error executing jsonpath \"{.items[0].labels[?(@.x)]}\": map[kubernetes.io/arch:amd64 x:1] "
       "is not array or slice and cannot be filtered"},
  };
  ExpectRows(rows);
}

TEST(JsonPath, Ranges) {
  const Row rows[] = {
      {R"({range .items[*]}{.name}={.n}{"\n"}{end})", "a=1\nb=2\nc=10\n"},
      {"{range .items[*]}{.name}{end} and {.kind}", "abc and List"},
      {"{range .missing[*]}{.name}{end}rest", "rest"},
      {"{range .items[*]}{range .labels.*}<{@}>{end};{end}", "<amd64><1>;;;"},
      {"{range .items[*]}{.name}", "abc"},
      {"{range .items[*].none}{@}{end}", "<no value>"},
      {"{end}", "error executing jsonpath \"{end}\": not in range, nothing to end"},
      {"{rang .items}", "error executing jsonpath \"{rang .items}\": unrecognized identifier rang"},
  };
  ExpectRows(rows);
}

TEST(JsonPath, Mistakes) {
  const Row rows[] = {
      {"{.a", "error parsing jsonpath {.a, unclosed action"},
      {"{!}", "error parsing jsonpath {!}, unrecognized character in action: U+0021 '!'"},
      {"{.a[1}", "error parsing jsonpath {.a[1}, unterminated array"},
      {"{.a[x]}", "error parsing jsonpath {.a[x]}, invalid array index x"},
      {"{.a[-]}", "error parsing jsonpath {.a[-]}, array index - is not a number"},
      {"{.a[?(@.b}", "error parsing jsonpath {.a[?(@.b}, unterminated filter"},
      {"{.a[?(@.b)}", "error parsing jsonpath {.a[?(@.b)}, unclosed array expect ]"},
      {"{\"x}", "error parsing jsonpath {\"x}, unterminated quoted string"},
      {R"({"\q"})", R"(error parsing jsonpath {"\q"}, unquote string "\q" error invalid syntax)"},
      {"{1.2.3}", "error parsing jsonpath {1.2.3}, cannot parse number 1.2.3"},
      {"{....a}", "error parsing jsonpath {....a}, invalid multiple recursive descent"},
      {"{.items[7]}",
       "error executing jsonpath \"{.items[7]}\": array index out of bounds: index 7, length 3"},
      {"{.items[2:1]}",
       "error executing jsonpath \"{.items[2:1]}\": starting index 2 is greater than ending index "
       "1"},
      {"{.items[::0]}", "error executing jsonpath \"{.items[::0]}\": step must be > 0"},
      {"{.kind[0]}", "error executing jsonpath \"{.kind[0]}\": string is not array or slice"},
  };
  ExpectRows(rows);
}

}  // namespace
}  // namespace quadra::json
