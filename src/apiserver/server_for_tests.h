// A real server on loopback with its store in a temporary folder, and a client who may do everything.
// Pods of the namespace default find the account that they run as.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "apiserver/server.h"
#include "apiserver/state_files.h"
#include "base/check.h"
#include "json/documents.h"
#include "net/client.h"

namespace quadra::apiserver {

// What a JSONPath finds in a JSON text, e.g. .metadata.name, or several: {.kind} {.reason}; "" where
// nothing.
inline std::string Pick(const std::string& json, std::string_view path) {
  const Result<json::Value> value = json::ParseValue(json);
  const Result<json::JsonPath> found_by = json::JsonPath::Parse(
      path.starts_with('{') ? std::string(path) : fmt::format("{{{}}}", path));
  QUADRA_CHECK(found_by.has_value(), "tests write good templates");
  return value ? found_by->Print(*value).value_or("") : "";
}

// What a watch has told so far, one JSON text a line.
class WatchLog {
 public:
  void Take(std::string_view piece) {
    const std::lock_guard lock(mutex_);
    for (const char byte : piece) {
      if (byte == '\n') {
        lines_.push_back(std::exchange(line_, {}));
      } else {
        line_ += byte;
      }
    }
    heard_.notify_all();
  }
  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    heard_.notify_all();
  }
  // All lines, once there are so many or the stream has ended; only a test that fails waits long.
  std::vector<std::string> WaitFor(std::size_t lines) {
    std::unique_lock lock(mutex_);
    heard_.wait_for(lock, std::chrono::seconds(20),
                    [&] { return ended_ || lines_.size() >= lines; });
    return lines_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  std::string line_;
  std::vector<std::string> lines_;
  bool ended_ = false;
};

class TestServer {
 public:
  // Options but for the directory and the port.
  explicit TestServer(ApiServerOptions options = {}) : options_(std::move(options)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "quadra-XXXXXX").string();
    QUADRA_CHECK(::mkdtemp(pattern.data()) != nullptr, "tests may make folders");
    directory_ = pattern;
    Start();
    Ask("POST", "/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"default"}})");
  }
  ~TestServer() {
    client_.reset();
    server_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  // On the same files.
  void Restart() {
    client_.reset();
    server_.reset();
    Start();
  }
  void Restart(ApiServerOptions options) {
    options_ = std::move(options);
    Restart();
  }

  // As Ctrl-C does. Whether all that was under way has ended by itself.
  bool Stop() { return server_->Stop(std::chrono::seconds(10)); }

  // A patch names its type: "PATCH json", "PATCH merge", "PATCH strategic-merge".
  net::Response Ask(std::string_view method, std::string target, std::string body = "",
                    net::Headers headers = {}) {
    const bool patches = method.starts_with("PATCH ");
    if (!headers.Find("content-type")) {
      headers.Add("content-type", patches
                                      ? fmt::format("application/{}-patch+json", method.substr(6))
                                      : "application/json");
    }
    return AskAsIs(patches ? "PATCH" : method, std::move(target), std::move(body),
                   std::move(headers));
  }
  // The same with these headers and no others.
  net::Response AskAsIs(std::string_view method, std::string target, std::string body,
                        net::Headers headers) {
    Result<net::Response> answer = client_->Fetch({.method = std::string(method),
                                                   .target = std::move(target),
                                                   .headers = std::move(headers),
                                                   .body = std::move(body)});
    QUADRA_CHECK(answer.has_value(), "the server answers");
    return *std::move(answer);
  }

  // It watches when this returns.
  std::shared_ptr<WatchLog> Watch(std::string target, net::Headers headers = {}) {
    auto begun = std::make_shared<std::promise<void>>();
    auto log = Start(std::move(target), std::move(headers), [begun] { begun->set_value(); });
    begun->get_future().wait_for(std::chrono::seconds(20));
    return log;
  }

  // Sends a GET and does not wait. What is asked later comes to the server later.
  std::shared_ptr<WatchLog> Start(
      std::string target, net::Headers headers, std::function<void()> begun = [] {}) {
    auto log = std::make_shared<WatchLog>();
    client_->Start({.method = "GET", .target = std::move(target), .headers = std::move(headers)},
                   {.head = [begun = std::move(begun)](int, const net::Headers&) { begun(); },
                    .data = [log](std::string_view piece) { log->Take(piece); },
                    .end = [log](const Status&) { log->End(); }});
    return log;
  }

  // A client that shows no certificate.
  std::unique_ptr<net::Client> Stranger() const {
    return *net::Client::Make(
        {.port = server_->port(),
         .authorities = StateFiles::Open(directory_)->Authority(SystemClock().Now())->certificate});
  }

 private:
  void Start() {
    options_.directory = directory_;
    options_.port = 0;
    Result<std::unique_ptr<ApiServer>> server = ApiServer::Start(options_);
    QUADRA_CHECK(server.has_value(), "a server starts in an empty folder");
    server_ = *std::move(server);
    const Time now = SystemClock().Now();
    const Result<StateFiles> files = StateFiles::Open(directory_);
    const Result<net::Credential> authority = files->Authority(now);
    Result<std::unique_ptr<net::Client>> client = net::Client::Make(
        {.port = server_->port(),
         .authorities = authority->certificate,
         .credential = *net::IssueClient(*authority, {"admin", {"system:masters"}}, now)});
    QUADRA_CHECK(client.has_value(), "the server's own authority makes good clients");
    client_ = *std::move(client);
  }

  ApiServerOptions options_;
  std::filesystem::path directory_;
  std::unique_ptr<ApiServer> server_;
  std::unique_ptr<net::Client> client_;
};

}  // namespace quadra::apiserver
