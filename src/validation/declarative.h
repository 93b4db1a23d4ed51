// Declarative rules: upstream's `+k8s:` tags as rows. A kind's rules read as its shape:
//
//   constexpr auto kCounterSet = Rules(
//       Field("name", &api::CounterSet::name, Beta(Required{}, ShortName)),
//       Field("counters", &api::CounterSet::counters, Beta(Required{}, EachKey(ShortName))));
//
//   kCounterSet(Site{request, errors, path}, now, old);   // old: null when there is none
//
// A rule is any callable `bool (const Site&, const T& now, const T* old)`; false stops the rules
// that follow in the same row. Two things hold for all of them, as upstream:
// - On update an unchanged field is not judged again. List items are matched with old ones only
// where a row says by what.
// - Rules of upstream's level beta stand in Beta(...). Those of level alpha never show; leave them
// out.
//
// Rules on an optional member see its value and are skipped when there is none, except Required,
// Forbidden and Immutable. Paths are those of the request's version: see Field's empty name, and
// InVersion.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "api/object.h"
#include "validation/field_error.h"
#include "validation/formats.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

// Where a rule looks and reports.
struct Site {
  const Request& request;
  ErrorList& errors;
  const Path& path;

  Site At(const Path& elsewhere) const { return {request, errors, elsewhere}; }

  template <typename T>
  bool Unchanged(const T& now, const T* old) const {
    return request.update() && old != nullptr && now == *old;
  }
};

// A rule that wants to see an absent optional.
template <typename Rule>
concept SeesAbsence = requires { requires Rule::kSeesAbsence; };

template <typename Rule, typename T>
bool Apply(const Rule& rule, const Site& site, const T& now, const T* old) {
  return rule(site, now, old);
}
template <typename Rule, typename T>
bool Apply(const Rule& rule, const Site& site, const std::optional<T>& now,
           const std::optional<T>* old) {
  if constexpr (SeesAbsence<Rule>) {
    return rule(site, now, old);
  } else {
    return !now || rule(site, *now, old != nullptr && *old ? &**old : nullptr);
  }
}

// Rules for one value, in order, until one says stop. Also how the fields of a struct are listed.
template <typename... R>
struct Rules {
  static constexpr bool kSeesAbsence = true;
  std::tuple<R...> rules;

  constexpr explicit Rules(R... each) : rules(each...) {}
  template <typename T>
  bool operator()(const Site& site, const T& now, const T* old) const {
    return std::apply([&](const R&... each) { return (Apply(each, site, now, old) && ...); },
                      rules);
  }
};

// Rules whose errors are of level beta.
template <typename... R>
struct Beta {
  static constexpr bool kSeesAbsence = true;
  Rules<R...> rules;

  constexpr explicit Beta(R... each) : rules(each...) {}
  template <typename T>
  bool operator()(const Site& site, const T& now, const T* old) const {
    const std::size_t start = site.errors.size();
    const bool more = rules(site, now, old);
    site.errors.BetaSince(start);
    return more;
  }
};

// Rules that hold only for some requests, e.g. by gate or version.
template <typename... R>
struct When {
  static constexpr bool kSeesAbsence = true;
  bool (*holds)(const Request&);
  Rules<R...> rules;

  constexpr explicit When(bool (*when)(const Request&), R... each) : holds(when), rules(each...) {}
  template <typename T>
  bool operator()(const Site& site, const T& now, const T* old) const {
    return !holds(site.request) || rules(site, now, old);
  }
};

// The rules of one member, at path.name. An empty name stays at the path of the struct: for members
// that the request's version has inlined.
template <typename Owner, typename Member, typename... R>
struct Field {
  std::string_view name;
  Member Owner::* member;
  Rules<R...> rules;

  constexpr Field(std::string_view field, Member Owner::* at, R... each)
      : name(field), member(at), rules(each...) {}
  bool operator()(const Site& site, const Owner& now, const Owner* old) const {
    const Member* before = old != nullptr ? &(old->*member) : nullptr;
    if (!site.Unchanged(now.*member, before)) {
      const Path path = site.path.Child(name);
      rules(site.At(path), now.*member, before);
    }
    return true;
  }
};

