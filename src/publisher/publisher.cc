#include "publisher/publisher.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace quadra::publisher {
namespace {

using client::Answer;
using client::Looked;
using loop::Task;

constexpr std::string_view kByPool = "publisher-pool";
constexpr std::size_t kWorkers = 10;
constexpr auto kPause = std::chrono::milliseconds(10);
constexpr auto kLongestWait = std::chrono::seconds(5);

std::string KeyOf(std::string_view driver, std::string_view pool) {
  return fmt::format("{}/{}", driver, pool);
}

std::string KeyOf(const api::ResourceSlice& slice) {
  return KeyOf(slice.spec.driver, slice.spec.pool.name);
}

// What a driver says, without what the publisher adds.
bool SaysTheSame(const api::ResourceSliceSpec& have, api::ResourceSliceSpec wanted) {
  wanted.driver = have.driver;
  wanted.pool = have.pool;
  return have == wanted;
}

api::ResourceSlice NewSlice(const Pool& pool) {
  api::ResourceSlice slice;
  const bool has_node = pool.owner && pool.owner->kind == "Node";
  slice.metadata.generate_name =
      fmt::format("{}-{}-", has_node ? pool.owner->name : pool.name, pool.driver);
  if (pool.owner) {
    slice.metadata.owner_references.push_back(*pool.owner);
  }
  return slice;
}

bool IsAsNewAs(const api::ResourceSlice& copy, const api::ResourceSlice& written) {
  const std::string& a = copy.metadata.resource_version;
  const std::string& b = written.metadata.resource_version;
  return a.size() != b.size() ? a.size() > b.size() : a >= b;
}

using Slices = std::vector<std::shared_ptr<const api::ResourceSlice>>;

// For each wanted slice one of `left` that says the same, which is taken out of there; null where
// there is none.
Slices TakeSame(const std::vector<api::ResourceSliceSpec>& wanted, Slices& left) {
  Slices same(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = std::ranges::find_if(
        left, [&](const auto& each) { return SaysTheSame(each->spec, wanted[i]); });
    if (found != left.end()) {
      same[i] = *found;
      left.erase(found);
    }
  }
  return same;
}

// Whether readers see the pool as a whole: all of one generation, each counting all.
bool IsWhole(const Slices& slices, std::int64_t generation) {
  return std::ranges::all_of(slices, [&](const auto& each) {
    return each != nullptr && each->spec.pool.generation == generation &&
           each->spec.pool.resource_slice_count == static_cast<std::int64_t>(slices.size());
  });
}

}  // namespace

Publisher::Publisher(client::ControllerContext& context)
    : context_(context),
      slices_(context.informers.Of<api::ResourceSlice>()),
      queue_(context.api.loop(),
             {.meter = context.work.For("resource_slice_publisher"), .workers = kWorkers},
             [this](std::string key) { return Sync(std::move(key)); }) {
  slices_.AddIndex(std::string(kByPool), [](const api::ResourceSlice& slice) {
    return std::vector<std::string>{KeyOf(slice)};
  });
  const auto look = [this](const api::ResourceSlice& slice) {
    if (pools_.contains(KeyOf(slice))) {
      queue_.Add(KeyOf(slice));
    }
  };
  slices_.OnChange(
      {.added = look,
       .updated = [look](const api::ResourceSlice&, const api::ResourceSlice& now) { look(now); },
       .deleted = look});
}

void Publisher::Put(Pool pool) {
  const std::string key = KeyOf(pool.driver, pool.name);
  pools_.insert_or_assign(key, std::move(pool));
  queue_.Add(key);
}

void Publisher::Remove(std::string_view driver, std::string_view name) {
  Put({.driver = std::string(driver), .name = std::string(name), .owner = {}, .slices = {}});
}

// A slice that is there already and says what is wanted is kept for that; others are taken in turn.
Publisher::Plan Publisher::PlanFor(const Pool& wanted) const {
  std::vector<SlicePtr> left = slices_.With(kByPool, KeyOf(wanted.driver, wanted.name));
  std::int64_t generation = 0;
  for (const SlicePtr& each : left) {
    generation = std::max(generation, each->spec.pool.generation);
  }
  std::vector<SlicePtr> over = TakeSame(wanted.slices, left);
  if (left.empty() && IsWhole(over, generation)) {
    return {};
  }
  Plan plan;
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (over[i] == nullptr && !left.empty()) {
      over[i] = left.back();
      left.pop_back();
    }
    api::ResourceSlice slice = over[i] == nullptr ? NewSlice(wanted) : *over[i];
    slice.spec = wanted.slices[i];
    slice.spec.driver = wanted.driver;
    slice.spec.pool = {.name = wanted.name,
                       .generation = generation + 1,
                       .resource_slice_count = static_cast<std::int64_t>(over.size())};
    plan.writes.push_back(std::move(slice));
  }
  plan.deletions = std::move(left);
  return plan;
}

Task<Looked> Publisher::Sync(std::string key) {
  Plan plan = PlanFor(pools_.find(key)->second);
  for (api::ResourceSlice& each : plan.writes) {
    Task<Answer<api::ResourceSlice>> writing = Write(std::move(each));
    Answer<api::ResourceSlice> written = co_await writing;
    if (!written) {
      co_return Looked::kAgain;
    }
    Task<void> waiting = AwaitShown(*std::move(written));
    co_await waiting;
  }
  for (const SlicePtr& each : plan.deletions) {
    Task<bool> deleting = Delete(each);
    const bool is_gone = co_await deleting;
    if (!is_gone) {
      co_return Looked::kAgain;
    }
  }
  co_return Looked::kDone;
}

Task<Answer<api::ResourceSlice>> Publisher::Write(api::ResourceSlice slice) {
  const std::string name =
      slice.metadata.name.empty() ? slice.metadata.generate_name + "…" : slice.metadata.name;
  Task<Answer<api::ResourceSlice>> writing = slice.metadata.name.empty()
                                                 ? context_.api.Create(std::move(slice))
                                                 : context_.api.Update(std::move(slice));
  Answer<api::ResourceSlice> written = co_await writing;
  if (!written) {
    Log(name, written.error());
  }
  co_return written;
}

Task<bool> Publisher::Delete(SlicePtr slice) {
  const client::Resource slices = context_.api.Served(client::ResourceOf<api::ResourceSlice>());
  const client::Deletion deletion{.uid = slice->metadata.uid};
  loop::Later<Answer<std::string>> deleting =
      context_.api.Delete(slices, {}, slice->metadata.name, deletion);
  const Answer<std::string> deleted = co_await deleting;
  co_return deleted || deleted.error().Is(client::refused::kNotFound) ||
      Log(slice->metadata.name, deleted.error());
}

Task<void> Publisher::AwaitShown(api::ResourceSlice written) {
  const Time since = context_.api.loop().Now();
  while (context_.api.loop().Now() - since < kLongestWait) {
    const SlicePtr copy = slices_.Find(std::string_view(), written.metadata.name);
    if (copy != nullptr && IsAsNewAs(*copy, written)) {
      co_return;
    }
    co_await loop::Pause(context_.api.loop(), kPause);
  }
}

bool Publisher::Log(const std::string& slice, const client::Failure& failure) {
  context_.log(fmt::format("publisher: ResourceSlice {}: {}", slice, failure.message));
  return false;
}

}  // namespace quadra::publisher
