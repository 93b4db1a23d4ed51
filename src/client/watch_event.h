// WatchEvent: a line of a watch, and lines out of a stream. Private to src/client.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadra::client {

// Views into the line.
struct WatchEvent {
  std::string_view type;  // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR
  std::string_view object;
};

// Nothing where the line is no event. Cost: a glance at both ends, as servers write it; a pass over
// the text otherwise.
std::optional<WatchEvent> ReadWatchEvent(std::string_view line);

// What reflectors read of a bookmark, or of an object that could not be decoded.
struct Bookmark {
  std::string resource_version;
  bool ends_initial_events = false;
};
Bookmark ReadBookmark(std::string_view object);

// Cuts a stream into lines; copies only what is split between two pieces.
class LineCutter {
 public:
  // Calls `line` for each line, without its end, until it answers false.
  template <typename Line>
  void Feed(std::string_view piece, Line line) {
    for (std::size_t end = piece.find('\n'); end != std::string_view::npos;
         end = piece.find('\n')) {
      const std::string_view head = piece.substr(0, end);
      piece.remove_prefix(end + 1);
      if (!Tell(head, line)) {
        return;
      }
    }
    rest_.append(piece);
  }
  void Clear() { rest_.clear(); }

 private:
  template <typename Line>
  bool Tell(std::string_view head, Line& line) {
    if (rest_.empty()) {
      return head.empty() || line(head);
    }
    rest_.append(head);
    const bool more = line(rest_);
    rest_.clear();
    return more;
  }

  std::string rest_;  // of a line that has not ended yet
};

}  // namespace quadra::client
