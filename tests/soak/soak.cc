// quadra_soak FOLDER: runs the commands of users on every file of a folder, in this one process.
//
// tools/soak makes the files. Before each command its words are written to FOLDER.current, so that
// whoever finds this process dead knows what it died of; a command that uses more than 10 s of the
// processor dies by SIGPROF. Prints a line for each command that returns what no command should,
// and how many there were; exits 1 if there was one.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <sys/time.h>

#include "cli/cli.h"

namespace quadra::cli {
namespace {

constexpr int kMostSeconds = 10;

// FILE stands for the file.
constexpr std::array kCommands = {
    "explain pods -f FILE",
    "explain pods -f FILE --lenient -o json",
    "explain claims -f FILE -o wide",
    "allocate -f FILE -o wide",
    "allocate -f FILE -o yaml --placement best-fit",
    "get devices -f FILE -o wide --now 2026-08-01T12:18:00Z",
    "get pools -f FILE -o json",
    "get claims -f FILE -o custom-columns=N:.name,S:.state",
    "fit pod/train -f FILE",
    "fit template/one -f FILE -o json",
    "select true -f FILE -o wide",
    "lint -f FILE --against FILE",
    "validate -f FILE",
    "convert -f FILE --to v1beta1",
};

std::vector<std::string> Words(std::string_view command, const std::string& file) {
  std::vector<std::string> words{"quadra"};
  std::istringstream in{std::string(command)};
  for (std::string word; in >> word;) {
    words.push_back(word == "FILE" ? file : word);
  }
  return words;
}

void SetLimit(int seconds) {
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

// Its documented exit codes but 3, which stands for what nobody foresaw.
bool IsForeseen(int code) { return code == 0 || code == 1 || code == 2 || code == 5; }

int RunOne(std::string_view command, const std::string& file) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  SetLimit(kMostSeconds);
  const int code = Run(Words(command, file), console);
  SetLimit(0);
  if (!IsForeseen(code)) {
    std::cout << "exit " << code << ": quadra " << command << ": " << file << ": " << err.str();
  }
  return code;
}

int RunAll(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  std::array<std::size_t, 6> codes{};
  for (const std::string& file : files) {
    for (const std::string_view command : kCommands) {
      std::ofstream(folder + ".current") << "quadra " << command << ": " << file << '\n';
      ++codes.at(static_cast<std::size_t>(std::clamp(RunOne(command, file), 0, 5)));
    }
  }
  std::cout << files.size() << " files, exit 0: " << codes[0] << ", 1: " << codes[1]
            << ", 2: " << codes[2] << ", 3: " << codes[3] << ", 5: " << codes[5] << '\n';
  return codes[3] + codes[4] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace quadra::cli

int main(int count, char** words) {
  const std::span<char*> arguments(words, static_cast<std::size_t>(count));
  return arguments.size() == 2 ? quadra::cli::RunAll(arguments[1]) : 2;
}
