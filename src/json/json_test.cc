#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/reader.h"
#include "json/writer.h"

namespace quadra::json {
namespace {

// Walks the value at hand and writes it compactly, so that one string shows all that the reader
// said.
void Copy(Reader& reader, Writer& writer) {  // NOLINT(misc-no-recursion)
  switch (reader.Peek()) {
    case Kind::kObject: {
      writer.BeginObject();
      std::string_view key;
      for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
        writer.Key(key);
        Copy(reader, writer);
      }
      writer.EndObject();
      break;
    }
    case Kind::kArray:
      writer.BeginArray();
      for (bool more = reader.EnterArray(); more && reader.NextItem();) {
        Copy(reader, writer);
      }
      writer.EndArray();
      break;
    case Kind::kString:
      writer.String(reader.String());
      break;
    case Kind::kNumber:
      writer.Number(reader.NumberText());
      break;
    case Kind::kBool:
      writer.Bool(reader.Bool());
      break;
    case Kind::kNull:
      reader.Null();
      writer.Null();
      break;
  }
}

// The text as walked token by token, or the error.
std::string Walked(std::string_view text) {
  // Exactly as long as the text, so that sanitizers see a byte read beyond it.
  const std::vector<char> exact(text.begin(), text.end());
  Reader reader({exact.data(), exact.size()});
  std::string out;
  Writer writer(out);
  Copy(reader, writer);
  const Status status = reader.Finish();
  return status ? out : status.error().message;
}

std::string Skipped(std::string_view text) {
  Reader reader(text);
  reader.Skip();
  const Status status = reader.Finish();
  return status ? "valid" : status.error().message;
}

struct Row {
  std::string_view text;
  std::string_view expected;
};

TEST(Reader, WalksValidText) {
  const Row rows[] = {
      {"null", "null"},
      {" true ", "true"},
      {"\t\r\nfalse\n", "false"},
      {"-0", "-0"},
      {"1.50", "1.50"},
      {"1E+400", "1E+400"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {R"("")", R"("")"},
      {R"("a\u0041\n\/\"")", R"("aA\n/\"")"},
      {R"("\ud83d\ude00é")", "\"\xF0\x9F\x98\x80é\""},
      {R"("\ud83d")", "\"\xEF\xBF\xBD\""},
      {R"("\ude00\ud83dx")", "\"\xEF\xBF\xBD\xEF\xBF\xBDx\""},
      {R"("\ud83d\u0041")",
       "\"\xEF\xBF\xBD"
       "A\""},
      {"[]", "[]"},
      {"[ ]", "[]"},
      {"{ }", "{}"},
      {R"([1, "a" , [ ] ,{}, null])", R"([1,"a",[],{},null])"},
      {R"({"a" : {"b":[1,{"c":"d"}]} , "a":2})", R"({"a":{"b":[1,{"c":"d"}]},"a":2})"},
      {R"({"\u0061\\":1})", R"({"a\\":1})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Walked(row.text), row.expected) << row.text;
    EXPECT_EQ(Skipped(row.text), "valid") << row.text;
  }
}

TEST(Reader, RefusesWhatIsNotJsonAndNamesThePlace) {
  const Row rows[] = {
      {"", "line 1, column 1: the text is empty"},
      {" \n ", "line 2, column 2: the text is empty"},
      {"{", "line 1, column 2: expected a key in quotes, but the text ends"},
      {"[1", "line 1, column 3: expected ',' or ']', but the text ends"},
      {"[1,", "line 1, column 4: expected a value, but the text ends"},
      {"[1,]", "line 1, column 4: expected a value, found ']'"},
      {"[,1]", "line 1, column 2: expected a value, found ','"},
      {R"({"a":1,})", "line 1, column 8: expected a key in quotes, found '}'"},
      {R"({"a" 1})", "line 1, column 6: expected ':', found '1'"},
      {R"({"a":})", "line 1, column 6: expected a value, found '}'"},
      {R"({a:1})", "line 1, column 2: expected a key in quotes, found 'a'"},
      {R"({1:1})", "line 1, column 2: expected a key in quotes, found '1'"},
      {"[1 2]", "line 1, column 4: expected ',' or ']', found '2'"},
      {"[1}", "line 1, column 3: expected ',' or ']', found '}'"},
      {"1 2", "line 1, column 3: expected nothing after the value, found '2'"},
      {"]", "line 1, column 1: expected a value, found ']'"},
      {"01", "line 1, column 1: the number is malformed"},
      {"1.", "line 1, column 1: the number is malformed"},
      {"-", "line 1, column 1: the number is malformed"},
      {"+1", "line 1, column 1: expected a value, found '+'"},
      {".5", "line 1, column 1: expected a value, found '.'"},
      {"1e", "line 1, column 1: the number is malformed"},
      {"1x", "line 1, column 1: the number is malformed"},
      {"1\"a\"", "line 1, column 1: the number is malformed"},
      {"nul", "line 1, column 1: expected null, found 'n'"},
      {"nulls", "line 1, column 1: expected null, found 'n'"},
      {"true\"a\"", "line 1, column 1: expected true, found 't'"},
      {"\"a\"b", "line 1, column 4: expected nothing after the value, found 'b'"},
      {"\"a\"\"b\"", "line 1, column 4: expected nothing after the value, found '\"'"},
      {"[\n\"a", "line 2, column 1: the string has no end"},
      {"[\n\"a\nb\"]", "line 2, column 3: the control character 0x0A stands in a string"},
      {"\"a\x80\"", "line 1, column 3: the byte 0x80 is not valid UTF-8"},
      {"\xEF\xBB\xBF{}", "line 1, column 1: expected a value, found the byte 0xEF"},
      {R"("\x")", "line 1, column 2: the escape in this string is not one of JSON's"},
      {R"("\u12G4")", "line 1, column 2: the escape in this string is not one of JSON's"},
      {R"("\u12")", "line 1, column 2: the escape in this string is not one of JSON's"},
      {"\"\\\"", "line 1, column 1: the string has no end"},
      {"\\\"", "line 1, column 1: expected a value, found '\\'"},
      {"{}{}", "line 1, column 3: expected nothing after the value, found '{'"},
  };
  for (const Row& row : rows) {
    const std::string expected = "invalid JSON at " + std::string(row.expected);
    EXPECT_EQ(Walked(row.text), expected) << row.text;
  }
}

TEST(Reader, SkipRefusesTheSame) {
  for (const std::string_view text :
       {"",        "{",          "[1",          "[1,]",   "[,1]",  R"({"a":1,})", "[1\f]",
        "[1\x1a]", R"({"a" 1})", R"({"a":})",   "{a:1}",  "[1}",   "{]",          "1 2",
        "]",       "01",         "1.",          "1\"a\"", "nulls", "\"a\"b",      "[\"a",
        "\"\\x\"", "[[[]]",      "[{\"a\":[}]", "{\"a\"}"}) {
    EXPECT_NE(Skipped(text), "valid") << text;
  }
}

std::string Nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

TEST(Reader, LimitsDepthWithoutRecursion) {
  EXPECT_EQ(Skipped(Nested(kMaxDepth)), "valid");
  EXPECT_EQ(Skipped(Nested(kMaxDepth + 1)),
            "invalid JSON at line 1, column 10001: values are nested more than 10000 deep");
  EXPECT_NE(Skipped(Nested(1'000'000)), "valid");
}

TEST(Reader, ErrorsStick) {
  Reader reader(R"([1,"a",])");
  ASSERT_TRUE(reader.EnterArray());
  ASSERT_TRUE(reader.NextItem());
  EXPECT_EQ(reader.String(), "");
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.error_what(), "expected a string, found '1'");
  EXPECT_EQ(reader.error_offset(), 1U);
  EXPECT_FALSE(reader.NextItem());
  EXPECT_EQ(reader.Peek(), Kind::kNull);
  EXPECT_EQ(reader.NumberText(), "");
  EXPECT_FALSE(reader.EnterObject());
  EXPECT_EQ(reader.error_offset(), 1U);
}

TEST(Reader, TellsOffsetsAndRawText) {
  const std::string text = R"({"a" : [1 , {"b":2}] , "c":"d"})";
  Reader reader(text);
  std::string_view key;
  ASSERT_TRUE(reader.EnterObject());
  ASSERT_TRUE(reader.NextKey(key));
  EXPECT_EQ(reader.key_offset(), 1U);
  EXPECT_EQ(reader.offset(), 7U);
  EXPECT_EQ(reader.SkipRaw(), R"([1 , {"b":2}])");
  ASSERT_TRUE(reader.NextKey(key));
  EXPECT_EQ(key, "c");
  EXPECT_EQ(reader.SkipRaw(), R"("d")");
  EXPECT_FALSE(reader.NextKey(key));
  EXPECT_TRUE(reader.Finish());
}

TEST(Reader, ReadersNestOnOneThread) {
  Reader outer(R"(["a\n","b\n"])");
  ASSERT_TRUE(outer.EnterArray() && outer.NextItem());
  const std::string_view first = outer.String();
  EXPECT_EQ(Walked(R"(["x\t"])"), R"(["x\t"])");
  ASSERT_TRUE(outer.NextItem());
  EXPECT_EQ(outer.String(), "b\n");
  EXPECT_EQ(first, "a\n");
}

TEST(Writer, EscapesLikeGo) {
  const Row rows[] = {
      {"plain", R"("plain")"},
      {"\"\\/", R"("\"\\/")"},
      {"\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\""},
      {"<a&b>", R"("\u003ca\u0026b\u003e")"},
      {"é\xE2\x80\xA8\xE2\x80\xA9", R"("é\u2028\u2029")"},
      {"a\xFFz\xED\xA0\x80", R"("a\ufffdz\ufffd\ufffd\ufffd")"},
  };
  for (const Row& row : rows) {
    std::string out;
    AppendQuoted(out, row.text);
    EXPECT_EQ(out, row.expected);
  }
}

TEST(Writer, FindsWhatToEscapeAnywhere) {
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      const std::string before(at, 'a'), behind(size - at - 1, '~');
      for (const Row& row : {Row{"\"", R"(\")"},
                             {"&", R"(\u0026)"},
                             {"\x1f", R"(\u001f)"},
                             {"\\", R"(\\)"},
                             {"<", R"(\u003c)"},
                             {"\xff", R"(\ufffd)"},
                             {">", R"(\u003e)"},
                             {" ", " "},
                             {"$", "$"},
                             {"=", "="}}) {
        const std::string text = before + std::string(row.text) + behind;
        std::string alone, inside;
        AppendQuoted(alone, text);
        Writer(inside).String(text);
        EXPECT_EQ(alone, "\"" + before + std::string(row.expected) + behind + "\"");
        EXPECT_EQ(inside, alone);
      }
    }
  }
}

