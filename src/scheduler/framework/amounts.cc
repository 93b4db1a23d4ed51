#include "scheduler/framework/amounts.h"

#include <algorithm>

namespace quadra::scheduler {
namespace {

using Other = std::pair<std::string, std::int64_t>;

}  // namespace

std::int64_t* Amounts::Slot(std::string_view resource) {
  if (resource == "cpu") {
    return &milli_cpu;
  }
  if (resource == "memory") {
    return &memory;
  }
  if (resource == "ephemeral-storage") {
    return &ephemeral_storage;
  }
  const auto at = std::ranges::lower_bound(others, resource, {}, &Other::first);
  if (at != others.end() && at->first == resource) {
    return &at->second;
  }
  return &others.emplace(at, resource, 0)->second;
}

Amounts Amounts::Of(const placement::ResourceAmounts& amounts) {
  Amounts made;
  for (const auto& [resource, count] : amounts) {
    *made.Slot(resource) = count;
  }
  return made;
}

Amounts Amounts::Of(const api::ResourceList& list) {
  Amounts made;
  for (const auto& [resource, amount] : list) {
    *made.Slot(resource) = placement::CountOf(resource, amount);
  }
  return made;
}

std::int64_t Amounts::Get(std::string_view resource) const {
  if (resource == "cpu") {
    return milli_cpu;
  }
  if (resource == "memory") {
    return memory;
  }
  if (resource == "ephemeral-storage") {
    return ephemeral_storage;
  }
  const auto at = std::ranges::lower_bound(others, resource, {}, &Other::first);
  return at != others.end() && at->first == resource ? at->second : 0;
}

void Amounts::Add(const Amounts& more) {
  milli_cpu += more.milli_cpu;
  memory += more.memory;
  ephemeral_storage += more.ephemeral_storage;
  for (const auto& [resource, count] : more.others) {
    *Slot(resource) += count;
  }
}

void Amounts::Subtract(const Amounts& less) {
  milli_cpu -= less.milli_cpu;
  memory -= less.memory;
  ephemeral_storage -= less.ephemeral_storage;
  for (const auto& [resource, count] : less.others) {
    *Slot(resource) -= count;
  }
}

}  // namespace quadra::scheduler
