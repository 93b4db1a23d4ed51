// Outputs and views: the two ways a codec touches an object, each in two forms. An Out receives
// what a decoder reads, a View hands out what an encoder writes; TreeOut/TreeView stand on a Value,
// TypedOut/TypedView on a plain struct.
//
// Codecs are templates over these, so every format is written once for both forms. Both are small
// handles, passed by value. Private to api/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "api/meta.h"
#include "api/schema.h"
#include "api/slot.h"
#include "api/value.h"

namespace quadra::api {

class TreeOut {
 public:
  explicit TreeOut(Value& value) : value_(&value) {}

  void Text(std::string_view text) { value_->Set(std::string(text)); }
  void Bool(bool value) { value_->Set(value); }
  void Int(std::int64_t value) { value_->Set(value); }
  void Double(double value) { value_->Set(value); }
  void Amount(quantity::Quantity value) { value_->Set(std::move(value)); }
  void Moment(Time value) { value_->Set(value); }
  void Raw(std::string_view json) { value_->Set(RawJson{std::string(json)}); }
  void Nil() { *value_ = Value(); }

  // Open a container, keeping what is in it already; then reach its parts.
  TreeOut OpenStruct() { return value_->Make<Value::Members>(), *this; }
  TreeOut OpenList() { return value_->Make<Value::Items>(), *this; }
  TreeOut OpenMap() { return value_->Make<Value::Entries>(), *this; }
  TreeOut Part(const Struct& type, std::size_t field) {
    return TreeOut(value_->AddMember(type.fields[field]));
  }
  TreeOut Append() { return TreeOut(value_->Make<Value::Items>().emplace_back()); }
  TreeOut Insert(std::string_view key) { return TreeOut(value_->AddEntry(key)); }

 private:
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
  Time Moment() const { return Scalar<Time>(); }
  std::string_view Raw() const { return Scalar<RawJson>().text; }

  bool is_text() const { return Holds<std::string>(); }
  bool is_bool() const { return Holds<bool>(); }
  bool is_list() const { return Holds<Value::Items>(); }

  TreeView Part(const Struct& type, std::size_t field) const {
    return TreeView(value_ != nullptr ? value_->Member(type.fields[field]) : nullptr);
  }
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
    static const T zero{};
    return Holds<T>() ? *value_->As<T>() : zero;
  }

  const Value* value_;
};

class TypedOut {
 public:
  // `slot` null: the struct does not keep this; everything is accepted and forgotten.
  TypedOut(void* place, const Slot* slot) : place_(place), slot_(slot) {}

  void Text(std::string_view text) { Assign<std::string>(text); }
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

  TypedOut OpenStruct() { return Inside(); }
  TypedOut OpenList() { return Inside(); }
  TypedOut OpenMap() { return Inside(); }
  TypedOut Part(const Struct& type, std::size_t field) {
    if (slot_ == nullptr) {
      return *this;
    }
    const Member& member = slot_->binding().At(type, field);
    return {static_cast<char*>(place_) + member.offset, member.slot};
  }
  TypedOut Append() { return Insert({}); }
  TypedOut Insert(std::string_view key) {
    return slot_ == nullptr ? *this : TypedOut(slot_->add(place_, key), slot_->inner);
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
  Time Moment() const { return Scalar<Time>(); }
  std::string_view Raw() const { return Scalar<RawJson>().text; }

  bool is_text() const { return place_ != nullptr && slot_->scalar == ScalarForm::kText; }
  bool is_bool() const { return place_ != nullptr && slot_->scalar == ScalarForm::kBool; }
  bool is_list() const { return place_ != nullptr && slot_->form == SlotForm::kList; }

  TypedView Part(const Struct& type, std::size_t field) const {
    if (place_ == nullptr) {
      return {nullptr, nullptr};
    }
    const Member& member = slot_->binding().At(type, field);
    return {static_cast<const char*>(place_) + member.offset, member.slot};
  }
  std::size_t size() const { return place_ != nullptr ? slot_->size(place_) : 0; }
  TypedView At(std::size_t n) const { return {slot_->at(place_, n), slot_->inner}; }
  std::string_view Key(std::size_t n) const { return slot_->key(place_, n); }

 private:
  template <typename T>
  const T& Scalar() const {
    static const T zero{};
    return place_ != nullptr ? *static_cast<const T*>(place_) : zero;
  }

  const void* place_;
  const Slot* slot_;
};

}  // namespace quadra::api
