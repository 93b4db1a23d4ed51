// Lists of a strategic merge patch: merged by their keys, with the directives that elements carry.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "patch/directives.h"
#include "patch/go_values.h"
#include "patch/strategic_merge.h"

namespace quadra::patch {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kGoList = "[]interface {}";

// The kind of what both lists hold. All elements have to be of one Go type, which is no list.
tl::expected<Kind, Refused> ElementKind(const Elements& original, const Elements& patch) {
  const Value* first = nullptr;
  for (const Elements* list : {&original, &patch}) {
    for (const Value& element : *list) {
      first = first == nullptr ? &element : first;
      if (!SameGoType(*first, element)) {
        return tl::unexpected(InternalError(
            fmt::format("list element types are not identical: {}",
                        GoPlain(Value(Value::Array{Value(original), Value(patch)})))));
      }
    }
  }
  if (first == nullptr) {
    return tl::unexpected(InternalError("no elements in any of the given slices"));
  }
  if (first->kind() == Kind::kArray) {
    return tl::unexpected(Invalid("lists of lists are not supported"));
  }
  if (first->is_null()) {  // upstream crashes
    return tl::unexpected(BadRequest("a list that is merged has null as element"));
  }
  return first->kind();
}

void RemovePrimitives(Elements& original, const Elements& unwanted) {
  const Places places(IdentitiesOf(unwanted, {}));
  std::erase_if(original, [&](const Value& element) {
    return places.Find(IdentityOf(element, {})).has_value();
  });
}

// Appends the primitives of `patch` and keeps one of each.
void Unite(Elements& original, const Elements& patch) {
  original.insert(original.end(), patch.begin(), patch.end());
  absl::flat_hash_set<std::string> seen;
  std::erase_if(original,
                [&](const Value& element) { return !seen.insert(IdentityOf(element, {})).second; });
}

// Deletes all elements of these identities, one identity after the other. `server` has the identity
// of every element and keeps its size: as Go moves the elements behind a deleted one up in place,
// whoever holds the longer slice sees the rest and, behind it, what was last each time.
void DeleteElements(Elements& list, const Identities& unwanted, Identities& server) {
  absl::flat_hash_map<std::string, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < server.size(); ++i) {
    places[server[i]].push_back(i);
  }
  std::vector<bool> gone(list.size());
  std::size_t end = list.size();
  Identities behind;
  for (const std::string& identity : unwanted) {
    for (const std::size_t place : std::exchange(places[identity], {})) {
      for (; gone[end - 1]; --end) {
      }
      behind.push_back(server[end - 1]);
      gone[place] = true;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!gone[i]) {
      std::swap(list[kept], list[i]);
      std::swap(server[kept++], server[i]);
    }
  }
  list.resize(kept);
  std::ranges::reverse_copy(behind, server.begin() + static_cast<std::ptrdiff_t>(kept));
}

// What the elements with directives ask for.
struct ElementDirectives {
  bool replace = false;
  Identities unwanted;
};

// Takes the elements with directives out of `patch`.
Complaint TakeDirectives(Elements& patch, const Identity& identity, ElementDirectives& out) {
  for (const Value& element : patch) {
    const Value* directive = element.Find(kDirective);
    if (directive == nullptr) {
      continue;
    }
    if (*directive == Value(std::string(kDeleteWord))) {
      if (element.Find(identity.merge_key) == nullptr) {
        return NoMergeKey(element, identity.merge_key);
      }
      out.unwanted.push_back(IdentityOf(element, identity));
    } else if (*directive == Value(std::string(kReplaceWord))) {
      out.replace = true;
    } else if (*directive == Value(std::string(kMergeWord))) {
      return InternalError("merging lists cannot yet be specified in the patch");
    } else {
      return UnknownDirective(*directive, element);
    }
  }
  std::erase_if(patch, [](const Value& element) { return element.Find(kDirective) != nullptr; });
  return {};
}

// The elements reduced to their merge keys, which outlast their merging.
Elements NamesOf(const Elements& patch, std::string_view merge_key) {
  Elements names;
  for (const Value& element : patch) {
    names.emplace_back(Value::Object{{std::string(merge_key), element.Get(merge_key)}});
  }
  return names;
}

