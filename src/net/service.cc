#include "net/service.h"

#include <array>
#include <chrono>
#include <ctime>
#include <utility>

#include "base/guarded.h"

namespace quadra::net {

std::string HttpDate(Time time) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return text.data();
}

void Service::AppendDate(Headers& headers) const {
  if (clock == nullptr || headers.Find("date")) {
    return;
  }
  // Written once a second, not once an answer.
  thread_local Time written_at;
  thread_local std::string written;
  const Time now = std::chrono::floor<std::chrono::seconds>(clock->Now());
  if (written.empty() || now != written_at) {
    written_at = now;
    written = HttpDate(now);
  }
  headers.Add("date", written);
}

bool ArrivingBody::Grow(std::size_t bytes) {
  held_ += bytes;
  return (service_.arriving += bytes) <= service_.limits.arriving_bytes;
}

void ArrivingBody::Release() { service_.arriving -= std::exchange(held_, 0); }

// The exchange answers by itself when an exception destroys it.
void CallHandler(const Handler& handler, Request request, std::shared_ptr<Reply> reply) {
  static_cast<void>(Guarded([&] {
    handler(std::move(request), Exchange(std::move(reply)));
    return true;
  }));
}

void Serve(const Service& service, Request request, std::shared_ptr<Reply> reply) {
  ++service.requests;
  CallHandler(service.handler, std::move(request), std::move(reply));
}

}  // namespace quadra::net
