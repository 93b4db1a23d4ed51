#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/verb.h"
#include "cli/words.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kExitStatus =
    "  0  fine\n"
    "  1  the answer is no: the API server would refuse it, no device matches, lint found "
    "something\n"
    "  2  bad flags, or text that cannot be read as objects\n"
    "  4  the cluster does not answer, or denies it\n"
    "  5  answered from partial data\n"
    "  Of several the worst wins: 2, then 4, then 5, then 1.\n";

constexpr Flag kHelpFlag{.name = "help", .letter = 'h', .help = "Print this page."};

constexpr std::size_t kWidth = 100;

// `text` broken at spaces so that no line is longer than kWidth, each line indented.
std::string Wrapped(std::string_view text, std::size_t indent) {
  std::string out, line;
  for (const std::string_view word : SplitWords(text)) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > kWidth) {
      fmt::format_to(std::back_inserter(out), "{:{}}{}\n", "", indent, line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  return out + fmt::format("{:{}}{}\n", "", indent, line);
}

// Paragraphs are lines of `text`; a line that starts with a space stays as it is.
std::string Paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    out += line.empty() || line.front() == ' ' ? std::string(line) + "\n" : Wrapped(line, 2);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string FlagHelp(const Flag& flag) {
  std::string out = "  ";
  out += flag.letter == 0 ? "    " : fmt::format("-{}, ", flag.letter);
  out += fmt::format("--{}", flag.name);
  if (!flag.value.empty()) {
    out += fmt::format("={}", flag.value);
  }
  out += "\n" + Wrapped(flag.help, 8);
  if (!flag.choices.empty()) {
    out += fmt::format("{:8}One of: {}.\n", "", flag.choices);
  }
  return out;
}

// The help of a word that may be a verb; the program's without one.
ExitCode PrintHelp(const Invocation& invocation, Console& console) {
  if (invocation.arguments.empty()) {
    console.out << ProgramHelp(invocation.program);
    return ExitCode::kYes;
  }
  const std::string& word = invocation.arguments[0];
  if (const Verb* verb = FindVerb(word)) {
    console.out << VerbHelp(*verb, invocation.program);
    return ExitCode::kYes;
  }
  const Error error{.kind = ErrorKind::kUsage,
                    .message = "there is no help for " + word + DidYouMean(word, VerbNames())};
  return RefuseUsage(error, invocation.program, nullptr, console);
}

}  // namespace

std::string ProgramHelp(std::string_view program) {
  std::string out = fmt::format(
      "{0}: Dynamic Resource Allocation for Kubernetes.\n\nUsage:\n  {0} COMMAND [flags]\n\n"
      "Commands:\n",
      program);
  for (const Verb* verb : Verbs()) {
    out += fmt::format("  {:<12}{}\n", verb->name, verb->summary);
  }
  return out + fmt::format("\nExit status:\n{1}\n'{0} help COMMAND' tells more about a command.\n",
                           program, kExitStatus);
}

std::string VerbHelp(const Verb& verb, std::string_view program) {
  std::string out =
      fmt::format("NAME\n  {0} {1} - {2}\n\nSYNOPSIS\n  {0} {1}{3}{4}\n\n", program, verb.name,
                  verb.summary, verb.synopsis.empty() ? "" : " ", verb.synopsis);
  out += "DESCRIPTION\n" + Paragraphs(verb.description) + "\nOPTIONS\n";
  for (const Flag& flag : verb.flags) {
    out += FlagHelp(flag);
  }
  out += FlagHelp(kHelpFlag) + fmt::format("\nEXIT STATUS\n{}", kExitStatus);
  if (!verb.examples.empty()) {
    out += fmt::format("\nEXAMPLES\n{}", verb.examples);
  }
  return out;
}

const Verb kHelpVerb{
    .name = "help",
    .synopsis = "[COMMAND]",
    .summary = "explain a command, or list them all",
    .description = "Prints the page of COMMAND, the same that COMMAND --help prints.",
    .examples = "  quadra help validate\n",
    .most_arguments = 1,
    .run = PrintHelp,
};

}  // namespace quadra::cli
