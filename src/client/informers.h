// Informers: one copy of each collection for all controllers of a process. Part of role.h.
//
//   Informer<api::Pod>& pods = informers.Of<api::Pod>();            // the same for everybody
//   Informer<api::Object>& sets = informers.Objects(ResourceFor("apps/v1", "ReplicaSet"));
//   informers.Start([&] { … all have synced … });
//
// Threads: the loop's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "client/informer.h"

namespace quadra::client {

class Informers {
 public:
  // `api` must outlive it.
  explicit Informers(Api& api) : api_(api) {}

  // Of a kind of the engine. Until Start() one may ask for new ones; afterwards only for these.
  template <typename T>
  Informer<T>& Of() {
    return Make<T>(api_.Served(ResourceOf<T>()), false);
  }
  Informer<api::Object>& Objects(const Resource& resource) {
    return Make<api::Object>(resource, false);
  }
  Informer<Metadata>& MetadataOf(const Resource& resource) {
    return Make<Metadata>(resource, true);
  }

  // `synced` is called once, when all of them have.
  void Start(std::function<void()> synced);
  bool synced() const;
  // Told of failures to list or watch: which collection, and why. Before Start().
  void OnFailure(std::function<void(const Resource&, const Failure&)> failed) {
    failed_ = std::move(failed);
  }

 private:
  struct Entry {
    virtual ~Entry() = default;
    virtual void Start(std::function<void()> synced) = 0;
    virtual bool synced() const = 0;
  };
  template <typename T>
  struct Kept final : Entry {
    Kept(Api& api, InformerOptions options) : informer(api, std::move(options)) {}
    void Start(std::function<void()> synced) override {
      informer.OnSynced(std::move(synced));
      informer.Start();
    }
    bool synced() const override { return informer.synced(); }
    Informer<T> informer;
  };

  template <typename T>
  Informer<T>& Make(const Resource& resource, bool metadata_only) {
    const std::string key =
        resource.ApiVersion() + "/" + resource.plural + (metadata_only ? "#" : "");
    std::unique_ptr<Entry>& entry = entries_[key];
    if (entry == nullptr) {
      InformerOptions options{.resource = resource, .metadata_only = metadata_only};
      options.on_failure = [this, resource](const Failure& failure) { failed_(resource, failure); };
      entry = std::make_unique<Kept<T>>(api_, std::move(options));
    }
    auto* const found = dynamic_cast<Kept<T>*>(entry.get());
    QUADRA_CHECK(found != nullptr, "a collection is read as one type by all");
    return found->informer;
  }

  Api& api_;
  std::function<void(const Resource&, const Failure&)> failed_ = [](const Resource&,
                                                                    const Failure&) {};
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

}  // namespace quadra::client
