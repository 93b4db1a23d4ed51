// Cli: the command line of quadra. One call runs one command, from its arguments to its exit code.
//
// Reads nothing but `console.in` and the files named by the arguments, writes nothing but the
// console's two streams: answers to `out`, complaints about the command itself to `err`. Not
// thread-safe. Example, the whole of main():
//
//   Console console{std::cin, std::cout, std::cerr};
//   return Run({argv, argv + argc}, console);
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace quadra::cli {

struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

// `arguments` include the program's name. Returns an exit code of exit_code.h; throws nothing.
int Run(const std::vector<std::string>& arguments, Console& console);

}  // namespace quadra::cli
