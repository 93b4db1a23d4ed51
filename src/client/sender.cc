#include "client/sender.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace quadra::client {
namespace {

constexpr std::chrono::milliseconds kFirstBackoff(100);

bool Succeeded(int status) { return status >= 200 && status < 300; }

std::optional<std::chrono::seconds> RetryAfter(const net::Headers& headers) {
  const std::string_view text = headers.Find("retry-after").value_or("");
  int seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return read.ec == std::errc() && seconds >= 0 ? std::optional(std::chrono::seconds(seconds))
                                                : std::nullopt;
}

// Takes a quoted string off the front of `rest`, which begins behind its opening quote, and undoes
// its backslashes.
std::string TakeQuoted(std::string_view& rest) {
  std::string text;
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    at += rest[at] == '\\' && at + 1 < rest.size() ? 1 : 0;
    text += rest[at];
  }
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return text;
}

// The texts of `299 - "text"` or `299 - "text" "date", 299 - "text"`; what is not so, as it is.
std::vector<std::string> WarningTexts(std::string_view header) {
  std::vector<std::string> texts;
  std::string_view rest = header;
  for (std::size_t open = rest.find('"'); open != std::string_view::npos; open = rest.find('"')) {
    const bool is_date = !texts.empty() && rest.substr(0, open).find(',') == std::string_view::npos;
    rest.remove_prefix(open + 1);
    std::string text = TakeQuoted(rest);
    if (!is_date) {
      texts.push_back(std::move(text));
    }
  }
  return texts.empty() ? std::vector{std::string(header)} : texts;
}

// Whether the server had no room for it, so that it was not served.
bool HadNoRoom(const Failure& failure) {
  return failure.code == 429 || (failure.code == 503 && failure.retry_after);
}

}  // namespace

Failure Refusal(int status, const net::Headers& headers, std::string_view body) {
  Failure failure = ReadFailure(status, body);
  if (const auto wait = RetryAfter(headers)) {
    failure.retry_after = wait;
  }
  return failure;
}

Failure Unanswered(const Error& why) {
  return {.message = "the server did not answer: " + why.ToString()};
}

struct Sender::Attempt {
  Ask ask;
  Bring bring;
  int tries = 0;
  bool renewed = false;
  // Of the last try.
  int status = 0;
  net::Headers headers;
  std::string body;
  Status how;
};

Sender::Sender(net::Client& client, loop::EventLoop& loop, ApiOptions options)
    : client_(client),
      loop_(loop),
      options_(std::move(options)),
      way_back_(std::make_shared<WayBack>(loop)) {}

void Sender::Send(Ask ask, Bring bring) {
  Send(std::make_shared<Attempt>(Attempt{.ask = std::move(ask), .bring = std::move(bring)}));
}

void Sender::Send(const std::shared_ptr<Attempt>& attempt) {
  ++sent_;
  ++attempt->tries;
  attempt->body.clear();
  client_.Start(RequestOf(attempt->ask),
                {.head =
                     [attempt](int status, const net::Headers& headers) {
                       attempt->status = status;
                       attempt->headers = headers;
                     },
                 .data = [attempt](std::string_view piece) { attempt->body.append(piece); },
                 .end =
                     [attempt, way_back = way_back_, weak = weak_from_this()](const Status& how) {
                       attempt->how = how;
                       way_back->Post([attempt, weak] {
                         if (const auto sender = weak.lock()) {
                           sender->Judge(attempt);
                         }
                       });
                     }},
                options_.timeout);
}

void Sender::Judge(const std::shared_ptr<Attempt>& attempt) {
  if (attempt->how) {
    TellWarnings(attempt->headers);
    if (Succeeded(attempt->status)) {
      return attempt->bring(std::move(attempt->body));
    }
  }
  Failure failure = attempt->how ? Refusal(attempt->status, attempt->headers, attempt->body)
                                 : Unanswered(attempt->how.error());
  if (!TriedAgain(attempt, failure)) {
    attempt->bring(tl::unexpected(std::move(failure)));
  }
}

bool Sender::TriedAgain(const std::shared_ptr<Attempt>& attempt, const Failure& failure) {
  if (failure.code == 401 && !std::exchange(attempt->renewed, true) && options_.renew()) {
    Send(attempt);
    return true;
  }
  const bool reads = attempt->ask.method == "GET";
  const bool retriable = HadNoRoom(failure) || (reads && failure.unreachable()) ||
                         (reads && failure.code >= 500 && failure.retry_after);
  if (!retriable || attempt->tries > options_.most_retries) {
    return false;
  }
  SendAfter(failure.retry_after.value_or(std::chrono::seconds(0)), attempt);
  return true;
}

