#include <iterator>
#include <ostream>

#include <fmt/format.h>

#include "cli/dump_names.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kShells = "bash zsh fish";

bool IsFile(const Flag& flag) { return flag.value == "FILE" || flag.value == "DUMP"; }

std::string_view WordsFor(const Flag& flag) {
  return flag.choices.empty() ? flag.suggested : flag.choices;
}

std::string FlagWords(const Verb& verb) {
  std::string words = "--help";
  for (const Flag& flag : verb.flags) {
    words += fmt::format(" --{}{}", flag.name, flag.value.empty() ? "" : "=");
  }
  return words;
}

// What an argument of `verb` may be; nothing when it is a file, or when there is none.
std::string ArgumentWords(const Verb& verb) {
  return &verb == &kHelpVerb ? fmt::format("{}", fmt::join(VerbNames(), " "))
                             : std::string(verb.argument_choices);
}

bool TakesFiles(const Verb& verb) { return verb.most_arguments > 0 && ArgumentWords(verb).empty(); }

// Whether it is about objects of the dump, which have names.
bool TakesNames(const Verb& verb) { return &verb == &kExplainVerb || &verb == &kFitVerb; }

// --- bash: one case per verb and flag, in bash's own words, so that bash-completion is not needed.

std::string BashFlagCase(const Verb& verb, const Flag& flag) {
  if (flag.value.empty()) {
    return "";
  }
  std::string spellings = fmt::format("{}:--{}", verb.name, flag.name);
  if (flag.letter != 0) {
    spellings += fmt::format("|{}:-{}", verb.name, flag.letter);
  }
  if (IsFile(flag)) {
    return fmt::format("    {}) _quadra_files; return ;;\n", spellings);
  }
  return fmt::format("    {}) _quadra_words \"{}\"; return ;;\n", spellings, WordsFor(flag));
}

std::string BashScript() {
  std::string values, flags, arguments;
  for (const Verb* verb : Verbs()) {
    for (const Flag& flag : verb->flags) {
      values += BashFlagCase(*verb, flag);
    }
    flags += fmt::format("      {}) _quadra_words \"{}\" ;;\n", verb->name, FlagWords(*verb));
    arguments += TakesFiles(*verb) ? fmt::format("      {}) _quadra_files ;;\n", verb->name)
                                   : fmt::format("      {}) _quadra_words \"{}{}\" ;;\n",
                                                 verb->name, ArgumentWords(*verb),
                                                 TakesNames(*verb) ? " $(_quadra_names)" : "");
  }
  return fmt::format(R"(# bash completion for quadra; load it with: source <(quadra completion bash)
_quadra_words() {{
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$_quadra_cur")
  if [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}}
_quadra_files() {{
  mapfile -t COMPREPLY < <(compgen -f -- "$_quadra_cur")
  compopt -o filenames 2>/dev/null
}}
_quadra_names() {{
  quadra completion names -- "${{COMP_WORDS[@]/#\~/$HOME}}" 2>/dev/null
}}
_quadra() {{
  local verb=${{COMP_WORDS[1]}} flag=${{COMP_WORDS[COMP_CWORD-1]}}
  _quadra_cur=${{COMP_WORDS[COMP_CWORD]}}
  if [[ $COMP_CWORD -eq 1 ]]; then _quadra_words "{0} --help"; return; fi
  # bash splits --flag=value into three words
  if [[ $_quadra_cur == "=" ]]; then _quadra_cur=""; elif [[ $flag == "=" ]]; then flag=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case "$verb:$flag" in
{1}  esac
  if [[ $_quadra_cur == -* ]]; then
    case "$verb" in
{2}    esac
  else
    case "$verb" in
{3}    esac
  fi
}}
complete -F _quadra quadra
)",
                     ArgumentWords(kHelpVerb), values, flags, arguments);
}

// --- zsh: _arguments per verb.

// Brackets, colons and quotes mean something to _arguments.
std::string ZshText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c == '[' || c == ']' || c == ':' ? std::string{'\\', c} : std::string{c};
    }
  }
  return out;
}

std::string ZshFlag(const Flag& flag) {
  const std::string many = flag.repeated ? "*" : "";
  std::string tail = fmt::format("[{}]", ZshText(flag.help));
  if (!flag.value.empty()) {
    tail += fmt::format(":{}:", flag.value);
    tail += IsFile(flag) ? "_files" : fmt::format("({})", WordsFor(flag));
  }
  const std::string equals = flag.value.empty() ? "" : "=";
  std::string out = fmt::format(" \\\n        '{}--{}{}{}'", many, flag.name, equals, tail);
  if (flag.letter != 0) {
    const std::string plus = flag.value.empty() ? "" : "+";
    out += fmt::format(" \\\n        '{}-{}{}{}'", many, flag.letter, plus, tail);
  }
  return out;
}

