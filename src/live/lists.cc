#include "live/lists.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/object.h"
#include "loop/task.h"

namespace quadra::live {
namespace {

using client::Answer;
using client::Api;
using client::Page;

bool IsDra(const Need& need) { return need.resource.group == api::kDraGroup; }

// A kind that only newer servers have is a kind without objects.
bool IsAbsent(const Answer<Page>& page) {
  return !page && page.error().Is(client::refused::kNotFound);
}

bool MayNarrow(const Need& need, const Answer<Page>& page) {
  return !page && page.error().Is(client::refused::kForbidden) && need.resource.namespaced &&
         need.choice.ns.empty() && !need.fallback_ns.empty();
}

// All lists of one question.
class Reading {
 public:
  Reading(Api& api, const std::vector<Need>& needs,
          const std::function<void(std::size_t)>& on_objects)
      : api_(api), needs_(needs), on_objects_(on_objects), got_(needs.size()) {}

  loop::Task<std::vector<Got>> Run() {
    const std::optional<client::Failure> no_dra = co_await FindVersions();
    if (no_dra) {
      co_return AllFailed(*no_dra);
    }
    left_ = needs_.size();
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      lists_.Start(List(i));
    }
    if (left_ > 0) {
      co_await done_;
    }
    co_return std::move(got_);
  }

 private:
  loop::Task<std::optional<client::Failure>> FindVersions() {
    if (std::ranges::none_of(needs_, IsDra)) {
      co_return std::nullopt;
    }
    const Answer<void> found = co_await api_.UseVersions();
    if (!found) {
      co_return found.error();
    }
    co_return std::nullopt;
  }

  loop::Task<void> List(std::size_t i) {
    const Need& need = needs_[i];
    Got& got = got_[i];
    if (api_.Serves(need.resource)) {
      got.page = co_await Pages(need, need.choice.ns);
    }
    if (MayNarrow(need, got.page)) {
      got.denied = got.page.error();
      got.narrowed_to = need.fallback_ns;
      got.page = co_await Pages(need, need.fallback_ns);
    }
    if (IsAbsent(got.page)) {
      got.page = Page();
    }
    Finish();
  }

  loop::Task<Answer<Page>> Pages(const Need& need, std::string ns) {
    client::Choice choice = need.choice;
    choice.ns = std::move(ns);
    choice.on_page = on_objects_;
    client::Resource resource = api_.Served(need.resource);
    return api_.List(std::move(resource), std::move(choice));
  }

  // Posted, since what waits for it drops the task that calls this.
  void Finish() {
    if (--left_ == 0) {
      api_.loop().Post([bring = done_.Bring()] { bring(true); });
    }
  }

  std::vector<Got> AllFailed(const client::Failure& failure) {
    for (Got& got : got_) {
      got.page = tl::unexpected(failure);
    }
    return std::move(got_);
  }

  Api& api_;
  const std::vector<Need>& needs_;
  const std::function<void(std::size_t)>& on_objects_;
  std::vector<Got> got_;
  std::size_t left_ = 0;
  loop::Later<bool> done_;
  loop::TaskGroup lists_;
};

loop::Task<std::vector<Got>> Read(Api& api, const std::vector<Need>& needs,
                                  const std::function<void(std::size_t)>& on_objects) {
  Reading reading(api, needs, on_objects);
  co_return co_await reading.Run();
}

}  // namespace

std::vector<Got> ReadAll(Session& session, const std::vector<Need>& needs,
                         const std::function<void(std::size_t)>& on_objects) {
  return session.Run<std::vector<Got>>([&](Api& api) { return Read(api, needs, on_objects); });
}

}  // namespace quadra::live
