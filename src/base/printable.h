// Which characters Go prints as they are: its quoted texts, which error messages keep, escape the
// others.
#pragma once

namespace quadra {

// unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and U+0020.
bool IsPrintable(char32_t rune);

}  // namespace quadra
