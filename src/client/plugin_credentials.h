// PluginCredentials: what an exec plugin says, asked again before it expires and when it is
// refused. Private to src/client.
//
// A minute, or a quarter of its life, before an answer expires the plugin is asked by a thread of
// our own, so that the loop does not wait for it; only where that failed, or all slept, the loop
// does. A plugin that failed is asked again after ten seconds at the earliest. Threads: those of
// one loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "client/credentials.h"
#include "client/exec_plugin.h"

namespace quadra::client {

class PluginCredentials final : public Credentials {
 public:
  // Asks the plugin, on any thread, one at a time; soon ends where `cancelled` becomes true.
  using Ask = std::function<Result<PluginAnswer>(const std::atomic<bool>& cancelled)>;
  // Told of another certificate, on any thread.
  using Use = std::function<void(const net::Credential&)>;

  // `first` is what it said already; `clock` must outlive it.
  PluginCredentials(PluginAnswer first, Ask ask, Use use, const Clock& clock);
  // Ends the plugin.
  ~PluginCredentials() override;

  std::string Token() override;
  bool Renew() override;

 private:
  struct State {
    PluginAnswer answer;
    Time asked_at;
    std::optional<Time> failed_at;
    std::uint64_t asked = 0;  // how often
    bool asking = false;      // the thread does
  };

  void AskInBackground(std::uint64_t asked);
  // Unless somebody asked meanwhile, after the `asked`th time. Whether we show something else now.
  bool AskNow(std::uint64_t asked);
  bool Keep(Result<PluginAnswer> answer);

  const Ask ask_;
  const Use use_;
  const Clock& clock_;
  std::atomic<bool> cancelled_ = false;
  Mutex asking_;  // before mutex_
  mutable Mutex mutex_;
  State state_ QUADRA_GUARDED_BY(mutex_);
  std::thread thread_;  // of the loop
};

}  // namespace quadra::client
