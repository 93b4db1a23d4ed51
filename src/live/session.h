// Session: a cluster that runs, for one command: asks, waits for the answers, and ends. A door of
// this folder.
//
//   QUADRA_TRY(client::Connection connection, client::Connect(access));
//   Session session(std::move(connection), {});
//   const Answer<std::string> pod = session.Run<Answer<std::string>>(
//       [&](client::Api& api) { return GetPod(api, name); });
//
// Threads: one thread uses it; work runs on a loop of its own, while that thread waits.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "client/api.h"
#include "client/connection.h"
#include "loop/event_loop.h"
#include "loop/task.h"

namespace quadra::live {

class Session {
 public:
  struct Options {
    // Told of every Warning header, once each; on the loop, while Run waits.
    std::function<void(const std::string&)> on_warning = [](const std::string&) {};
  };

  Session(client::Connection connection, Options options);
  // What is under way is forgotten.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Runs a task of the loop to its end. `work` lives until then, so it may be a lambda that captures.
  template <typename T>
  T Run(const std::function<loop::Task<T>(client::Api&)>& work) {
    // Shared, since the loop may still hold it when the answer has been taken.
    const auto promise = std::make_shared<std::promise<T>>();
    std::future<T> answer = promise->get_future();
    loop_.Run([&] { tasks_->Start(Keep(work(*api_), promise)); });
    return answer.get();
  }

  const std::string& server() const { return connection_.server; }
  // The namespace that counts where nobody names one; never empty.
  std::string ns() const { return connection_.ns.empty() ? "default" : connection_.ns; }

 private:
  template <typename T>
  static loop::Task<void> Keep(loop::Task<T> task, std::shared_ptr<std::promise<T>> promise) {
    T value = co_await task;
    promise->set_value(std::move(value));
  }

  client::Connection connection_;
  loop::ThreadLoop loop_;
  std::unique_ptr<client::Api> api_;
  std::unique_ptr<loop::TaskGroup> tasks_;
};

// The same for one request.
template <typename T>
loop::Task<T> Waited(loop::Later<T> later) {
  co_return co_await later;
}

}  // namespace quadra::live
