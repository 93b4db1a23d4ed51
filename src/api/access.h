// Outputs and views: the two ways a codec touches an object, each in two forms. An Out receives
// what a decoder reads, a View hands out what an encoder writes; TreeOut/TreeView stand on a Value,
// TypedOut/TypedView on a plain struct. (A third, sketch.h, is for going from JSON to protobuf.)
//
// Codecs are templates over these, so every format is written once for all forms. What an Out
// receives must outlive it only if that is kAsEncoded. All are small
// handles, passed by value. The members of a struct are reached through the Members handle of its
// Out or View, which finds their table once per struct and not once per member. Private to api/.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "api/members.h"
#include "api/schema.h"
#include "api/slot.h"
#include "api/value.h"

namespace quadra::api {

// What an absent scalar reads as.
template <typename T>
const T& Zero() {
  static const T zero{};
  return zero;
}

class TreeOut {
 public:
  static constexpr bool kAsEncoded = false;

  explicit TreeOut(Value& value) : value_(&value) {}

  void Text(std::string_view text) { value_->Set(std::string(text)); }
  void Bytes(std::string_view bytes) { Text(bytes); }
  void Bool(bool value) { value_->Set(value); }
  void Int(std::int64_t value) { value_->Set(value); }
  void Double(double value) { value_->Set(value); }
  void Amount(quantity::Quantity value) { value_->Set(std::move(value)); }
  void Moment(Time value) { value_->Set(value); }
  void Raw(std::string_view json) { value_->Set(RawJson{std::string(json)}); }
  void Nil() { *value_ = Value(); }

  class Members {
   public:
    Members(Value& value, const Struct& type) : value_(&value), type_(&type) {}
    // The member, made if absent; by position in the schema's fields.
    TreeOut At(std::size_t field) const { return TreeOut(value_->AddMember(type_->fields[field])); }

   private:
    Value* value_;
    const Struct* type_;
  };

  // Open a container, keeping what is in it already; then reach its parts.
  Members OpenStruct(const Struct& type) {
    value_->Make<Value::Members>().reserve(kUsualMembers);
    return {*value_, type};
  }
  TreeOut OpenList() { return value_->Make<Value::Items>(), *this; }
  TreeOut OpenMap() { return value_->Make<Value::Entries>(), *this; }

  // Of an open list or map. Who knows how many elements come asks needs_room() first.
  std::size_t size() const {
    const auto* items = value_->As<Value::Items>();
    return items != nullptr ? items->size() : entries().size();
  }
  void Reserve(std::size_t count) {
    auto* items = value_->As<Value::Items>();
    items != nullptr ? items->reserve(count) : entries().reserve(count);
  }
  bool needs_room() const { return size() == 0; }

  // An open list.
  TreeOut Append() { return TreeOut(value_->As<Value::Items>()->emplace_back()); }

  // An open map. Insert makes the entry if absent, in its place. Many entries are quicker appended
  // and ordered: REQUIRES then that their keys are new, and nothing is inserted before Order().
  TreeOut Insert(std::string_view key) { return TreeOut(value_->AddEntry(key)); }
  TreeOut Append(std::string_view key) {
    return TreeOut(entries().emplace_back(std::string(key), Value()).second);
  }
  void Order() { SortByKey(entries()); }
  std::string_view Key(std::size_t n) const { return entries()[n].first; }
  TreeOut At(std::size_t n) const { return TreeOut(entries()[n].second); }

 private:
  // Room for what most structs have, so that they take one allocation each.
  static constexpr std::size_t kUsualMembers = 4;

  Value::Entries& entries() const { return *value_->As<Value::Entries>(); }

  Value* value_;
};

class TreeView {
 public:
  explicit TreeView(const Value* value)
      : value_(value != nullptr && value->is_nil() ? nullptr : value) {}

  bool is_nil() const { return value_ == nullptr; }
  std::string_view Text() const { return Scalar<std::string>(); }
  bool Bool() const { return Scalar<bool>(); }
  std::int64_t Int() const { return Scalar<std::int64_t>(); }
  double Double() const { return Scalar<double>(); }
  const quantity::Quantity& Amount() const { return Scalar<quantity::Quantity>(); }
  std::string AmountText() const { return Amount().ToString(); }
  Time Moment() const { return Scalar<Time>(); }
  std::string_view Raw() const { return Scalar<RawJson>().text; }

  bool is_text() const { return Holds<std::string>(); }
  bool is_bool() const { return Holds<bool>(); }
  bool is_list() const { return Holds<Value::Items>(); }

