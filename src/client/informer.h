// Informer<T>: a copy of one collection that a server keeps up to date, and calls on what changes.
// A door of this folder.
//
//   Informer<api::Pod> pods(api, {.resource = ResourceOf<api::Pod>()});
//   pods.AddIndex("claim", [](const api::Pod& pod) { return ClaimNamesOf(pod); });
//   pods.OnChange({.added = …, .updated = …, .deleted = …});
//   pods.Start();
//   … pods.synced() … pods.Find("team-a", "train") … pods.With("claim", "team-a/gpus")
//
// Promises. Handlers see every object that lasts: added before updated before deleted, one call a
// change, in the order of the server's revisions of this collection; what came and went while we
// were not connected may be skipped; a uid that changes is deleted, then added. The store is changed
// before handlers are called. Objects are shared and never changed. Streaming list first, paging
// where a server does not have it; a revision that is too old lists anew, and what is gone by then
// is told as deleted. Reconnects back off from 0.8 s to 30 s. An object that cannot be decoded is
// told to `on_unreadable` and left as it was.
//
// Threads: the loop's. Cost: about 5 us an event of 2 KB.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "client/api.h"
#include "client/reflector.h"

namespace quadra::client {

struct InformerOptions {
  Resource resource;
  Choice choice;
  bool metadata_only = false;
  std::function<void(const std::string& name, const Error&)> on_unreadable = [](const std::string&,
                                                                                const Error&) {};
  // Told of failures to list or watch, each before the wait that follows it.
  std::function<void(const Failure&)> on_failure = [](const Failure&) {};
};

template <typename T>
struct Handlers {
  std::function<void(const T& now)> added = [](const T&) {};
  std::function<void(const T& before, const T& now)> updated = [](const T&, const T&) {};
  std::function<void(const T& last)> deleted = [](const T&) {};
};

template <typename T>
class Informer {
 public:
  using Pointer = std::shared_ptr<const T>;
  using Keys = std::function<std::vector<std::string>(const T&)>;

  // `api` must outlive it.
  Informer(Api& api, InformerOptions options)
      : options_(std::move(options)),
        reflector_(api, {options_.resource, options_.choice, options_.metadata_only},
                   {.listing = [this] { listing_ = {}; },
                    .listed = [this](std::string_view json) { List(json); },
                    .unlisted = [this](std::string_view json) { Unlist(json); },
                    .replaced = [this] { Replace(); },
                    .changed = [this](std::string_view json) { return Put(json); },
                    .deleted = [this](std::string_view json) { return Remove(json); },
                    .failed = [this](const Failure& failure) { options_.on_failure(failure); }}) {}
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  // Both before Start().
  void AddIndex(std::string name, Keys keys) {
    indexes_.push_back({std::move(name), std::move(keys), {}});
  }
  void OnChange(Handlers<T> handlers) { handlers_.push_back(std::move(handlers)); }
  // Called when the first list is complete.
  void OnSynced(std::function<void()> synced) { on_synced_ = std::move(synced); }
  void Start() { reflector_.Start(); }

  // Whether the first list is complete, and handlers were told of all of it.
  bool synced() const { return synced_; }
  // Null where there is none.
  Pointer Find(std::string_view ns, std::string_view name) const;
  // By full name, namespace/name.
  Pointer Find(std::string_view full_name) const;
  // Those with this key in this index, sorted by full name.
  std::vector<Pointer> With(std::string_view index, std::string_view key) const;
  // All, sorted by full name.
  std::vector<Pointer> All() const;
  std::size_t size() const { return objects_.size(); }
  // Of the last event or list.
  const std::string& resource_version() const { return reflector_.resource_version(); }
  // Whether what handlers are told right now comes from a list, not from a watch: then nobody knows
  // which revision brought it.
  bool is_replacing() const { return replacing_; }

 private:
  struct Index {
    std::string name;
    Keys keys;
    absl::flat_hash_map<std::string, absl::flat_hash_set<std::string>> names;  // by key
  };

  // What a list has brought so far.
  struct Listing {
    std::vector<Pointer> objects;                          // null: could not be read, or gone again
    absl::flat_hash_map<std::string, std::size_t> places;  // in `objects`, by full name
  };

  static std::string NameOf(const T& object) {
    const Marks marks = MarksOf(object);
    return api::FullName(marks.ns, marks.name);
  }

  void List(std::string_view json);
  void Unlist(std::string_view json);
  void Replace();
  // Both answer with the object's resourceVersion; empty: it cannot be read.
  std::string Put(std::string_view json);
  std::string Remove(std::string_view json);
  // Null, having told so, where it cannot be read; its name as far as there is one.
  Pointer Decode(std::string_view json, std::string* name) const;
  void Keep(const std::string& name, const Pointer& object);
  void Change(Pointer& kept, const Pointer& object, const std::string& name);
  void Forget(const std::string& name, const Pointer& last);
  void Enter(const T& object, const std::string& name);
  void Leave(const T& object, const std::string& name);
  std::vector<Pointer> Sorted(std::vector<const std::string*> names) const;

