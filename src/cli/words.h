// Words: lists of names as the command line keeps them, in one text; and words as a shell reads
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadra::cli {

// The words of a space separated list.
std::vector<std::string_view> SplitWords(std::string_view list);

// The text as one word of a POSIX shell: my dump.yaml is 'my dump.yaml', n1 is n1.
std::string ShellWord(std::string_view text);

}  // namespace quadra::cli