  class Members {
   public:
    Members(const Value* value, const Struct& type) : value_(value), type_(&type) {}
    TreeView At(std::size_t field) const {
      return TreeView(value_ != nullptr ? value_->Member(type_->fields[field]) : nullptr);
    }
    // Calls visit(position of the field, member) for each member that is not nil, in schema order.
    template <typename Visit>
    void ForEachGiven(Visit visit) const {
      const auto* members = value_ != nullptr ? value_->As<Value::Members>() : nullptr;
      if (members == nullptr) {
        return;
      }
      for (const auto& [field, member] : *members) {
        if (!member.is_nil()) {
          visit(static_cast<std::size_t>(field - type_->fields.data()), TreeView(&member));
        }
      }
    }
    // False when the field is known to be left out, because it is absent or zero.
    bool MayBeInJson(std::size_t) const { return true; }
    bool MayBeInProto(std::size_t) const { return true; }

   private:
    const Value* value_;
    const Struct* type_;
  };
  Members MembersOf(const Struct& type) const { return {value_, type}; }
  std::size_t size() const {
    if (Holds<Value::Items>()) {
      return value_->As<Value::Items>()->size();
    }
    return Holds<Value::Entries>() ? value_->As<Value::Entries>()->size() : 0;
  }
  TreeView At(std::size_t n) const {
    return Holds<Value::Items>() ? TreeView(&(*value_->As<Value::Items>())[n])
                                 : TreeView(&(*value_->As<Value::Entries>())[n].second);
  }
  std::string_view Key(std::size_t n) const { return (*value_->As<Value::Entries>())[n].first; }

 private:
  template <typename T>
  bool Holds() const {
    return value_ != nullptr && value_->As<T>() != nullptr;
  }
  template <typename T>
  const T& Scalar() const {
    return Holds<T>() ? *value_->As<T>() : Zero<T>();
  }

  const Value* value_;
};

class TypedOut {
 public:
  static constexpr bool kAsEncoded = false;

  // `slot` null: the struct does not keep this; everything is accepted and forgotten.
  TypedOut(void* place, const Slot* slot) : place_(place), slot_(slot) {}

  void Text(std::string_view text) { Assign<std::string>(text); }
  void Bytes(std::string_view bytes) { Text(bytes); }
  void Bool(bool value) { Assign<bool>(value); }
  void Int(std::int64_t value) {
    const TypedOut out = Inside();
    if (out.slot_ == nullptr) {
      return;
    }
    if (out.slot_->scalar == ScalarForm::kInt32) {
      *static_cast<std::int32_t*>(out.place_) = static_cast<std::int32_t>(value);
    } else {
      *static_cast<std::int64_t*>(out.place_) = value;
    }
  }
  void Double(double) {}
  void Amount(quantity::Quantity value) { Assign<quantity::Quantity>(std::move(value)); }
  void Moment(Time value) { Assign<Time>(value); }
  void Raw(std::string_view json) {
    const TypedOut out = Inside();
    if (out.slot_ != nullptr) {
      static_cast<RawJson*>(out.place_)->text = json;
    }
  }
  void Nil() {
    if (slot_ != nullptr && slot_->clear != nullptr) {
      slot_->clear(place_);
    }
  }

  class Members {
   public:
    Members(void* place, const Member* members)
        : place_(static_cast<char*>(place)), members_(members) {}
    TypedOut At(std::size_t field) const {
      return members_ == nullptr ? TypedOut(nullptr, nullptr)
                                 : TypedOut(place_ + members_[field].offset, members_[field].slot);
    }

   private:
    char* place_;
    const Member* members_;
  };

  // As in TreeOut.
  Members OpenStruct(const Struct& type) {
    const TypedOut out = Inside();
    return {out.place_,
            out.slot_ == nullptr ? nullptr : out.slot_->binding().TableOf(type).members.data()};
  }
  TypedOut OpenList() { return Inside(); }
  TypedOut OpenMap() { return Inside(); }

  std::size_t size() const { return slot_ == nullptr ? 0 : slot_->size(place_); }
  void Reserve(std::size_t count) {
    if (slot_ != nullptr) {
      slot_->reserve(place_, count);
    }
  }
  bool needs_room() const { return slot_ != nullptr && size() == 0; }

  TypedOut Append() { return Insert({}); }