// The rules of a struct one level deeper in JSON than in our shape: at path.name, in v1beta1 only.
template <typename R>
struct BelowInV1Beta1 {
  std::string_view name;
  R rules;

  constexpr BelowInV1Beta1(std::string_view level, R each) : name(level), rules(each) {}
  template <typename T>
  bool operator()(const Site& site, const T& now, const T* old) const {
    const Path path =
        site.path.Child(site.request.version == "v1beta1" ? name : std::string_view());
    return rules(site.At(path), now, old);
  }
};

// --- lists and maps ---

// Items that have no identity: each is judged as if new.
template <typename R>
struct Each {
  R rule;
  constexpr explicit Each(R each) : rule(each) {}
  template <typename T>
  bool operator()(const Site& site, const api::List<T>& now, const api::List<T>* /*old*/) const {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Path path = site.path.Index(i);
      const T& item = now[i];
      Apply(rule, site.At(path), item, static_cast<const T*>(nullptr));
    }
    return true;
  }
};

// Items matched with old ones by `key` (a member, or a function of the item); equal ones are not
// judged again.
template <typename Key, typename R>
struct EachBy {
  Key key;
  R rule;
  constexpr EachBy(Key by, R each) : key(by), rule(each) {}
  template <typename T>
  bool operator()(const Site& site, const api::List<T>& now, const api::List<T>* old) const {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const T* before = old != nullptr ? Match(now[i], *old) : nullptr;
      if (!site.Unchanged(now[i], before)) {
        const Path path = site.path.Index(i);
        Apply(rule, site.At(path), now[i], before);
      }
    }
    return true;
  }

 private:
  template <typename T>
  const T* Match(const T& item, const api::List<T>& old) const {
    const auto found = std::ranges::find_if(
        old, [&](const T& other) { return std::invoke(key, other) == std::invoke(key, item); });
    return found == old.end() ? nullptr : &*found;
  }
};

// The value itself as key: for sets.
using Self = std::identity;

// How a repeated item is shown: a string quoted, one of a named type as JSON, a struct as JSON of
// the request's version.
enum class Show : std::uint8_t { kPlain, kNamed };

// No two items with the same `key`.
template <typename Key>
struct Unique {
  Key key;
  Show show;
  constexpr explicit Unique(Key by, Show as = Show::kPlain) : key(by), show(as) {}
  template <typename T>
  bool operator()(const Site& site, const api::List<T>& now, const api::List<T>* /*old*/) const {
    for (std::size_t j = 1; j < now.size(); ++j) {
      const auto same = [&](const T& other) {
        return std::invoke(key, other) == std::invoke(key, now[j]);
      };
      if (std::any_of(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(j), same)) {
        site.errors.Duplicate(site.path.Index(j), ShownAs(site, now[j]));
      }
    }
    return true;
  }

 private:
  template <typename T>
  Value ShownAs(const Site& site, const T& item) const {
    if constexpr (std::is_same_v<T, std::string>) {
      return show == Show::kNamed ? Named(item) : Quoted(item);
    } else {
      return Json(api::EncodeJson(item, site.request.version));
    }
  }
};

// The values of a map.
template <typename R>
struct EachValue {
  R rule;
  constexpr explicit EachValue(R each) : rule(each) {}
  template <typename T>
  bool operator()(const Site& site, const api::Map<T>& now, const api::Map<T>* old) const {
    for (const auto& [key, value] : now) {
      const T* before = old != nullptr ? old->Find(key) : nullptr;
      if (!site.Unchanged(value, before)) {
        const Path path = site.path.Key(key);
        Apply(rule, site.At(path), value, before);
      }
    }
    return true;
  }
};

// The keys of a map, reported at the map.
template <typename R>
struct EachKey {
  R rule;
  constexpr explicit EachKey(R each) : rule(each) {}
  template <typename T>
  bool operator()(const Site& site, const api::Map<T>& now, const api::Map<T>* old) const {
    for (const auto& [key, value] : now) {
      if (!site.request.update() || old == nullptr || !old->contains(key)) {
        rule(site, key, static_cast<const std::string*>(nullptr));
      }
    }
    return true;
  }
};

// --- presence and size: these stop the row ---

template <typename T>
bool IsEmpty(const T& value) {
  if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return value == T();
  }
}