// Whether a patch and the order it gives have the same identity next.
tl::expected<bool, Refused> SameIdentity(const Value& element, const Value& named,
                                         std::string_view merge_key) {
  if (merge_key.empty()) {
    return element == named;
  }
  for (const Value* one : {&element, &named}) {
    if (one->kind() != Kind::kObject) {
      return tl::unexpected(WrongGoType("map[string]interface {}", *one));
    }
  }
  for (const Value* one : {&element, &named}) {
    if (one->Find(merge_key) == nullptr) {
      return tl::unexpected(NoMergeKey(*one, merge_key));
    }
  }
  return *element.Find(merge_key) == *named.Find(merge_key);
}

// Elements that are there to stay, and what is no object.
Complaint TakeLasting(const Elements& patch, std::string_view merge_key,
                      std::vector<const Value*>& out) {
  for (const Value& element : patch) {
    if (!merge_key.empty() && element.kind() != Kind::kObject) {
      return WrongGoType("map[string]interface {}", element);
    }
    const Value* directive = element.Find(kDirective);
    if (merge_key.empty() || directive == nullptr ||
        *directive != Value(std::string(kDeleteWord))) {
      out.push_back(&element);
    }
  }
  return {};
}

// The elements of the patch have to be a part of its order, and in that order.
Complaint CheckOrder(const Elements& patch, const Elements& order, std::string_view merge_key) {
  if (patch.empty() || order.empty()) {
    return {};
  }
  std::vector<const Value*> lasting;
  if (Complaint refused = TakeLasting(patch, merge_key, lasting)) {
    return refused;
  }
  auto next = lasting.begin();
  for (auto named = order.begin(); named != order.end() && next != lasting.end();) {
    if ((*next)->Find(kDirective) != nullptr) {
      ++next;
      continue;
    }
    const auto same = SameIdentity(**next, *named++, merge_key);
    if (!same) {
      return same.error();
    }
    next += *same ? 1 : 0;
  }
  if (next == lasting.end()) {
    return {};
  }
  return InternalError(fmt::format("The order in patch list:\n{}\n doesn't match {} list:\n{}\n",
                                   GoPlain(Value(patch)), kSetElementOrder, GoPlain(Value(order))));
}

Complaint CheckIsList(const Value* value) {
  if (value != nullptr && value->kind() != Kind::kArray) {
    return WrongGoType(kGoList, *value);
  }
  return {};
}

Value* FindIn(Fields& fields, std::string_view name) {
  const auto at = fields.find(name);
  return at == fields.end() ? nullptr : &at->second;
}

Elements ItemsOf(const Value* list) { return list == nullptr ? Elements() : list->items(); }

}  // namespace

Complaint StrategicMerge::MergeElements(Elements& original, Elements& patch, const Rule& rule,
                                        const Identities& places) {
  Places found(places);
  for (Value& element : patch) {
    if (element.Find(rule.merge_key) == nullptr) {
      return NoMergeKey(element, rule.merge_key);
    }
    const std::string identity = IdentityOf(element, {true, rule.merge_key});
    if (const auto place = found.Find(identity)) {
      if (Complaint refused = MergeObjects(original[*place], element, rule.shape)) {
        return refused;
      }
    } else {
      found.Add(identity, original.size());
      original.push_back(std::move(element));
    }
  }
  return {};
}

Complaint StrategicMerge::MergeObjectLists(Elements& original, Elements patch, const Rule& rule,
                                           Identities& server) {
  const Identity identity{true, rule.merge_key};
  ElementDirectives directives;
  if (Complaint refused = TakeDirectives(patch, identity, directives)) {
    return refused;
  }
  DeleteElements(original, directives.unwanted, server);
  Identities places(server.begin(), server.begin() + static_cast<std::ptrdiff_t>(original.size()));
  if (directives.replace) {
    original = std::exchange(patch, {});
    places = IdentitiesOf(original, identity);
  }
  const Elements names = NamesOf(patch, rule.merge_key);
  if (Complaint refused = MergeElements(original, patch, rule, places)) {
    return refused;
  }
  // Go appends in place as far as there is room.
  for (std::size_t i = places.size(); !directives.replace && i < original.size(); ++i) {
    if (i < server.size()) {
      server[i] = IdentityOf(original[i], identity);
    }
  }
  Partition parts;
  if (Complaint refused = Divide(original, names, rule.merge_key, parts)) {
    return refused;
  }
  original.clear();
  return Weave(std::move(parts), names, places, identity, original);
}

