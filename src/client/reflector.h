// Reflector: lists and watches one collection for ever, as texts: the part of an informer that does
// not depend on the type. Part of informer.h.
//
// Calls come on the loop. A list is told one object at a time: `listing`, then `listed` for each,
// then `replaced`; a list that breaks off is begun again by another `listing`. What is listed twice
// counts as it was the last time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client/api.h"

namespace quadra::client {

class Reflector {
 public:
  struct What {
    Resource resource;
    Choice choice;
    bool metadata_only = false;
  };
  // Texts are gone after the call. What is told of an object answers with the resourceVersion in it;
  // empty: it could not be read.
  struct Receiver {
    std::function<void()> listing;
    std::function<void(std::string_view json)> listed;
    std::function<void(std::string_view json)> unlisted;  // it went while we listed
    std::function<void()> replaced;  // by all that was listed; at first, and after a gap
    std::function<std::string(std::string_view json)> changed;
    std::function<std::string(std::string_view json)> deleted;
    std::function<void(const Failure&)> failed;
  };

  // `api` must outlive it.
  Reflector(Api& api, What what, Receiver receiver);
  ~Reflector();
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;

  void Start();
  // Of the last event, bookmark or list; empty before the first.
  const std::string& resource_version() const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace quadra::client
