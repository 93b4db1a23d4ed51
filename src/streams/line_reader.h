// LineReader: one line of a stream, an object read member by member; the first thing wrong with
// it is kept in words, and the rest is still read, so that a line is either a question or a
// complaint.
//
//   LineReader line(text);
//   const Status read = line.ReadMembers([&](const std::string& key) {
//     if (key == "node" && line.Expect(json::Kind::kString, key)) node = line.values().String();
//     else line.values().Skip();
//   });
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "json/value.h"

namespace quadra::streams {

class LineReader {
 public:
  explicit LineReader(std::string_view line) : reader_(line) {}

  // Calls `read` with the key of every member; it must consume the value. Fails with kSyntax where
  // the line is no JSON, and with kUsage and the first complaint.
  template <typename Read>
  Status ReadMembers(const Read& read) {
    if (Expect(json::Kind::kObject, "the question")) {
      ForEach(read);
    } else {
      reader_.Skip();
    }
    return Finish();
  }

  // The same for an object inside, which is the value at hand.
  template <typename Read>
  void ForEach(const Read& read) {
    std::string_view key;
    for (bool more = reader_.EnterObject(); more && reader_.NextKey(key);) {
      read(std::string(key));
    }
  }

  // Whether the value at hand is of that kind; a complaint if it is of another but null.
  bool Expect(json::Kind wanted, std::string_view what);
  // The value at hand, consumed; nothing, and perhaps a complaint, if it is of another kind.
  std::optional<bool> Bool(std::string_view what);
  std::optional<std::string> String(std::string_view what);

  // Only the first is kept.
  void Complain(std::string problem);
  json::Reader& values() { return reader_; }

 private:
  Status Finish();

  json::Reader reader_;
  std::optional<std::string> problem_;
};

}  // namespace quadra::streams