  TypedOut Insert(std::string_view key) {
    return slot_ == nullptr ? *this : TypedOut(slot_->add(place_, key), slot_->inner);
  }
  TypedOut Append(std::string_view key) {
    return slot_ == nullptr ? *this : TypedOut(slot_->append(place_, key), slot_->inner);
  }
  void Order() {
    if (slot_ != nullptr) {
      slot_->order(place_);
    }
  }
  std::string_view Key(std::size_t n) const { return slot_->key(place_, n); }
  TypedOut At(std::size_t n) const {
    return slot_ == nullptr ? *this
                            : TypedOut(const_cast<void*>(slot_->at(place_, n)), slot_->inner);
  }

 private:
  // Steps into an optional, making its value; marks lists and maps present.
  TypedOut Inside() const {
    if (slot_ == nullptr || slot_->open == nullptr) {
      return *this;
    }
    void* const inside = slot_->open(place_);
    return slot_->form == SlotForm::kOptional ? TypedOut(inside, slot_->inner) : *this;
  }
  template <typename T, typename V>
  void Assign(V&& value) {
    const TypedOut out = Inside();
    if (out.slot_ != nullptr) {
      *static_cast<T*>(out.place_) = std::forward<V>(value);
    }
  }

  void* place_;
  const Slot* slot_;
};

class TypedView {
 public:
  TypedView(const void* place, const Slot* slot) : place_(place), slot_(slot) {
    if (slot_ == nullptr) {
      place_ = nullptr;
    } else if (place_ != nullptr && slot_->get != nullptr) {
      place_ = slot_->get(place_);
      slot_ = slot_->form == SlotForm::kOptional ? slot_->inner : slot_;
    }
  }

  bool is_nil() const { return place_ == nullptr; }
  std::string_view Text() const { return Scalar<std::string>(); }
  bool Bool() const { return Scalar<bool>(); }
  std::int64_t Int() const {
    return place_ != nullptr && slot_->scalar == ScalarForm::kInt32 ? Scalar<std::int32_t>()
                                                                    : Scalar<std::int64_t>();
  }
  double Double() const { return 0; }
  const quantity::Quantity& Amount() const { return Scalar<quantity::Quantity>(); }
  std::string AmountText() const { return Amount().ToString(); }
  Time Moment() const { return Scalar<Time>(); }
  std::string_view Raw() const { return Scalar<RawJson>().text; }

  bool is_text() const { return place_ != nullptr && slot_->scalar == ScalarForm::kText; }
  bool is_bool() const { return place_ != nullptr && slot_->scalar == ScalarForm::kBool; }
  bool is_list() const { return place_ != nullptr && slot_->form == SlotForm::kList; }

  class Members {
   public:
    Members() = default;  // of an absent struct
    Members(const void* place, const Binding& binding, const Struct& type)
        : place_(static_cast<const char*>(place)) {
      const MemberTable& table = binding.TableOf(type);
      const Positions present = binding.PresentFields(table, place);
      members_ = table.members.data();
      in_json_ = present | table.always_in_json;
      in_proto_ = present | table.always_in_proto;
    }
    TypedView At(std::size_t field) const {
      return place_ == nullptr ? TypedView(nullptr, nullptr)
                               : TypedView(place_ + members_[field].offset, members_[field].slot);
    }
    // As in TreeView; zero members may be left out.
    template <typename Visit>
    void ForEachGiven(Visit visit) const {
      for (Positions left = place_ != nullptr ? in_json_ : 0; left != 0; left &= left - 1) {
        const auto field = static_cast<std::size_t>(std::countr_zero(left));
        if (const TypedView member = At(field); !member.is_nil()) {
          visit(field, member);
        }
      }
    }
    // False when the struct has no place for the field: nothing is known of it.
    bool Keeps(std::size_t field) const { return members_[field].slot != nullptr; }
    bool MayBeInJson(std::size_t field) const { return (in_json_ & PositionBit(field)) != 0; }
    bool MayBeInProto(std::size_t field) const { return (in_proto_ & PositionBit(field)) != 0; }

   private:
    const char* place_ = nullptr;
    const Member* members_ = nullptr;
    Positions in_json_ = ~Positions{0};
    Positions in_proto_ = ~Positions{0};
  };
  Members MembersOf(const Struct& type) const {
    return place_ == nullptr ? Members() : Members(place_, slot_->binding(), type);
  }
  std::size_t size() const { return place_ != nullptr ? slot_->size(place_) : 0; }
  TypedView At(std::size_t n) const { return {slot_->at(place_, n), slot_->inner}; }
  std::string_view Key(std::size_t n) const { return slot_->key(place_, n); }

 private:
  template <typename T>
  const T& Scalar() const {
    return place_ != nullptr ? *static_cast<const T*>(place_) : Zero<T>();
  }

  const void* place_;
  const Slot* slot_;
};

}  // namespace quadra::api
