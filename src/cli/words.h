// Words: lists of names as the command line keeps them, in one text; counts in words; and words as
// a shell reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::cli {

// The words of a space separated list.
std::vector<std::string_view> SplitWords(std::string_view list);

// 1 claim, 2 claims.
std::string Counted(std::size_t count, std::string_view noun);

// The text as one word of a POSIX shell: my dump.yaml is 'my dump.yaml', n1 is n1.
std::string ShellWord(std::string_view text);

}  // namespace quadra::cli
