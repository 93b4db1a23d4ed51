// Switchboard: where the requests of one Client wait until a connection has room for them, and the
// connections that are dialed for them. Private to src/net.
//
// Threads: the private part runs on the loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

#include "base/mutex.h"
#include "net/call.h"
#include "net/client.h"
#include "net/loop.h"
#include "net/tls.h"
#include "net/transport.h"

namespace quadra::net {

// What the options say of encryption; fails where it cannot be used.
Result<std::shared_ptr<const TlsContext>> TlsFor(const ClientOptions& options);

class Switchboard final : public Carrier {
 public:
  Switchboard(ClientOptions options, std::shared_ptr<const TlsContext> tls);
  ~Switchboard() override;
  Switchboard(const Switchboard&) = delete;
  Switchboard& operator=(const Switchboard&) = delete;

  void Add(std::shared_ptr<Call> call) override;
  void EndCancelled() override;
  void Stop() override;
  std::uint64_t connected() const override { return connected_; }
  Status Use(const Credential& credential) override;

 private:
  // A connection: first it is dialed (no transport), then shakes hands (no caller).
  struct Line {
    explicit Line(Loop& loop) : resolver(loop.context()), socket(loop.context()) {}

    boost::asio::ip::tcp::resolver resolver;
    boost::asio::ip::tcp::socket socket;
    Instant since;
    std::shared_ptr<Transport> transport;
    Caller* caller = nullptr;  // owned by the transport's session
    bool retired = false;      // ends when what runs on it has ended
  };

  // Takes in what was added, hands it to lines that have room, dials where there are too few.
  void Connect();
  void Assign();
  bool NeedsLine() const;
  void EndExpired(Instant now);
  void EndWaiting(const Error& why);
  void Retire();

  void Dial();
  void Resolved(const std::shared_ptr<Line>& line,
                const boost::asio::ip::tcp::resolver::results_type& endpoints);
  void Reached(const std::shared_ptr<Line>& line);
  void Open(const std::shared_ptr<Line>& line);
  std::unique_ptr<Session> MakeSession(Line& line, const Transport::Handshake& done);
  CallerNotices MakeNotices();
  void Close(const std::shared_ptr<Line>& line, const Status& how);

  const ClientOptions options_;
  std::atomic<std::uint64_t> connected_ = 0;

  Mutex mutex_;
  std::vector<std::shared_ptr<Call>> added_ QUADRA_GUARDED_BY(mutex_);
  bool stopped_ QUADRA_GUARDED_BY(mutex_) = false;

  std::shared_ptr<const TlsContext> tls_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::vector<std::shared_ptr<Line>> lines_;
  Loop loop_;  // last: its thread uses all of the above
};

}  // namespace quadra::net
