#include "hollow/json_text.h"

namespace quadra::hollow {

std::string ObjectText(const std::function<void(json::Writer&)>& write) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  write(writer);
  writer.EndObject();
  return text;
}

void WriteTexts(json::Writer& writer, const Texts& texts) {
  for (const auto& [key, text] : texts) {
    writer.Member(key, text);
  }
}

void WriteTexts(json::Writer& writer, std::string_view key, const Texts& texts) {
  writer.Key(key);
  writer.BeginObject();
  WriteTexts(writer, texts);
  writer.EndObject();
}

}  // namespace quadra::hollow