struct Required {
  static constexpr bool kSeesAbsence = true;
  template <typename T>
  bool operator()(const Site& site, const T& now, const T* /*old*/) const {
    if (IsEmpty(now)) {
      site.errors.Required(site.path);
    }
    return !IsEmpty(now);
  }
};

// Rules that follow see only given values; needed for plain strings and numbers, where absent is ""
// or 0.
struct Optional {
  template <typename T>
  bool operator()(const Site& /*site*/, const T& now, const T* /*old*/) const {
    return !IsEmpty(now);
  }
};

struct Forbidden {
  static constexpr bool kSeesAbsence = true;
  template <typename T>
  bool operator()(const Site& site, const T& now, const T* /*old*/) const {
    if (!IsEmpty(now)) {
      site.errors.Forbidden(site.path, "");
    }
    return IsEmpty(now);
  }
};

// Reached only when the value changed.
struct Immutable {
  static constexpr bool kSeesAbsence = true;
  template <typename T>
  bool operator()(const Site& site, const T& /*now*/, const T* /*old*/) const {
    if (site.request.update()) {
      site.errors.Invalid(site.path, Null(), "field is immutable").WithOrigin("immutable");
    }
    return !site.request.update();
  }
};

struct MaxItems {
  std::size_t max;
  template <typename C>
  bool operator()(const Site& site, const C& now, const C* /*old*/) const {
    if (now.size() > max) {
      site.errors.TooMany(site.path, now.size(), max).WithOrigin("maxItems");
    }
    return now.size() <= max;
  }
};

// --- values ---

struct MaxBytes {
  std::size_t max;
  bool operator()(const Site& site, const std::string& now, const std::string* old) const;
};
struct MaxLength {  // in characters
  std::size_t max;
  bool operator()(const Site& site, const std::string& now, const std::string* old) const;
};
struct Minimum {
  std::int64_t min;
  template <std::integral T>
  bool operator()(const Site& site, const T& now, const T* /*old*/) const {
    return Check(site, now);
  }
  bool Check(const Site& site, std::int64_t now) const;
};
struct Maximum {
  std::int64_t max;
  template <std::integral T>
  bool operator()(const Site& site, const T& now, const T* /*old*/) const {
    return Check(site, now);
  }
  bool Check(const Site& site, std::int64_t now) const;
};

// One of `values`, which must be sorted.
struct Enum {
  std::span<const std::string_view> values;
  bool operator()(const Site& site, const std::string& now, const std::string* old) const;
};

bool ShortName(const Site& site, const std::string& now, const std::string* old);  // DNS label
bool LongName(const Site& site, const std::string& now, const std::string* old);   // DNS subdomain
bool LongNameCaseless(const Site& site, const std::string& now,
                      const std::string* old);  // DNS subdomain, any case
bool LabelKey(const Site& site, const std::string& now, const std::string* old);
bool Uuid(const Site& site, const std::string& now, const std::string* old);
bool ResourcePoolName(const Site& site, const std::string& now, const std::string* old);
bool FullyQualifiedName(const Site& site, const std::string& now,
                        const std::string* old);  // domain/identifier
bool ExtendedResourceName(const Site& site, const std::string& now, const std::string* old);

// --- structs ---

template <typename T>
struct UnionMember {
  std::string_view name;
  bool (*is_set)(const T&);
};

// Reports how many of a union's members are given, unless exactly one is (or none, with
// `none_allowed`).
void CheckUnion(const Site& site, std::span<const std::string_view> members,
                std::span<const bool> given, bool none_allowed);

// Exactly one member is given. On update only judged when the choice changed.
template <typename T, std::size_t N>
struct Union {
  std::array<UnionMember<T>, N> members;
  bool none_allowed = false;

  bool operator()(const Site& site, const T& now, const T* old) const {
    std::array<std::string_view, N> names;
    std::array<bool, N> given;
    bool changed = false;
    for (std::size_t i = 0; i < N; ++i) {
      names[i] = members[i].name;
      given[i] = members[i].is_set(now);
      changed = changed || (old != nullptr && given[i] != members[i].is_set(*old));
    }
    if (changed || old == nullptr || !site.request.update()) {
      CheckUnion(site, names, given, none_allowed);
    }
    return true;
  }
};

}  // namespace quadra::validation