  const InformerOptions options_;
  std::vector<Index> indexes_;
  std::vector<Handlers<T>> handlers_;
  std::function<void()> on_synced_ = [] {};
  absl::flat_hash_map<std::string, Pointer> objects_;  // by full name
  Listing listing_;
  bool replacing_ = false;
  bool synced_ = false;
  Reflector reflector_;  // last: it calls all of the above
};

template <typename T>
auto Informer<T>::Find(std::string_view ns, std::string_view name) const -> Pointer {
  return Find(api::FullName(ns, name));
}

template <typename T>
auto Informer<T>::Find(std::string_view full_name) const -> Pointer {
  const auto found = objects_.find(std::string(full_name));
  return found == objects_.end() ? nullptr : found->second;
}

template <typename T>
auto Informer<T>::With(std::string_view index, std::string_view key) const -> std::vector<Pointer> {
  std::vector<const std::string*> names;
  for (const Index& candidate : indexes_) {
    const auto found = candidate.names.find(std::string(key));
    if (candidate.name == index && found != candidate.names.end()) {
      for (const std::string& name : found->second) {
        names.push_back(&name);
      }
    }
  }
  return Sorted(std::move(names));
}

template <typename T>
auto Informer<T>::All() const -> std::vector<Pointer> {
  std::vector<const std::string*> names;
  names.reserve(objects_.size());
  for (const auto& [name, object] : objects_) {
    names.push_back(&name);
  }
  return Sorted(std::move(names));
}

template <typename T>
auto Informer<T>::Sorted(std::vector<const std::string*> names) const -> std::vector<Pointer> {
  std::ranges::sort(names, {}, [](const std::string* name) -> const std::string& { return *name; });
  std::vector<Pointer> objects;
  objects.reserve(names.size());
  for (const std::string* const name : names) {
    objects.push_back(objects_.find(*name)->second);
  }
  return objects;
}

template <typename T>
auto Informer<T>::Decode(std::string_view json, std::string* name) const -> Pointer {
  Result<T> read = Kind<T>::Decode(json);
  if (!read) {
    const Result<api::Identity> identity = api::ReadIdentity(json);
    *name = identity ? api::FullName(identity->ns, identity->name) : "";
    options_.on_unreadable(*name, read.error());
    return nullptr;
  }
  if constexpr (std::is_same_v<T, Metadata>) {
    read->api_version = options_.resource.ApiVersion();
    read->kind = options_.resource.kind;
  }
  *name = NameOf(*read);
  return std::make_shared<const T>(*std::move(read));
}

template <typename T>
void Informer<T>::List(std::string_view json) {
  std::string name;
  Pointer object = Decode(json, &name);
  const auto [place, is_new] =
      listing_.places.try_emplace(std::move(name), listing_.objects.size());
  if (is_new) {
    listing_.objects.push_back(std::move(object));
  } else {
    listing_.objects[place->second] = std::move(object);
  }
}

template <typename T>
void Informer<T>::Unlist(std::string_view json) {
  std::string name;
  static_cast<void>(Decode(json, &name));
  if (const auto found = listing_.places.find(name); found != listing_.places.end()) {
    listing_.objects[found->second] = nullptr;
    listing_.places.erase(found);
  }
}

template <typename T>
void Informer<T>::Replace() {
  const Listing listing = std::exchange(listing_, {});
  replacing_ = true;
  for (const Pointer& object : listing.objects) {
    if (object != nullptr) {
      Keep(NameOf(*object), object);
    }
  }
  std::vector<std::pair<std::string, Pointer>> gone;
  for (const auto& [name, object] : objects_) {
    if (!listing.places.contains(name)) {
      gone.emplace_back(name, object);
    }
  }
  std::ranges::sort(gone, {}, &std::pair<std::string, Pointer>::first);
  for (const auto& [name, object] : gone) {
    Forget(name, object);
  }
  replacing_ = false;
  if (!std::exchange(synced_, true)) {
    on_synced_();
  }
}

template <typename T>
std::string Informer<T>::Put(std::string_view json) {
  std::string name;
  const Pointer object = Decode(json, &name);
  if (object == nullptr) {
    return "";
  }
  std::string revision(MarksOf(*object).resource_version);
  Keep(name, object);
  return revision;
}

template <typename T>
std::string Informer<T>::Remove(std::string_view json) {
  std::string name;
  const Pointer object = Decode(json, &name);
  const Pointer last = object != nullptr ? object : Find(name);
  if (last != nullptr) {
    Forget(name, last);
  }
  return object == nullptr ? "" : std::string(MarksOf(*object).resource_version);
}

template <typename T>
void Informer<T>::Keep(const std::string& name, const Pointer& object) {
  if (const auto found = objects_.find(name); found != objects_.end()) {
    if (MarksOf(*found->second).uid == MarksOf(*object).uid) {
      return Change(found->second, object, name);
    }
    const Pointer last = found->second;
    Forget(name, last);
  }
  objects_.emplace(name, object);
  Enter(*object, name);
  for (const Handlers<T>& handlers : handlers_) {
    handlers.added(*object);
  }
}

template <typename T>
void Informer<T>::Change(Pointer& kept, const Pointer& object, const std::string& name) {
  if (MarksOf(*kept).resource_version == MarksOf(*object).resource_version) {
    return;
  }
  const Pointer before = std::exchange(kept, object);
  Leave(*before, name);
  Enter(*object, name);
  for (const Handlers<T>& handlers : handlers_) {
    handlers.updated(*before, *object);
  }
}

template <typename T>
void Informer<T>::Forget(const std::string& name, const Pointer& last) {
  const auto found = objects_.find(name);
  if (found == objects_.end()) {
    return;
  }
  Leave(*found->second, name);
  objects_.erase(found);
  for (const Handlers<T>& handlers : handlers_) {
    handlers.deleted(*last);
  }
}

template <typename T>
void Informer<T>::Enter(const T& object, const std::string& name) {
  for (Index& index : indexes_) {
    for (std::string& key : index.keys(object)) {
      index.names[std::move(key)].insert(name);
    }
  }
}

template <typename T>
void Informer<T>::Leave(const T& object, const std::string& name) {
  for (Index& index : indexes_) {
    for (const std::string& key : index.keys(object)) {
      const auto found = index.names.find(key);
      if (found != index.names.end() && found->second.erase(name) > 0 && found->second.empty()) {
        index.names.erase(found);
      }
    }
  }
}

}  // namespace quadra::client
