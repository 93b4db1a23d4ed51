// Constraint: a claim's demand on an attribute of several devices together, such as that they agree
// (matchAttribute) or differ pairwise (distinctAttribute).
//
// A kind of constraint is one file: it derives from Constraint and from ConstraintKind, and has a
// row in kConstraintKinds below. Nothing else in this folder knows which kinds there are; what a
// kind does not say does not compile, and a constraint that no kind recognises is refused, as
// upstream refuses what it does not know.
//
//   const ConstraintKind* kind = KindOf(constraint);             // while planning
//   std::unique_ptr<Constraint> state = kind->Make(with_lists);  // in a search
//   if (state->Add(values)) { … state->Remove(); }               // like a stack
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "allocator/attribute_values.h"
#include "api/kinds.h"

namespace quadra::allocator {

// What is left to do for the requests under a constraint.
struct Outlook {
  struct Open {
    std::size_t count = 0;                        // devices that the request still needs, not 0
    std::vector<const AttributeValues*> devices;  // what those have that it could take
  };
  std::vector<Open> requests;  // at least one; in the order in which they are served
  // Whether all requests, under the constraint or not, could be met at once if those under it took
  // only devices whose values satisfy the condition; constraints are not looked at. The costly
  // part: ask about few conditions.
  using Condition = absl::FunctionRef<bool(const AttributeValues&)>;
  absl::FunctionRef<bool(Condition)> could_match;

  // Whether some device has a list; where lists are not in force those compare with nothing.
  bool HasList() const;
};

// The devices that joined so far. Not thread-safe.
class Constraint {
 public:
  virtual ~Constraint() = default;

  // Whether the device may join; it then has. Null where it lacks the attribute; it may not then.
  // The values must outlive the membership.
  bool Add(const AttributeValues* values);
  // Undoes the last Add() that said yes.
  void Remove();
  // Undoes them all.
  void Clear();

  // Whether Add() would say yes. Who is not admitted now is not before somebody is removed: the
  // search relies on that.
  virtual bool Admits(const AttributeValues& values) const = 0;
  // A bound: false only where the requests cannot be met whichever devices are taken. Only devices
  // that are admitted now are in the outlook. Of the first request it may strike out (make null)
  // devices that no solution has: the search then passes them over.
  virtual bool CouldMeet(Outlook& outlook) const = 0;

 protected:
  const std::vector<const AttributeValues*>& members() const { return members_; }

 private:
  // For what a kind keeps beside the members.
  virtual void Joined(const AttributeValues& /*values*/) {}
  virtual void Left() {}

  std::vector<const AttributeValues*> members_;
};

// What is known of a constraint before any device. One object a kind, immutable.
class ConstraintKind {
 public:
  virtual ~ConstraintKind() = default;

  // The field of the API, e.g. matchAttribute.
  virtual std::string_view Word() const = 0;
  // The attribute that the constraint is about; none where it is of another kind.
  virtual const std::optional<std::string>& AttributeIn(
      const api::DeviceConstraint& from) const = 0;
  // With `lists`, attributes compare as sets of values; without, a list can only be the first
  // member and compares with nothing.
  virtual std::unique_ptr<Constraint> Make(bool lists) const = 0;
  // For explanations: at most so many of the devices could join together; none where that takes a
  // search to tell.
  virtual std::optional<std::size_t> LargestGroup(
      std::span<const AttributeValues* const> devices) const = 0;
};

// --- The kinds, one row each; of two that recognise a constraint the first counts.

const ConstraintKind& MatchAttribute();
const ConstraintKind& DistinctAttribute();

inline constexpr std::array kConstraintKinds = {&MatchAttribute, &DistinctAttribute};

// Null where no kind recognises it.
const ConstraintKind* KindOf(const api::DeviceConstraint& constraint);

}  // namespace quadra::allocator
