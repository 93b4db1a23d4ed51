// WatchStream: one client that watches: what is there now, then every change, then its end.
//
// An object that begins to match the client's selectors is told as ADDED, one that ceases to as
// DELETED, with the state it had. Events are written as shared bytes, so that a thousand watchers
// of one object hold it once. A client that does not read is ended, never waited for; it comes back
// from the last revision it has seen.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/ask.h"
#include "apiserver/choice.h"
#include "apiserver/meters.h"
#include "apiserver/watch_frame.h"
#include "apiserver/watch_pump.h"
#include "base/clock.h"

namespace quadra::apiserver {

class WatchStream final : public Pumped, public std::enable_shared_from_this<WatchStream> {
 public:
  struct Start {
    Ask ask;
    Choice choice;
    std::vector<store::RecordPtr> present;  // told first, as ADDED
    bool marks_present = false;             // a bookmark says when all of them were told
    store::Revision after = 0;
    bool bookmarks = false;
    std::chrono::seconds timeout{0};
  };
  // Answers the request with a stream that the pump of the backend feeds.
  static void Open(const Backend& backend, Start start, net::Exchange exchange);

  WatchStream(const Backend& backend, Start start, net::Exchange exchange);

  bool Pump() override;
  bool Tick() override;
  void Cancel() override { End(); }

 private:
  void TellPresent();
  // False: the watch is over.
  bool Follow();
  void Tell(const store::Event& event);
  void Write(const Frame& frame);
  void Write(std::string_view type, const store::RecordPtr& record);
  void WriteBookmark(bool ends_present);
  void WriteError(const Failure& failure);
  bool IsBehind() const;
  bool End();

  const Clock& clock_;
  Start start_;
  WatchMeters::One meters_;
  net::Exchange exchange_;
  std::unique_ptr<store::Watch> watch_;
  store::Revision through_ = 0;
  std::chrono::steady_clock::time_point ends_;
  std::chrono::steady_clock::time_point next_bookmark_;
  bool first_ = true;  // no event was told yet
  bool over_ = false;
};

}  // namespace quadra::apiserver
