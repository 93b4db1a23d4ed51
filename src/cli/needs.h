// Needs: which kinds of a running cluster the verbs read.
//
// Vital is what nothing true can be said without; of all else it is said that it is missing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "client/api.h"
#include "live/lists.h"

namespace quadra::cli {

template <typename T>
live::Need Vital(const client::Choice& choice = {}) {
  return {.resource = client::ResourceOf<T>(), .choice = choice, .vital = true};
}
template <typename T>
live::Need Helpful(const client::Choice& choice = {}) {
  return {.resource = client::ResourceOf<T>(), .choice = choice};
}

// One object by its name.
inline client::Choice ByName(std::string ns, const std::string& name) {
  return {.ns = std::move(ns), .field_selector = "metadata.name=" + name};
}

// All that decides where pods go.
std::vector<live::Need> NeedsOfPlacing();
// What is published, and who holds it.
std::vector<live::Need> NeedsOfStock();

}  // namespace quadra::cli
