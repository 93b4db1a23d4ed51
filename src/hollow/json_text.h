// JSON that hollow nodes write. Private to src/hollow.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace quadra::hollow {

// An object whose members `write` writes.
std::string ObjectText(const std::function<void(json::Writer&)>& write);

using Texts = std::map<std::string, std::string>;
// Members.
void WriteTexts(json::Writer& writer, const Texts& texts);
// One member that is an object of these.
void WriteTexts(json::Writer& writer, std::string_view key, const Texts& texts);

}  // namespace quadra::hollow