void Sender::SendAfter(std::chrono::milliseconds wait, const std::shared_ptr<Attempt>& attempt) {
  const std::chrono::milliseconds backoff = kFirstBackoff * (1 << std::min(attempt->tries - 1, 6));
  loop_.PostAfter(std::max(wait, backoff), [attempt, weak = weak_from_this()] {
    if (const auto sender = weak.lock()) {
      sender->Send(attempt);
    }
  });
}

net::Request Sender::RequestOf(const Ask& ask) const {
  net::Request request{.method = ask.method,
                       .target = ask.target,
                       .headers = {{"accept", ask.accept}, {"user-agent", options_.user_agent}},
                       .body = ask.body};
  if (!ask.body.empty()) {
    request.headers.Add("content-type", ask.content_type);
  }
  for (const net::Header& header : options_.headers()) {
    request.headers.Add(header.name, header.value);
  }
  return request;
}

void Sender::TellWarnings(const net::Headers& headers) {
  for (const net::Header& header : headers) {
    if (header.name != "warning") {
      continue;
    }
    for (const std::string& text : WarningTexts(header.value)) {
      if (warned_.insert(text).second) {
        options_.on_warning(text);
      }
    }
  }
}

// What the client's thread and the loop share of a stream.
class Flow {
 public:
  Flow(Api::StreamReceiver receiver, std::shared_ptr<WayBack> way_back)
      : receiver_(std::move(receiver)), way_back_(std::move(way_back)) {}

  net::Receiver Receiver(const std::shared_ptr<Flow>& self) {
    return {.head =
                [self](int status, const net::Headers& headers) {
                  self->status_ = status;
                  self->headers_ = headers;
                },
            .data = [self](std::string_view piece) { self->Arrive(self, piece); },
            .end = [self](const Status& how) { self->Finish(self, how); }};
  }

  // On the loop: nothing is told from now on.
  void Drop() { dropped_ = true; }

 private:
  void Arrive(const std::shared_ptr<Flow>& self, std::string_view piece) {
    {
      MutexLock lock(mutex_);
      arrived_.append(piece);
      if (std::exchange(posted_, true)) {
        return;
      }
    }
    way_back_->Post([self] { self->Deliver(); });
  }

  void Finish(const std::shared_ptr<Flow>& self, const Status& how) {
    way_back_->Post([self, how] { self->Close(how); });
  }

  void Deliver() {
    delivered_.clear();
    {
      MutexLock lock(mutex_);
      std::swap(delivered_, arrived_);
      posted_ = false;
    }
    if (dropped_ || delivered_.empty()) {
      return;
    }
    if (Succeeded(status_)) {
      receiver_.data(delivered_);
    } else {
      refusal_.append(delivered_);
    }
  }

  void Close(const Status& how) {
    Deliver();
    if (dropped_) {
      return;
    }
    if (!how) {
      receiver_.end(tl::unexpected(Unanswered(how.error())));
    } else if (!Succeeded(status_)) {
      receiver_.end(tl::unexpected(Refusal(status_, headers_, refusal_)));
    } else {
      receiver_.end({});
    }
  }

  const Api::StreamReceiver receiver_;
  const std::shared_ptr<WayBack> way_back_;
  // Set before the first piece is posted, read after.
  int status_ = 0;
  net::Headers headers_;
  Mutex mutex_;
  std::string arrived_ QUADRA_GUARDED_BY(mutex_);
  bool posted_ QUADRA_GUARDED_BY(mutex_) = false;
  // The loop's.
  std::string delivered_;
  std::string refusal_;
  bool dropped_ = false;
};

namespace {

class RunningStream final : public Api::Stream {
 public:
  RunningStream(std::shared_ptr<Flow> flow, net::Client::Ongoing ongoing)
      : flow_(std::move(flow)), ongoing_(std::move(ongoing)) {}
  ~RunningStream() override {
    flow_->Drop();
    ongoing_.Cancel();
  }
  RunningStream(const RunningStream&) = delete;
  RunningStream& operator=(const RunningStream&) = delete;

 private:
  const std::shared_ptr<Flow> flow_;
  net::Client::Ongoing ongoing_;
};

}  // namespace

std::unique_ptr<Api::Stream> Sender::Stream(const Ask& ask, Api::StreamReceiver receiver,
                                            std::chrono::milliseconds timeout) {
  ++sent_;
  const auto flow = std::make_shared<Flow>(std::move(receiver), way_back_);
  net::Client::Ongoing ongoing = client_.Start(RequestOf(ask), flow->Receiver(flow), timeout);
  return std::make_unique<RunningStream>(flow, std::move(ongoing));
}

}  // namespace quadra::client