TEST(Writer, AppendsOneValueAfterAnother) {
  std::string out = "[";
  Writer writer(out);
  writer.Int(1);
  out += ";";
  writer.BeginArray();
  writer.String(std::string(1000, 'x'));
  writer.Null();
  writer.EndArray();
  out += ";";
  writer.Raw("{ }");
  EXPECT_EQ(out, "[1;[\"" + std::string(1000, 'x') + "\",null];{}");
}

TEST(Writer, SpellsDoublesLikeGo) {
  const std::pair<double, std::string_view> rows[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {0.5, "0.5"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {18446744073709551616.0, "18446744073709552000"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1.5e-10, "1.5e-10"},
      {123456.789, "123456.789"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {5e-324, "5e-324"},
  };
  for (const auto& [number, expected] : rows) {
    std::string out;
    AppendDouble(out, number);
    EXPECT_EQ(out, expected);
  }
}

TEST(Writer, RawIsCompactedEscapedAndIndented) {
  const std::string_view raw = R"( {"a<" : [ 1 , {} , [ ] ], "b":"x\"\u003e&" } )";
  std::string compact;
  Writer(compact).Raw(raw);
  EXPECT_EQ(compact, R"({"a\u003c":[1,{},[]],"b":"x\"\u003e\u0026"})");
  std::string pretty;
  Writer writer(pretty, 2);
  writer.BeginObject();
  writer.Key("r");
  writer.Raw(raw);
  writer.Key("n");
  writer.Int(-5);
  writer.EndObject();
  EXPECT_EQ(pretty, R"({
  "r": {
    "a\u003c": [
      1,
      {},
      []
    ],
    "b": "x\"\u003e\u0026"
  },
  "n": -5
})");
}

}  // namespace
}  // namespace quadra::json
