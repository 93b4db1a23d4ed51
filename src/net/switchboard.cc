#include "net/switchboard.h"

#include <algorithm>
#include <utility>

#include <boost/asio/connect.hpp>
#include <fmt/format.h>

#include "net/best_effort.h"
#include "net/h1_client.h"
#include "net/h2_client.h"
#include "net/tunnel.h"

namespace quadra::net {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// Requests have timeouts of their own, which should be noticed soon.
constexpr std::chrono::milliseconds kSlowestTick(400);

Error Unreachable(const ClientOptions& options, const std::string& why) {
  return {.kind = ErrorKind::kUnreadable,
          .message = fmt::format("cannot reach {}: {}", AuthorityOf(options), why)};
}

// Why a line is closed before it was open.
Error Lost(std::string why) { return {.kind = ErrorKind::kUnreadable, .message = std::move(why)}; }

std::vector<std::string> Names(Protocols protocols) {
  switch (protocols) {
    case Protocols::kAny:
      return {"h2", "http/1.1"};
    case Protocols::kHttp2:
      return {"h2"};
    case Protocols::kHttp1:
      return {"http/1.1"};
  }
  return {};
}

// Of whoever we connect to first.
const std::string& FirstHost(const ClientOptions& options) {
  return options.proxy ? options.proxy->host : options.host;
}

std::uint16_t FirstPort(const ClientOptions& options) {
  return options.proxy ? options.proxy->port : options.port;
}

Error NotReached(const ClientOptions& options, const error_code& error) {
  return Lost(options.proxy ? fmt::format("the proxy {}:{}: {}", FirstHost(options),
                                          FirstPort(options), error.message())
                            : error.message());
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsFor(const ClientOptions& options) {
  return TlsContext::ForClient(
      {.authorities = options.authorities,
       .system_authorities = options.system_authorities,
       .insecure = options.insecure,
       .credential = options.credential,
       .server_name = options.server_name.empty() ? options.host : options.server_name,
       .protocols = Names(options.protocols)});
}

Switchboard::Switchboard(ClientOptions options, std::shared_ptr<const TlsContext> tls)
    : options_(std::move(options)),
      tls_(std::move(tls)),
      loop_(TickFor({options_.connect_timeout, options_.idle, options_.ping_after,
                     options_.ping_timeout, kSlowestTick})) {
  loop_.Post([this] { loop_.AtTick([this](Instant now) { EndExpired(now); }); });
}

Switchboard::~Switchboard() { Switchboard::Stop(); }

void Switchboard::Add(std::shared_ptr<Call> call) {
  bool first = false;
  bool refused = false;
  {
    MutexLock lock(mutex_);
    refused = stopped_;
    first = added_.empty();
    if (!refused) {
      added_.push_back(call);
    }
  }
  if (refused) {
    call->End(Fail(ClientClosed()));
  } else if (first) {
    loop_.Post([this] { Connect(); });
  }
}

void Switchboard::EndCancelled() {
  loop_.Post([this] {
    const Instant now = std::chrono::steady_clock::now();
    EndExpired(now);
    for (const auto& line : std::vector(lines_)) {
      if (line->caller != nullptr) {
        line->caller->EndExpired(now);
        line->transport->Pump();
      }
    }
  });
}

void Switchboard::Stop() {
  {
    MutexLock lock(mutex_);
    if (std::exchange(stopped_, true)) {
      return;
    }
  }
  loop_.Post([this] {
    Connect();
    EndWaiting(ClientClosed());
  });
  loop_.Stop();
  lines_.clear();
}

Status Switchboard::Use(const Credential& credential) {
  ClientOptions changed = options_;
  changed.credential = credential;
  QUADRA_TRY(std::shared_ptr<const TlsContext> tls, TlsFor(changed));
  MutexLock lock(mutex_);
  if (!stopped_) {
    loop_.Post([this, tls = std::move(tls)] {
      tls_ = tls;
      Retire();
    });
  }
  return {};
}

void Switchboard::Retire() {
  for (const auto& line : std::vector(lines_)) {
    if (line->transport != nullptr) {
      line->retired = true;
      line->transport->Drain();
    }
  }
  Connect();
}

void Switchboard::Connect() {
  bool stopped = false;
  {
    MutexLock lock(mutex_);
    waiting_.insert(waiting_.end(), added_.begin(), added_.end());
    added_.clear();
    stopped = stopped_;
  }
  Assign();
  while (!stopped && NeedsLine()) {
    Dial();
  }
}

void Switchboard::Assign() {
  for (const auto& line : std::vector(lines_)) {
    const auto has_room = [&line] {
      return line->caller != nullptr && !line->retired && line->caller->Room() > 0;
    };
    const bool chosen = !waiting_.empty() && has_room();
    while (!waiting_.empty() && has_room()) {
      const std::shared_ptr<Call> call = std::move(waiting_.front());
      waiting_.pop_front();
      line->caller->Submit(call);
    }
    if (chosen) {
      line->transport->Pump();
    }
  }
}

// A line of h2 has room for many, so one is dialed at a time; a line of HTTP/1.1 serves one.
bool Switchboard::NeedsLine() const {
  const auto lines = std::ranges::count_if(lines_, [](const auto& line) { return !line->retired; });
  const auto dialed = std::ranges::count_if(lines_, [](const auto& line) {
    return !line->retired && (line->caller == nullptr || !line->caller->Ready());
  });
  const std::size_t useful = options_.protocols == Protocols::kHttp1 ? waiting_.size() : 1;
  return !waiting_.empty() && static_cast<std::size_t>(dialed) < useful &&
         static_cast<std::size_t>(lines) < options_.connections;
}

void Switchboard::EndExpired(Instant now) {
  std::erase_if(waiting_, [&](const std::shared_ptr<Call>& call) {
    const std::optional<Error> why = call->Expired(now);
    if (why) {
      call->End(Fail(*why));
    }
    return why.has_value();
  });
  for (const auto& line : std::vector(lines_)) {
    if (line->transport == nullptr && now - line->since > options_.connect_timeout) {
      Close(line, Fail(Lost("no answer in time")));
    }
  }
}

void Switchboard::EndWaiting(const Error& why) {
  for (const std::shared_ptr<Call>& call : std::exchange(waiting_, {})) {
    call->End(Fail(why));
  }
}

void Switchboard::Dial() {
  const auto line = std::make_shared<Line>(loop_);
  line->since = std::chrono::steady_clock::now();
  lines_.push_back(line);
  const std::string& host = FirstHost(options_);
  const std::string port = std::to_string(FirstPort(options_));
  error_code named;
  const auto address = boost::asio::ip::make_address(host, named);
  if (!named) {
    const tcp::endpoint endpoint(address, FirstPort(options_));
    return Resolved(line, tcp::resolver::results_type::create(endpoint, host, port));
  }
  line->resolver.async_resolve(
      host, port, [this, line](const error_code& error, const auto& endpoints) {
        error ? Close(line, Fail(NotReached(options_, error))) : Resolved(line, endpoints);
      });
}

void Switchboard::Resolved(const std::shared_ptr<Line>& line,
                           const tcp::resolver::results_type& endpoints) {
  boost::asio::async_connect(
      line->socket, endpoints,
      [this, line](const error_code& error, const tcp::endpoint& /*endpoint*/) {
        error ? Close(line, Fail(NotReached(options_, error))) : Reached(line);
      });
}

void Switchboard::Reached(const std::shared_ptr<Line>& line) {
  if (!options_.proxy) {
    return Open(line);
  }
  OpenTunnel(line->socket, AuthorityOf(options_),
             [this, line](const Status& how) { how ? Open(line) : Close(line, how); });
}

void Switchboard::Open(const std::shared_ptr<Line>& line) {
  line->transport = std::make_shared<Transport>(
      loop_, std::move(line->socket),
      Transport::Plan{
          .tls = tls_,
          .server = false,
          .handshake_timeout = options_.connect_timeout,
          .stall_timeout = options_.ping_after + options_.ping_timeout,
          .make_session =
              [this, line](const Transport::Handshake& done) { return MakeSession(*line, done); },
          .closed = [this, line](const Status& how, bool /*shook_hands*/) { Close(line, how); }});
  line->transport->Start();
}

std::unique_ptr<Session> Switchboard::MakeSession(Line& line, const Transport::Handshake& done) {
  ++connected_;
  std::unique_ptr<Session> made;
  if (done.protocol == "h2") {
    auto session = std::make_unique<H2Client>(options_, MakeNotices(), done.now);
    line.caller = session.get();
    made = std::move(session);
  } else {
    auto session = std::make_unique<H1Client>(options_, MakeNotices(), done.now);
    line.caller = session.get();
    made = std::move(session);
  }
  loop_.Post([this] { Connect(); });
  return made;
}

CallerNotices Switchboard::MakeNotices() {
  return {.retry =
              [this](std::shared_ptr<Call> call) {
                call->retried = true;
                call->sent = 0;
                Add(std::move(call));
              },
          .room =
              [this] {
                if (!waiting_.empty()) {
                  loop_.Post([this] { Connect(); });
                }
              }};
}

// What no line can serve any more ends; what waited for another one goes on waiting.
void Switchboard::Close(const std::shared_ptr<Line>& line, const Status& how) {
  if (std::erase(lines_, line) == 0) {
    return;
  }
  error_code ignored;
  BestEffort(line->socket.close(ignored));
  const bool opened = line->caller != nullptr;
  line->caller = nullptr;
  line->transport = nullptr;
  if (!opened && lines_.empty()) {
    EndWaiting(how ? Unreachable(options_, "the connection was closed")
                   : Unreachable(options_, how.error().message));
  }
  Connect();
}

}  // namespace quadra::net
