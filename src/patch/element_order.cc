#include "patch/element_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "patch/directives.h"
#include "patch/go_values.h"

namespace quadra::patch {
namespace {

using json::Value;

// Elements by their identity, with their place in some order; none where that does not name them.
struct Ranked {
  std::optional<std::size_t> rank;
  Value element;
};

// As Go's sort.SliceStable with "is not behind, or one is not ranked": it moves every element left
// past those it is less than. Quadratic, so only for few.
void SortPartlyRanked(std::vector<Ranked>& list) {
  for (std::size_t i = 1; i < list.size(); ++i) {
    for (std::size_t j = i; j > 0; --j) {
      const Ranked& left = list[j - 1];
      const Ranked& right = list[j];
      if (left.rank && right.rank && *left.rank <= *right.rank) {
        break;
      }
      std::swap(list[j - 1], list[j]);
    }
  }
}

// Go sorts blocks of this size by insertion; what it makes of larger ones that an order names in
// part only is nobody's intention, and ours has those first.
constexpr std::size_t kInsertionBlock = 20;

void SortByRank(std::vector<Ranked>& list) {
  const bool all =
      std::ranges::all_of(list, [](const Ranked& one) { return one.rank.has_value(); });
  if (all || list.size() > kInsertionBlock) {
    std::ranges::stable_sort(list, {}, &Ranked::rank);
  } else {
    SortPartlyRanked(list);
  }
}

bool IsDeletion(const Value& element) {
  const Value* directive = element.Find(kDirective);
  return directive != nullptr && *directive == Value(std::string(kDeleteWord));
}

// Sorts as `order` has them; objects to be deleted come last.
void Sort(Elements& list, const Places& order, const Identity& identity) {
  const auto deleted = std::ranges::stable_partition(
      list, [&](const Value& element) { return !identity.of_objects || !IsDeletion(element); });
  std::vector<Ranked> ranked;
  for (auto at = list.begin(); at != deleted.begin(); ++at) {
    ranked.push_back({order.Find(IdentityOf(*at, identity)), std::move(*at)});
  }
  SortByRank(ranked);
  std::ranges::transform(ranked, list.begin(), [](Ranked& one) { return std::move(one.element); });
}

}  // namespace

std::string IdentityOf(const Value& element, const Identity& identity) {
  const Value* told_by = identity.of_objects ? element.Find(identity.merge_key) : &element;
  return told_by == nullptr ? "" : json::ToJson(*told_by);
}

Identities IdentitiesOf(const Elements& list, const Identity& identity) {
  Identities made;
  made.reserve(list.size());
  for (const Value& element : list) {
    made.push_back(IdentityOf(element, identity));
  }
  return made;
}

Places::Places(const Identities& identities) {
  for (std::size_t i = 0; i < identities.size(); ++i) {
    Add(identities[i], i);
  }
}

void Places::Add(const std::string& identity, std::size_t place) {
  first_.try_emplace(identity, place);
}

std::optional<std::size_t> Places::Find(std::string_view identity) const {
  const auto at = first_.find(std::string(identity));
  return at == first_.end() ? std::nullopt : std::optional(at->second);
}

Refused NoMergeKey(const Value& object, std::string_view merge_key) {
  return InternalError(
      fmt::format("map: {} does not contain declared merge key: {}", GoPlain(object), merge_key));
}

Refused WrongGoType(std::string_view wanted, const Value& found) {
  return InternalError(fmt::format("expected a {}, but received a {}", wanted, GoTypeName(found)));
}

Complaint CheckMergeKeys(const Elements& list, std::string_view merge_key) {
  for (const Value& element : list) {
    if (element.kind() != json::Kind::kObject) {
      return WrongGoType("map[string]interface {}", element);
    }
    if (element.Find(merge_key) == nullptr) {
      return NoMergeKey(element, merge_key);
    }
  }
  return {};
}

Complaint Divide(Elements& merged, const Elements& chosen, std::string_view merge_key,
                 Partition& out) {
  const Identity identity{!merge_key.empty(), merge_key};
  Places named;
  std::size_t objects = 0;  // before the first element of `chosen` that is none
  for (; objects < chosen.size(); ++objects) {
    if (identity.of_objects && chosen[objects].kind() != json::Kind::kObject) {
      break;
    }
    if (!identity.of_objects || chosen[objects].Find(merge_key) != nullptr) {
      named.Add(IdentityOf(chosen[objects], identity), objects);
    }
  }
  for (Value& element : merged) {
    if (identity.of_objects && element.kind() != json::Kind::kObject) {
      return WrongGoType("map[string]interface {}", element);
    }
    if (identity.of_objects && element.Find(merge_key) == nullptr) {
      return NoMergeKey(element, merge_key);
    }
    const bool found = named.Find(IdentityOf(element, identity)).has_value();
    if (!found && objects < chosen.size()) {
      return InternalError(fmt::format("value for key {} is not a map", objects));
    }
    (found ? out.chosen : out.others).push_back(std::move(element));
  }
  return {};
}

Complaint Weave(Partition parts, const Elements& order, const Identities& server,
                const Identity& identity, Elements& out) {
  if (identity.of_objects) {
    for (const Elements* list :
         {&std::as_const(parts.chosen), &order, &std::as_const(parts.others)}) {
      if (Complaint refused = CheckMergeKeys(*list, identity.merge_key)) {
        return refused;
      }
    }
  }
  const Places by_server(server);
  Sort(parts.chosen, Places(IdentitiesOf(order, identity)), identity);
  Sort(parts.others, by_server, identity);
  const auto place = [&](const Value& element) {
    return by_server.Find(IdentityOf(element, identity));
  };
  const auto stands_before = [&](const Value& element, std::size_t limit) {
    const auto at = place(element);
    return at && *at < limit;
  };
  auto left = parts.others.begin();
  for (Value& right : parts.chosen) {
    if (const auto limit = place(right)) {
      for (; left != parts.others.end() && stands_before(*left, *limit); ++left) {
        out.push_back(std::move(*left));
      }
    }
    out.push_back(std::move(right));
  }
  std::move(left, parts.others.end(), std::back_inserter(out));
  return {};
}

}  // namespace quadra::patch
