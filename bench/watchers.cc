#include "watchers.h"

#include <algorithm>
#include <utility>

namespace quadra::bench {

Result<std::unique_ptr<Watchers>> Watchers::Open(const Place& place, const std::string& collection,
                                                 std::size_t count, OnLines on_lines) {
  QUADRA_TRY(auto client, place.Connect(count / 50 + 1));
  auto watchers =
      std::unique_ptr<Watchers>(new Watchers(std::move(client), count, std::move(on_lines)));
  QUADRA_RETURN_IF_ERROR(watchers->Begin(collection));
  return watchers;
}

Watchers::Watchers(std::unique_ptr<net::Client> client, std::size_t count, OnLines on_lines)
    : count_(count), on_lines_(std::move(on_lines)), client_(std::move(client)) {}

Status Watchers::Begin(const std::string& collection) {
  for (std::size_t i = 0; i < count_; ++i) {
    client_->Start({.method = "GET",
                    .target = collection + "?watch=1",
                    .headers = {{"accept", "application/json"}}},
                   {.head = [this](int status, const net::Headers&) { Opened(status); },
                    .data =
                        [this, i](std::string_view piece) {
                          on_lines_(i, static_cast<std::size_t>(std::ranges::count(piece, '\n')));
                        },
                    .end = [](const Status&) {}});
  }
  return all_open_.get_future().get();
}

void Watchers::Opened(int status) {
  good_ = good_ && status == 200;
  if (++open_ == count_) {
    all_open_.set_value(good_ ? Status() : Fail(Error{.message = "a watch was refused"}));
  }
}

Arrivals::Arrivals(std::size_t watchers, std::size_t events)
    : seen_(watchers), awaited_(watchers * events) {}

void Arrivals::Wrote() {
  const std::scoped_lock lock(mutex_);
  begun_s_.push_back(WallSeconds());
}

void Arrivals::Saw(std::size_t watcher, std::size_t lines) {
  const std::scoped_lock lock(mutex_);
  const double now = WallSeconds();
  for (; lines > 0 && seen_[watcher] < begun_s_.size(); --lines) {
    waits_us_.push_back((now - begun_s_[seen_[watcher]++]) * 1e6);
  }
  if (waits_us_.size() == awaited_) {
    awaited_ = 0;
    all_.set_value();
  }
}

std::vector<double> Arrivals::Wait() {
  all_.get_future().get();
  const std::scoped_lock lock(mutex_);
  std::ranges::sort(waits_us_);
  return std::move(waits_us_);
}

}  // namespace quadra::bench
