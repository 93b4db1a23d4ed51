// Writing JSON as nested calls, so that what is opened is closed and the text reads like the
// document:
//
//   Object(writer, [&] {
//     Text(writer, "kind", "APIGroup");
//     Array(writer, "versions", [&] { … });
//   });
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace quadra::apiserver {

inline void Text(json::Writer& writer, std::string_view key, std::string_view text) {
  writer.Key(key);
  writer.String(text);
}

inline void Flag(json::Writer& writer, std::string_view key, bool value) {
  writer.Key(key);
  writer.Bool(value);
}

template <typename Fill>
void Object(json::Writer& writer, Fill fill) {
  writer.BeginObject();
  fill();
  writer.EndObject();
}

template <typename Fill>
void Object(json::Writer& writer, std::string_view key, Fill fill) {
  writer.Key(key);
  Object(writer, fill);
}

template <typename Fill>
void Array(json::Writer& writer, std::string_view key, Fill fill) {
  writer.Key(key);
  writer.BeginArray();
  fill();
  writer.EndArray();
}

inline void Texts(json::Writer& writer, std::string_view key,
                  std::span<const std::string_view> texts) {
  Array(writer, key, [&] {
    for (const std::string_view text : texts) {
      writer.String(text);
    }
  });
}

// A whole document: the object that `fill` writes into a writer.
template <typename Fill>
std::string Document(Fill fill, int indent = 0) {
  std::string body;
  json::Writer writer(body, indent);
  Object(writer, [&] { fill(writer); });
  return body;
}

}  // namespace quadra::apiserver
