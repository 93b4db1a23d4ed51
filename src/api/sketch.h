// Sketch: an object as its text shows it, made to be written in another encoding at once. A third
// form beside Value and the plain structs: texts are views into the JSON, parts lie in memory that
// is given back as a whole, and quantities keep their spelling.
//
//   SketchPaper paper;
//   Sketch root;
//   JsonDecoder<SketchOut>(reader, errors).Read(type, SketchOut(root, paper), false);
//   ProtoEncoder<SketchView>(out).WriteStruct(schema, SketchView(&root));
//
// Only of what EncodeJson wrote (kAsEncoded): keys come once and in order, quantities as they are
// spelled there. Valid while the reader and the paper live. Private to api/.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string_view>

#include "api/members.h"
#include "api/schema.h"
#include "api/value.h"

namespace quadra::api {

struct Sketch {
  enum class Form : std::uint8_t { kNil, kBool, kNumber, kText, kList, kOther };

  Form form = Form::kNil;
  std::uint16_t field = 0;  // of a member: its position in the schema
  std::uint32_t size = 0;   // of the text, or how many parts there are
  std::uint32_t room = 0;   // for parts
  std::uint32_t key_size = 0;
  const char* key = nullptr;  // of an entry
  union {
    std::int64_t number = 0;  // of bools and integers; a double's bits; a time's count
    const char* text;         // of texts, bytes, quantities and raw JSON
    Sketch* parts;            // members, items or entries
  };
};

// Where parts lie: those of most objects on the stack, more on the heap.
class SketchPaper {
 public:
  // Adds a part, for which those before it may move.
  Sketch& Add(Sketch& whole) {
    if (whole.size == whole.room) {
      Reserve(whole, whole.room == 0 ? kFirstRoom : std::size_t{2} * whole.room);
    }
    return *std::construct_at(whole.parts + whole.size++);
  }
  void Reserve(Sketch& whole, std::size_t room) {
    auto* parts = static_cast<Sketch*>(memory_.allocate(room * sizeof(Sketch), alignof(Sketch)));
    std::uninitialized_copy_n(whole.parts, whole.size, parts);
    whole.parts = parts;
    whole.room = static_cast<std::uint32_t>(room);
  }
  std::string_view Keep(std::string_view bytes) {
    auto* place = static_cast<char*>(memory_.allocate(bytes.size() + 1, 1));
    return {place, bytes.copy(place, bytes.size())};
  }

 private:
  static constexpr std::size_t kFirstRoom = 2;
  static constexpr std::size_t kUsual = std::size_t{1} << 15U;

  std::array<std::byte, kUsual> usual_;  // not written here: most of it is never used
  std::pmr::monotonic_buffer_resource memory_{usual_.data(), usual_.size()};
};

class SketchOut {
 public:
  static constexpr bool kAsEncoded = true;

  SketchOut(Sketch& sketch, SketchPaper& paper) : sketch_(&sketch), paper_(&paper) {}

  void Text(std::string_view text) { Show(Form::kText, text); }
  void Bytes(std::string_view bytes) { Text(paper_->Keep(bytes)); }
  void Bool(bool value) { As(Form::kBool).number = value ? 1 : 0; }
  void Int(std::int64_t value) { As(Form::kNumber).number = value; }
  void Double(double value) { Int(std::bit_cast<std::int64_t>(value)); }
  void Moment(Time value) { Int(value.time_since_epoch().count()); }
  void Raw(std::string_view json) { Show(Form::kOther, json); }
  void Nil() { As(Form::kNil); }

  class Members {
   public:
    Members(Sketch& whole, SketchPaper& paper) : whole_(&whole), paper_(&paper) {}
    SketchOut At(std::size_t field) const {
      Sketch& member = paper_->Add(*whole_);
      member.field = static_cast<std::uint16_t>(field);
      return {member, *paper_};
    }

   private:
    Sketch* whole_;
    SketchPaper* paper_;
  };

  Members OpenStruct(const Struct& /*type*/) { return {As(Form::kOther), *paper_}; }
  SketchOut OpenList() { return {As(Form::kList), *paper_}; }
  SketchOut OpenMap() { return {As(Form::kOther), *paper_}; }
  void Reserve(std::size_t count) { paper_->Reserve(*sketch_, count); }
  SketchOut Append() { return {paper_->Add(*sketch_), *paper_}; }
  SketchOut Append(std::string_view key) {
    Sketch& entry = paper_->Add(*sketch_);
    entry.key = key.data();
    entry.key_size = static_cast<std::uint32_t>(key.size());
    return {entry, *paper_};
  }

 private:
  using Form = Sketch::Form;
  Sketch& As(Form form) {
    sketch_->form = form;
    return *sketch_;
  }
  void Show(Form form, std::string_view text) {
    Sketch& sketch = As(form);
    sketch.text = text.data();
    sketch.size = static_cast<std::uint32_t>(text.size());
  }

  Sketch* sketch_;
  SketchPaper* paper_;
};

class SketchView {
 public:
  explicit SketchView(const Sketch* sketch)
      : sketch_(sketch != nullptr && sketch->form != Form::kNil ? sketch : &Nothing()) {}

  bool is_nil() const { return sketch_->form == Form::kNil; }
  std::string_view Text() const { return {sketch_->text, sketch_->size}; }
  bool Bool() const { return sketch_->number != 0; }
  std::int64_t Int() const { return sketch_->number; }
  double Double() const { return std::bit_cast<double>(sketch_->number); }
  std::string_view AmountText() const { return is_nil() ? "0" : Text(); }
  Time Moment() const { return Time(Time::duration(sketch_->number)); }
  std::string_view Raw() const { return Text(); }

  bool is_text() const { return sketch_->form == Form::kText; }
  bool is_bool() const { return sketch_->form == Form::kBool; }
  bool is_list() const { return sketch_->form == Form::kList; }

  class Members {
   public:
    Members(const Sketch& whole, const Struct& type) : whole_(&whole), fields_(type.fields.data()) {
      for (std::size_t n = 0; n < whole.size; ++n) {
        given_ |= PositionBit(whole.parts[n].field);
      }
    }
    SketchView At(std::size_t field) const {
      return SketchView((given_ & PositionBit(field)) != 0 ? Find(field) : nullptr);
    }
    // What is absent is written too, unless absence has a meaning of its own.
    bool MayBeInProto(std::size_t field) const {
      return (given_ & PositionBit(field)) != 0 ||
             (!fields_[field].pointer && !IsContainer(fields_[field].type->kind));
    }

   private:
    static bool IsContainer(TypeKind kind) {
      return kind == TypeKind::kList || kind == TypeKind::kMap;
    }
    const Sketch* Find(std::size_t field) const {
      std::size_t n = whole_->size - 1;
      while (whole_->parts[n].field != field) {
        --n;
      }
      return whole_->parts + n;
    }

    const Sketch* whole_;
    const Field* fields_;
    Positions given_ = 0;
  };
  Members MembersOf(const Struct& type) const { return {*sketch_, type}; }

  std::size_t size() const { return sketch_->size; }
  SketchView At(std::size_t n) const { return SketchView(sketch_->parts + n); }
  std::string_view Key(std::size_t n) const {
    return {sketch_->parts[n].key, sketch_->parts[n].key_size};
  }

 private:
  using Form = Sketch::Form;
  static const Sketch& Nothing() {
    static constexpr Sketch kNothing{};
    return kNothing;
  }

  const Sketch* sketch_;
};

}  // namespace quadra::api
