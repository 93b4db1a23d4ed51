#include "answers/peer.h"

#include <fstream>
#include <iostream>
#include <span>
#include <string>

namespace quadra::answers {
namespace {

const Answerer* FindAnswerer(std::string_view name) {
  for (const Answerer& answerer : Answerers()) {
    if (answerer.name == name) {
      return &answerer;
    }
  }
  return nullptr;
}

int AnswerLines(const Answerer& answerer) {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << answerer.answer(line) << '\n';
    if (std::cin.rdbuf()->in_avail() == 0) {
      std::cout.flush();
    }
  }
  return 0;
}

// Recorded files alternate: a question line, then upstream's answer line.
int Replay(const Answerer& answerer, const char* path) {
  std::ifstream file(path);
  std::string question, expected;
  int asked = 0, differences = 0;
  while (std::getline(file, question) && std::getline(file, expected)) {
    ++asked;
    const std::string ours = answerer.answer(question);
    if (ours != expected && ++differences <= 10) {
      std::cout << "question: " << question << "\nupstream: " << expected << "\nours:     " << ours
                << "\n";
    }
  }
  std::cout << path << ": " << asked << " asked, " << differences << " differences\n";
  return asked > 0 && differences == 0 ? 0 : 1;
}

int Run(std::span<char*> arguments) {
  const Answerer* answerer = arguments.size() >= 2 ? FindAnswerer(arguments[1]) : nullptr;
  if (answerer == nullptr || arguments.size() > 3) {
    std::cerr << "usage: quadra_peer NAME [RECORDED-FILE]; names:";
    for (const Answerer& known : Answerers()) {
      std::cerr << ' ' << known.name;
    }
    std::cerr << '\n';
    return 2;
  }
  return arguments.size() == 3 ? Replay(*answerer, arguments[2]) : AnswerLines(*answerer);
}

}  // namespace
}  // namespace quadra::answers

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return quadra::answers::Run({argv, static_cast<std::size_t>(argc)});
}
