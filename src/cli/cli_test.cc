#include "cli/cli.h"

#include <array>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/nearest.h"
#include "cli/answer_lines.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/read_line.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

TEST(ExitCode, WorstWins) {
  EXPECT_EQ(Worst(ExitCode::kYes, ExitCode::kNo), ExitCode::kNo);
  EXPECT_EQ(Worst(ExitCode::kPartial, ExitCode::kNo), ExitCode::kPartial);
  EXPECT_EQ(Worst(ExitCode::kPartial, ExitCode::kUsage), ExitCode::kUsage);
  EXPECT_EQ(Worst(ExitCode::kUsage, ExitCode::kNo), ExitCode::kUsage);
}

TEST(Suggest, NearestWord) {
  struct Row {
    std::string_view word, nearest;
  };
  constexpr std::array<std::string_view, 3> kKnown = {"validate", "convert", "version"};
  const Row rows[] = {
      {"validate", "validate"}, {"vaildate", "validate"}, {"Convert", "convert"},
      {"verison", "version"},   {"scheduler", ""},        {"", ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Nearest(row.word, kKnown), row.nearest) << row.word;
  }
}

TEST(Progress, PrintsPlainLinesWhereAskedTo) {
  struct Row {
    bool lines_elsewhere;
    std::string_view begins;
  };
  for (const Row& row : {Row{false, ""}, Row{true, "loading: 20000 entries, "}}) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console{in, out, err};
    {
      Progress progress(console, "loading",
                        {.lines_elsewhere = row.lines_elsewhere, .between_lines = {}});
      progress.Reach(20000, "entries");
    }
    EXPECT_EQ(err.str().substr(0, row.begins.size()), row.begins);
    EXPECT_EQ(err.str().ends_with("/s\n"), row.lines_elsewhere) << err.str();
  }
}

// The lines of `text`, each behind a bar; ! stands for one that is too long.
std::string Lines(const std::string& text, std::size_t most) {
  std::istringstream in(text);
  std::string out;
  std::string line;
  for (LineRead read = ReadLine(in, most, line); read != LineRead::kEnd;
       read = ReadLine(in, most, line)) {
    out += "|" + (read == LineRead::kTooLong ? "!" : line);
  }
  return out;
}

TEST(ReadLine, PassesOverLinesThatAreTooLong) {
  EXPECT_EQ(Lines("", 3), "");
  EXPECT_EQ(Lines("\n", 3), "|");
  EXPECT_EQ(Lines("abc\n\nabcd\nb\nabcd", 3), "|abc||!|b|!");
  EXPECT_EQ(Lines(std::string("a\0b\nc", 5), 3), std::string("|a\0b|c", 6));
}

TEST(ReadLine, KeepsInStepWhereverAPieceEnds) {
  constexpr std::size_t kPiece = std::size_t{1} << 14;
  for (std::size_t size = kPiece - 3; size < kPiece + 3; ++size) {
    for (const std::size_t length : {size, 2 * size - kPiece / 2, 2 * size}) {
      const std::string line(length, 'x');
      EXPECT_EQ(Lines(line, length), "|" + line) << length;
      EXPECT_EQ(Lines(line + "\nb\n", length), "|" + line + "|b") << length;
      EXPECT_EQ(Lines(line + "\nb\n", length - 1), "|!|b") << length;
      EXPECT_EQ(Lines(line, length - 1), "|!") << length;
    }
  }
}

// Fails when it is read or written, as a disk does.
class BrokenBuffer : public std::streambuf {
 protected:
  int_type underflow() override { throw std::runtime_error("the disk is broken"); }
  int_type overflow(int_type /*c*/) override { throw std::runtime_error("the disk is broken"); }
};

TEST(AnswerLines, ALineThatThrowsDoesNotStopTheOthers) {
  std::istringstream in("a\nbad\nb\n");
  std::ostringstream out, err;
  Console console{in, out, err};
  const auto answer = [](const std::string& line, std::size_t number) {
    if (line == "bad") {
      throw std::out_of_range("basic_string::substr");
    }
    return line + std::to_string(number);
  };
  const auto refuse = [](std::size_t number, std::string_view why) {
    return std::to_string(number) + ": " + std::string(why);
  };
  EXPECT_EQ(AnswerLines(console, {.answer = answer, .refuse = refuse}), ExitCode::kYes);
  EXPECT_EQ(out.str(), "a1\n2: unexpected: basic_string::substr; please report it\nb3\n");
}

TEST(AnswerLines, InputThatCannotBeReadIsNoEnd) {
  BrokenBuffer broken;
  std::istream in(&broken);
  std::ostringstream out, err;
  Console console{in, out, err};
  EXPECT_EQ(AnswerLines(console, {}), ExitCode::kUsage);
  EXPECT_EQ(err.str(), "error: standard input cannot be read; pipe the questions into it\n");
}

TEST(Run, WhatNobodyForesawIsOneSentenceAndAnExitCode) {
  BrokenBuffer broken;
  std::istringstream in;
  std::ostream out(&broken);
  out.exceptions(std::ios::badbit);
  std::ostringstream err;
  Console console{in, out, err};
  EXPECT_EQ(cli::Run({"quadra", "version"}, console), static_cast<int>(ExitCode::kFailed));
  EXPECT_EQ(err.str(), "error: unexpected: the disk is broken; please report it\n");
}