Complaint StrategicMerge::MergeLists(Elements& original, Elements& patch, const Rule& rule,
                                     bool deletion, Identities& server) {
  if (original.empty() && patch.empty()) {
    return {};
  }
  const auto kind = ElementKind(original, patch);
  if (!kind) {
    return kind.error();
  }
  const Identity identity{*kind == Kind::kObject, rule.merge_key};
  server = IdentitiesOf(original, identity);
  if (identity.of_objects) {
    if (rule.merge_key.empty()) {
      return InternalError(
          fmt::format("cannot merge lists without merge key for {}", GoKind(rule.shape)));
    }
    return MergeObjectLists(original, std::move(patch), rule, server);
  }
  if (deletion) {
    RemovePrimitives(original, patch);
    return {};
  }
  Unite(original, patch);
  Partition parts;
  if (Complaint refused = Divide(original, patch, rule.merge_key, parts)) {
    return refused;
  }
  original.clear();
  return Weave(std::move(parts), patch, server, identity, original);
}

Complaint StrategicMerge::MergeContents(Value* original, Value* patch, const Rule& rule,
                                        Elements& out, Identities& server) {
  if (original == nullptr) {
    RemoveDirectives(*patch);
    out = std::move(patch->items());
    return {};
  }
  if (patch != nullptr && !rule.merge) {
    out = std::move(patch->items());
    return {};
  }
  out = std::move(original->items());
  return patch == nullptr ? Complaint() : MergeLists(out, patch->items(), rule, false, server);
}

Complaint StrategicMerge::MergeInOrder(Value* original, Value* patch, const Elements& order,
                                       const Rule& rule, Elements& out) {
  const auto kind = ElementKind(ItemsOf(original), ItemsOf(patch));
  const Identity identity{kind && *kind == Kind::kObject, rule.merge_key};
  Identities server = IdentitiesOf(ItemsOf(original), identity);
  const Complaint unkeyed =
      identity.of_objects ? CheckMergeKeys(ItemsOf(original), rule.merge_key) : Complaint();
  if (Complaint refused = MergeContents(original, patch, rule, out, server)) {
    return refused;
  }
  Partition parts;
  if (Complaint refused = Divide(out, order, rule.merge_key, parts)) {
    return refused;
  }
  if (!kind) {
    return kind.error();
  }
  out.clear();
  Complaint refused = Weave(std::move(parts), order, server, identity, out);
  return refused ? refused : unkeyed;
}

Complaint StrategicMerge::MergeOrderedList(Fields& original, Fields& patch,
                                           const std::string& directive, const Shape& shape) {
  const Value order = std::move(patch.extract(directive).mapped());
  if (Complaint refused = CheckIsList(&order)) {
    return refused;
  }
  if (directive.size() == kSetElementOrder.size() || directive[kSetElementOrder.size()] != '/') {
    return BadRequest("invalid patch format of setElementOrder list");
  }
  const std::string name = directive.substr(kSetElementOrder.size() + 1);
  Value* const live = FindIn(original, name);
  Value* const change = FindIn(patch, name);
  for (const Value* list : {live, change}) {
    if (Complaint refused = CheckIsList(list)) {
      return refused;
    }
  }
  const auto rule = RuleOfList(shape, name);
  if (!rule) {
    return rule.error();
  }
  if (Complaint refused = CheckOrder(ItemsOf(change), order.items(), rule->merge_key)) {
    return refused;
  }
  if (live == nullptr && change == nullptr) {
    return {};
  }
  Elements merged;
  if (Complaint refused = MergeInOrder(live, change, order.items(), *rule, merged)) {
    return refused;
  }
  original.insert_or_assign(name, Value(std::move(merged)));
  patch.erase(name);
  return {};
}

}  // namespace quadra::patch