std::string ZshArguments(const Verb& verb) {
  if (TakesFiles(verb)) {
    return " \\\n        '*:file:_files'";
  }
  if (TakesNames(verb)) {
    return fmt::format(
        " \\\n        '1:word:({} ${{(f)\"$(quadra completion names -- $words 2>/dev/null)\"}})'",
        ArgumentWords(verb));
  }
  return verb.most_arguments == 0 ? ""
                                  : fmt::format(" \\\n        '1:word:({})'", ArgumentWords(verb));
}

std::string ZshScript() {
  std::string summaries, cases;
  for (const Verb* verb : Verbs()) {
    summaries += fmt::format("    '{}:{}'\n", verb->name, ZshText(verb->summary));
    cases += fmt::format("    {})\n      _arguments '--help[print the help page]'", verb->name);
    for (const Flag& flag : verb->flags) {
      cases += ZshFlag(flag);
    }
    cases += ZshArguments(*verb) + " ;;\n";
  }
  return fmt::format(R"(#compdef quadra
# zsh completion for quadra; load it with: source <(quadra completion zsh)
_quadra() {{
  local -a verbs
  verbs=(
{0}  )
  if (( CURRENT == 2 )); then
    _describe command verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{1}  esac
}}
if [ "$funcstack[1]" = "_quadra" ]; then
  _quadra "$@"
else
  compdef _quadra quadra
fi
)",
                     summaries, cases);
}

// --- fish: one complete line per word.

std::string FishText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return out;
}

std::string FishFlag(const Verb& verb, const Flag& flag) {
  std::string out = fmt::format("complete -c quadra -n '__fish_seen_subcommand_from {}' -l {}",
                                verb.name, flag.name);
  if (flag.letter != 0) {
    out += fmt::format(" -s {}", flag.letter);
  }
  if (IsFile(flag)) {
    out += " -r -F";
  } else if (!flag.value.empty()) {
    out += fmt::format(" -x -a '{}'", WordsFor(flag));
  }
  return out + fmt::format(" -d '{}'\n", FishText(flag.help));
}

std::string FishVerb(const Verb& verb) {
  std::string out = fmt::format("complete -c quadra -n __fish_use_subcommand -a {} -d '{}'\n",
                                verb.name, FishText(verb.summary));
  for (const Flag& flag : verb.flags) {
    out += FishFlag(verb, flag);
  }
  if (TakesNames(verb)) {
    out += fmt::format(
        "complete -c quadra -n '__fish_seen_subcommand_from {}' -a '(quadra completion names -- "
        "(commandline -op) 2>/dev/null)'\n",
        verb.name);
  }
  if (verb.most_arguments > 0) {
    out += fmt::format("complete -c quadra -n '__fish_seen_subcommand_from {}' {}\n", verb.name,
                       TakesFiles(verb) ? "-F" : "-a '" + ArgumentWords(verb) + "'");
  }
  return out;
}

std::string FishScript() {
  std::string out =
      "# fish completion for quadra; load it with: quadra completion fish | source\n"
      "complete -c quadra -f\ncomplete -c quadra -l help -s h -d 'Print the help page.'\n";
  for (const Verb* verb : Verbs()) {
    out += FishVerb(*verb);
  }
  return out;
}

ExitCode PrintCompletion(const Invocation& invocation, Console& console) {
  const std::string shell = invocation.arguments.empty() ? "" : invocation.arguments[0];
  if (shell == "bash") {
    console.out << BashScript();
  } else if (shell == "zsh") {
    console.out << ZshScript();
  } else if (shell == "fish") {
    console.out << FishScript();
  } else if (shell == "names") {
    for (const std::string& name :
         DumpNames({invocation.arguments.begin() + 1, invocation.arguments.end()}, console)) {
      console.out << name << '\n';
    }
  } else {
    const Error error{.kind = ErrorKind::kUsage,
                      .message = shell.empty()
                                     ? "which shell? one of: " + std::string(kShells)
                                     : "\"" + shell + "\" is not one of: " + std::string(kShells)};
    return RefuseUsage(error, invocation.program, &kCompletionVerb, console);
  }
  return ExitCode::kYes;
}

}  // namespace

const Verb kCompletionVerb{
    .name = "completion",
    .synopsis = "bash|zsh|fish | names -- WORDS…",
    .summary = "print a script that completes quadra's commands in your shell",
    .description =
        "Prints the completion script of a shell. Load it once, or from your shell's start file. "
        "The script asks `quadra completion names -- WORDS…` for the pods, claims and other "
        "objects "
        "in the files that the words of a command line name.",
    .examples =
        "  source <(quadra completion bash)\n"
        "  source <(quadra completion zsh)\n"
        "  quadra completion fish | source\n",
    .argument_choices = kShells,
    .most_arguments = kManyArguments,
    .run = PrintCompletion,
};

}  // namespace quadra::cli
