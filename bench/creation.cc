#include "creation.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace quadra::bench {
namespace {

constexpr std::string_view kName = "NAME";

// Keeps 64 creations under way until there were enough.
class Filling {
 public:
  Filling(net::Client& client, const Creation& creation, std::size_t count)
      : client_(client),
        creation_(creation),
        left_(count),
        open_(std::min<std::size_t>(count, 64)) {
    for (std::size_t i = open_; i > 0; --i) {
      Next();
    }
  }

  Status Wait() { return done_.get_future().get(); }

 private:
  void Next() {
    client_.Start(creation_(next_++),
                  {.head = [this](int status, const net::Headers&) { Answered(status); },
                   .data = [](std::string_view) {},
                   .end = [this](const Status& how) { Ended(how); }});
  }

  void Answered(int status) {
    if (status != 201) {
      how_ = Fail(Error{.message = fmt::format("a creation is answered {}", status)});
    }
  }

  void Ended(const Status& how) {
    if (!how) {
      how_ = how;
    }
    if (--left_ >= open_) {
      Next();
    } else if (left_ == 0) {
      done_.set_value(how_);
    }
  }

  net::Client& client_;
  const Creation& creation_;
  std::atomic<std::size_t> left_;
  const std::size_t open_;
  std::atomic<std::uint64_t> next_ = 0;
  Status how_;
  std::promise<Status> done_;
};

}  // namespace

Result<Creation> Creation::Prepare(std::string collection, const std::string& file) {
  QUADRA_TRY(const std::string text, ReadWhole(file));
  const std::size_t at = text.find(kName);
  if (at == std::string::npos) {
    return Fail(Error{.message = file + " has no NAME"});
  }
  return Creation(std::move(collection), text.substr(0, at), text.substr(at + kName.size()));
}

Creation::Creation(std::string collection, std::string before, std::string after)
    : collection_(std::move(collection)),
      before_(std::move(before)),
      after_(std::move(after)),
      prefix_(fmt::format("n{}", getpid())) {}

net::Request Creation::operator()(std::uint64_t i) const {
  return {.method = "POST",
          .target = collection_,
          .headers = {{"content-type", "application/json"}, {"accept", "application/json"}},
          .body = fmt::format("{}{}-{:08}{}", before_, prefix_, i, after_)};
}

Status Creation::Fill(const Place& place, std::size_t count) const {
  QUADRA_TRY(const auto client, place.Connect(8));
  return Filling(*client, *this, count).Wait();
}

}  // namespace quadra::bench
