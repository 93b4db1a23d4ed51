#include <algorithm>
#include <array>

#include <CLI/CLI.hpp>

#include "base/nearest.h"
#include "cli/verb.h"
#include "cli/words.h"

namespace quadra::cli {
namespace {

std::string Spellings(const Flag& flag) {
  std::string spellings = flag.letter == 0 ? "" : std::string{'-', flag.letter, ','};
  return spellings + "--" + std::string(flag.name);
}

void Declare(const Flag& flag, CLI::App& app) {
  if (flag.value.empty()) {
    app.add_flag(Spellings(flag))->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    return;
  }
  CLI::Option* option = app.add_option(Spellings(flag), CLI::callback_t());
  option->expected(1)->allow_extra_args(false)->multi_option_policy(
      flag.repeated ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
}

bool LooksLikeFlag(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

// CLI11 keeps the = of -o=json in the value; kubectl's users expect it gone. Of a switch it takes
// what is behind the letter for more switches.
std::string WithoutEquals(const Flag& flag, std::string word) {
  const std::string prefix{'-', flag.letter, '='};
  if (flag.letter == 0 || !word.starts_with(prefix)) {
    return word;
  }
  return flag.value.empty() ? "--" + std::string(flag.name) + word.substr(2) : word.erase(2, 1);
}

// CLI11 takes the next word for the value of --name=.
bool HasEmptyValue(const Flag& flag, std::string_view word) {
  return !flag.value.empty() && word == "--" + std::string(flag.name) + "=";
}

std::vector<std::string> Normalised(const Verb& verb, std::vector<std::string> words) {
  std::vector<std::string> plain;
  plain.reserve(words.size());
  for (std::string& word : words) {
    for (const Flag& flag : verb.flags) {
      word = WithoutEquals(flag, std::move(word));
    }
    const bool is_empty = std::ranges::any_of(
        verb.flags, [&](const Flag& flag) { return HasEmptyValue(flag, word); });
    if (is_empty) {
      word.pop_back();
    }
    plain.push_back(std::move(word));
    if (is_empty) {
      plain.emplace_back();
    }
  }
  return plain;
}

// A choice that ends in = stands for all values that begin with it, e.g. jsonpath=TEMPLATE.
bool Chosen(std::string_view choice, std::string_view value) {
  return choice.ends_with('=') ? value.starts_with(choice) : value == choice;
}

Status CheckChoices(const Flag& flag, const std::vector<std::string>& values) {
  const std::vector<std::string_view> choices = SplitWords(flag.choices);
  for (const std::string& value : values) {
    const auto chosen = [&](std::string_view choice) { return Chosen(choice, value); };
    if (!choices.empty() && std::ranges::none_of(choices, chosen)) {
      return Fail(Usage("--" + std::string(flag.name) + ": \"" + value + "\" is not one of: " +
                        std::string(flag.choices) + DidYouMean(value, choices)));
    }
  }
  return {};
}

// What kubectl takes for a boolean: --no-headers=false.
Result<bool> ReadSwitch(const Flag& flag, const std::string& value) {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "true", "True", "TRUE"};
  constexpr std::array<std::string_view, 6> kFalse = {"0", "f", "F", "false", "False", "FALSE"};
  const bool yes = std::ranges::find(kTrue, value) != kTrue.end();
  if (!yes && std::ranges::find(kFalse, value) == kFalse.end()) {
    return Fail(
        Usage("--" + std::string(flag.name) + ": \"" + value + "\" is neither true nor false"));
  }
  return yes;
}

// a,b and c are three.
std::vector<std::string> SplitAtCommas(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (const std::string& value : values) {
    for (std::size_t start = 0; start <= value.size();) {
      const std::size_t end = std::min(value.find(',', start), value.size());
      parts.push_back(value.substr(start, end - start));
      start = end + 1;
    }
  }
  return parts;
}

// Notes what the command line says of `flag`. Of a switch the last word counts.
Status TakeFlag(const Flag& flag, const std::vector<std::string>& values, Invocation& invocation) {
  if (flag.value.empty()) {
    QUADRA_TRY(const bool on, ReadSwitch(flag, values.back()));
    if (on) {
      invocation.flags.emplace(flag.name, values);
    }
    return {};
  }
  QUADRA_RETURN_IF_ERROR(CheckChoices(flag, values));
  invocation.flags.emplace(flag.name, flag.joined ? SplitAtCommas(values) : values);
  return {};
}

Error UnknownFlag(const Verb& verb, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  std::vector<std::string_view> known{"help"};
  for (const Flag& flag : verb.flags) {
    known.push_back(flag.name);
  }
  const std::string_view bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  const std::string_view nearest = bare.size() > 1 ? Nearest(bare, known) : "";
  return Usage("unknown flag: " + std::string(name) +
               (nearest.empty() ? "" : "; did you mean --" + std::string(nearest) + "?"));
}

Status CheckRest(const Verb& verb, const std::vector<std::string>& rest, bool after_dashes) {
  for (const std::string& word : rest) {
    if (LooksLikeFlag(word) && !after_dashes) {
      return Fail(UnknownFlag(verb, word));
    }
  }
  if (rest.size() > verb.most_arguments) {
    return Fail(Usage("unexpected argument \"" + rest[verb.most_arguments] + "\""));
  }
  return {};
}

// CLI11 parses; what it reports by exceptions stays here.
Result<std::vector<std::string>> Parse(CLI::App& app, std::vector<std::string> words) {
  std::ranges::reverse(words);  // CLI11 takes them from the back
  try {
    app.parse(words);
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string text = mismatch.what();
    return Fail(Usage("flag needs an argument: " + text.substr(0, text.find(':'))));
  } catch (const CLI::Error& error) {
    return Fail(Usage(error.what()));
  }
  std::vector<std::string> rest = app.remaining();
  std::erase(rest, "--");
  return rest;
}

}  // namespace

Error Usage(std::string message, std::string remedy) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message), .remedy = std::move(remedy)};
}

std::string Invocation::Value(std::string_view flag) const {
  const auto found = flags.find(flag);
  return found == flags.end() || found->second.empty() ? "" : found->second.back();
}

std::vector<std::string> Invocation::Values(std::string_view flag) const {
  const auto found = flags.find(flag);
  return found == flags.end() ? std::vector<std::string>() : found->second;
}

Result<Invocation> ParseArguments(const Verb& verb, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_flag("-h,--help");
  for (const Flag& flag : verb.flags) {
    Declare(flag, app);
  }
  const bool after_dashes = std::ranges::find(words, "--") != words.end();
  Invocation invocation;
  QUADRA_TRY(invocation.arguments, Parse(app, Normalised(verb, std::move(words))));
  if (app.count("--help") > 0) {
    invocation.flags["help"] = {};
    return invocation;
  }
  QUADRA_RETURN_IF_ERROR(CheckRest(verb, invocation.arguments, after_dashes));
  for (const Flag& flag : verb.flags) {
    const CLI::Option* option = app.get_option("--" + std::string(flag.name));
    if (option->count() > 0) {
      QUADRA_RETURN_IF_ERROR(TakeFlag(flag, option->results(), invocation));
    }
  }
  return invocation;
}

}  // namespace quadra::cli
