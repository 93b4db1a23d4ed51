// Trees: what all patch types do with JSON trees.
//
// Nothing here recurses, so depth costs no stack. Private to patch/.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "json/value.h"

namespace quadra::patch {

// Visits every value in `tree`, each before those inside it, which it may change.
template <typename Visit>
void ForEachValue(json::Value& tree, Visit visit) {
  std::vector<json::Value*> open = {&tree};
  while (!open.empty()) {
    json::Value& value = *open.back();
    open.pop_back();
    visit(value);
    if (value.kind() == json::Kind::kArray) {
      for (json::Value& item : value.items()) {
        open.push_back(&item);
      }
    } else if (value.kind() == json::Kind::kObject) {
      for (json::Value::Member& member : value.members()) {
        open.push_back(&member.value);
      }
    }
  }
}

// The members of an object while it is changed, by name.
using Fields = std::map<std::string, json::Value, std::less<>>;

// Takes the members out of `object`; of those with one name the last counts. REQUIRES: an object.
Fields TakeFields(json::Value& object);
json::Value ToObject(Fields fields);

// Sorts the members of every object in `tree` by name; of those with one name the last stays.
void SortMembers(json::Value& tree);
// Removes the members of every object in `tree` that are null. Elements of lists stay.
void DropNullMembers(json::Value& tree);

}  // namespace quadra::patch
