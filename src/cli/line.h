// Line: text out of files as one line that a terminal only shows.
//
// Attributes, names and labels may hold any character. Printed as they are, a line end forges a row
// of a table and an escape sequence drives the terminal.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace quadra::cli {

// The text with every character that is not printable, line ends included, written as Go escapes
// it: \n, \x1b, \u202e. All else is as it was.
std::string OneLine(std::string_view text);

// Prints OneLine(text) and a line end.
void PrintLine(std::ostream& out, std::string_view text);
// The same for text of ours that has several lines, such as a compiler's report.
void PrintLines(std::ostream& out, std::string_view text);

}  // namespace quadra::cli