constexpr std::array kFlags = {
    Flag{.name = "filename",
         .letter = 'f',
         .value = "FILE",
         .repeated = true,
         .joined = true,
         .help = "files"},
    Flag{.name = "output", .letter = 'o', .value = "FORMAT", .choices = "json yaml", .help = "how"},
    Flag{.name = "stream", .letter = 's', .help = "a switch"},
};
constexpr Verb kVerb{.name = "test", .flags = kFlags, .most_arguments = 2};

TEST(Arguments, FlagsInEverySpelling) {
  const Result<Invocation> parsed =
      ParseArguments(kVerb, {"-f", "-", "a", "-fb.yaml", "--filename=c,d", "-o=json", "-o", "yaml",
                             "--stream", "--", "-x"});
  ASSERT_TRUE(parsed) << parsed.error().ToString();
  EXPECT_EQ(parsed->Values("filename"), (std::vector<std::string>{"-", "b.yaml", "c", "d"}));
  EXPECT_EQ(parsed->Value("output"), "yaml") << "the last one counts";
  EXPECT_TRUE(parsed->Has("stream"));
  EXPECT_EQ(parsed->arguments, (std::vector<std::string>{"a", "-x"}));
}

TEST(Arguments, SwitchesAsKubectlReadsThem) {
  struct Row {
    std::vector<std::string> words;
    bool on;
  };
  const Row rows[] = {
      {{"--stream"}, true},
      {{"--stream=true"}, true},
      {{"--stream=1"}, true},
      {{"--stream=false"}, false},
      {{"--stream=F"}, false},
      {{"-s=0"}, false},
      {{"-s"}, true},
      {{"--stream", "--stream=false"}, false},
      {{"--stream=false", "-s"}, true},
  };
  for (const Row& row : rows) {
    const Result<Invocation> parsed = ParseArguments(kVerb, row.words);
    ASSERT_TRUE(parsed) << parsed.error().ToString();
    EXPECT_EQ(parsed->Has("stream"), row.on) << row.words.back();
    EXPECT_TRUE(parsed->arguments.empty());
  }
}

TEST(Arguments, RefusedWithTheFlagAtFault) {
  struct Row {
    std::vector<std::string> words;
    std::string_view message;
  };
  const Row rows[] = {
      {{"--filname", "a"}, "unknown flag: --filname; did you mean --filename?"},
      {{"-q"}, "unknown flag: -q"},
      {{"-o"}, "flag needs an argument: --output"},
      {{"-o", "xml"}, "--output: \"xml\" is not one of: json yaml"},
      {{"--stream=maybe"}, "--stream: \"maybe\" is neither true nor false"},
      {{"a", "b", "c"}, "unexpected argument \"c\""},
  };
  for (const Row& row : rows) {
    const Result<Invocation> parsed = ParseArguments(kVerb, row.words);
    ASSERT_FALSE(parsed) << row.message;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(parsed.error().message, row.message);
  }
}

TEST(Run, EveryVerbHasAHelpPage) {
  for (const Verb* verb : Verbs()) {
    std::istringstream in;
    std::ostringstream out, err;
    Console console{in, out, err};
    EXPECT_EQ(cli::Run({"quadra", "help", std::string(verb->name)}, console), 0);
    EXPECT_TRUE(out.str().starts_with("NAME\n  quadra " + std::string(verb->name))) << out.str();
    EXPECT_NE(verb->run, nullptr);
  }
}

// A claim that asks for admin access in namespace n where `number` is a multiple of 3, and breaks a
// rule where it is one of 5.
std::string ClaimOf(std::size_t number) {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n"
      "metadata: {{name: c{}, namespace: n}}\n"
      "spec: {{devices: {{requests: [{{name: {}, exactly: {{deviceClassName: g{}}}}}]}}}}\n---\n",
      number, number % 5 == 0 ? "NOT" : "r", number % 3 == 0 ? ", adminAccess: true" : "");
}

// What is said of each of many objects, alone and in one file of all. More than are done at once.
TEST(Validate, JudgesManyObjectsAsItDoesEachAndInTheirOrder) {
  constexpr std::size_t kObjects = 300;
  const std::string granting =
      "apiVersion: v1\nkind: Namespace\n"
      "metadata: {name: n, labels: {resource.kubernetes.io/admin-access: \"true\"}}\n";
  for (const std::string& ns : {std::string(), granting}) {
    const auto say = [&](const std::string& objects) {
      std::istringstream in(objects + ns);
      std::ostringstream out, err;
      Console console{in, out, err};
      cli::Run({"quadra", "validate", "-f", "-", "-o",
                "jsonpath={range .items[*]}{.name} {.verdict}: {.errors[*].message}\n{end}"},
               console);
      return out.str() + err.str();
    };
    std::string all, each;
    for (std::size_t i = 0; i < kObjects; ++i) {
      all += ClaimOf(i);
      const std::string alone = say(ClaimOf(i));
      each += alone.substr(0, alone.find('\n') + 1);
    }
    const std::string together = say(all);
    EXPECT_EQ(together.substr(0, each.size()), each);
    EXPECT_NE(each.find("c299 "), std::string::npos) << each;
  }
}

}  // namespace
}  // namespace quadra::cli
