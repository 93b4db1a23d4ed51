#include "cel/lexer.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cel/source.h"
#include "cel/unescape.h"

namespace quadra::cel {
namespace {

// Token texts, each with its position; "!" and the position for what fits no token.
std::string Show(std::string_view source) {
  const Tokens lexed = Lex(source);
  std::string out;
  for (const Token& token : lexed.tokens) {
    if (token.kind != TokenKind::kEnd) {
      out += std::string(out.empty() ? "" : " ") + std::string(token.text(source)) + "@" +
             std::to_string(token.position);
    }
  }
  for (const LexicalError& error : lexed.errors) {
    out += (out.empty() ? "!" : " !") + std::to_string(error.position);
  }
  return out;
}

struct Case {
  std::string_view source;
  std::string_view tokens;
};

class LexerTest : public ::testing::TestWithParam<Case> {};

TEST_P(LexerTest, Cuts) { EXPECT_EQ(Show(GetParam().source), GetParam().tokens); }

INSTANTIATE_TEST_SUITE_P(
    Numbers, LexerTest,
    ::testing::Values(Case{"1 2u 3U 0x1F 0xaU", "1@0 2u@2 3U@5 0x1F@8 0xaU@13"},
                      Case{"1.5 .5 1e3 1E-3 2.5e+7", "1.5@0 .5@4 1e3@7 1E-3@11 2.5e+7@16"},
                      Case{"1. 1e 0x 1..5", "1@0 .@1 1@3 e@4 0@6 x@7 1@9 .@10 .5@11"},
                      Case{"a.5", "a@0 .5@1"}, Case{"1u2", "1u@0 2@2"}));

INSTANTIATE_TEST_SUITE_P(
    Texts, LexerTest,
    ::testing::Values(Case{R"("a" 'b' r"c\" b'd' Br"e")",
                           R"("a"@0 'b'@4 r"c\"@8 b'd'@14 Br"e"@19)"},
                      Case{"'''a'b\n''' \"\"\"\"\"\"", "'''a'b\n'''@0 \"\"\"\"\"\"@11"},
                      Case{R"("\x41\u00e9\U0001F600\101\n")", R"("\x41\u00e9\U0001F600\101\n"@0)"},
                      Case{"'a\nb'", "b@3 !0 !4"},  // a line ends
                      Case{R"('\q')", "!0 !3"},     // no such escape
                      Case{R"('\x4')", "!0"},       // too few digits
                      Case{"'''ab", "''@0 !2"},     // never closed
                      Case{"r'a", "r@0 !1"}, Case{"rb'a'", "rb@0 'a'@2"}));

INSTANTIATE_TEST_SUITE_P(
    Signs, LexerTest,
    ::testing::Values(Case{"a<=b>=c==d!=!e&&f||g",
                           "a@0 <=@1 b@3 >=@4 c@6 ==@7 d@9 !=@10 !@12 e@13 &&@14 f@16 ||@17 g@19"},
                      Case{"[]{}().,?:+-*/%<>",
                           "[@0 ]@1 {@2 }@3 (@4 )@5 .@6 ,@7 ?@8 :@9 +@10 -@11 "
                           "*@12 /@13 %@14 <@15 >@16"},
                      Case{"`a-b/c.d e`", "`a-b/c.d e`@0"}, Case{"``", "!0"},
                      Case{"a = b", "a@0 b@4 !2"}, Case{"// all\n1 // rest", "1@7"},
                      Case{"é + ω", "+@2 !0 !4"}, Case{"\"é\" + 1", "\"é\"@0 +@4 1@6"},
                      Case{"a\x01", "a@0 !1"}));

TEST(LexerTest, KnowsWords) {
  const Tokens tokens = Lex("in true false null int");
  const std::vector<TokenKind> wanted = {TokenKind::kIn,         TokenKind::kTrue,
                                         TokenKind::kFalse,      TokenKind::kNull,
                                         TokenKind::kIdentifier, TokenKind::kEnd};
  ASSERT_EQ(tokens.tokens.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(tokens.tokens[i].kind, wanted[i]) << i;
  }
}

struct Escaped {
  std::string_view token;
  bool bytes;
  std::optional<std::string> value;
};

class UnescapeTest : public ::testing::TestWithParam<Escaped> {};

TEST_P(UnescapeTest, GivesTheValue) {
  EXPECT_EQ(Unescape(StripQuotes(GetParam().token), GetParam().bytes), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(All, UnescapeTest,
                         ::testing::Values(Escaped{R"("a\tb\"")", false, "a\tb\""},
                                           Escaped{R"('\x41\101\u0041')", false, "AAA"},
                                           Escaped{R"("\xff")", false, "ÿ"},
                                           Escaped{R"(b"\xff\377")", true, "\xff\xff"},
                                           Escaped{R"("\U0001F600")", false, "😀"},
                                           Escaped{R"("\ud800")", false, std::nullopt},
                                           Escaped{R"("\U00110000")", false, std::nullopt},
                                           Escaped{R"(b"\u0041")", true, std::nullopt},
                                           Escaped{R"(r"\n")", false, "\\n"},
                                           Escaped{"'''a\r\nb\rc'''", false, "a\nb\nc"},
                                           Escaped{"''", false, ""}));

TEST(SourceTest, ReadsBadBytesAsReplacements) {
  EXPECT_EQ(ToValidUtf8("a\xff\xc3"
                        "b"),
            "a\uFFFD\uFFFDb");
  EXPECT_EQ(ToValidUtf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(ToValidUtf8("\xf0\x9f\x98\x80"), "😀");
}

TEST(SourceTest, LocatesByLineAndColumn) {
  const LineMap lines("aé\nb\n");
  struct {
    std::uint32_t position;
    int line, column;
  } const cases[] = {{0, 1, 0}, {1, 1, 1}, {2, 1, 2}, {3, 2, 0}, {5, 3, 0}};
  for (const auto& c : cases) {
    EXPECT_EQ(lines.Locate(c.position).line, c.line) << c.position;
    EXPECT_EQ(lines.Locate(c.position).column, c.column) << c.position;
  }
  EXPECT_EQ(lines.Line(1), "aé");
  EXPECT_EQ(lines.Line(3), "");
  EXPECT_EQ(lines.Line(4), std::nullopt);
}

}  // namespace
}  // namespace quadra::cel
