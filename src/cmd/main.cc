#include <iostream>

#include "cli/cli.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  quadra::cli::Console console{std::cin, std::cout, std::cerr};
  return quadra::cli::Run({argv, argv + argc}, console);
}
