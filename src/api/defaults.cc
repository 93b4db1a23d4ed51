#include <chrono>
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/json_decode.h"
#include "api/object.h"

namespace quadra::api {
namespace {

constexpr std::string_view kNow = "<now>";

// Absent, or zero where absent does not differ.
bool IsUnset(const Field& field, const Value* value) {
  const TreeView view(value);
  return view.is_nil() ||
         (!field.pointer && view.Text().empty() && view.Int() == 0 && !view.is_list());
}

// One of Field::default_when: `name` or `name=value`.
bool Holds(std::string_view condition, const Value& tree) {
  const std::size_t equals = condition.find('=');
  const std::string_view text = TreeView(tree.Member(condition.substr(0, equals))).Text();
  return equals == std::string_view::npos ? !text.empty() : text == condition.substr(equals + 1);
}

bool AllHold(std::string_view conditions, const Value& tree) {
  while (!conditions.empty()) {
    const std::string_view one = conditions.substr(0, conditions.find(' '));
    if (!Holds(one, tree)) {
      return false;
    }
    conditions.remove_prefix(std::min(conditions.size(), one.size() + 1));
  }
  return true;
}

class Defaulter {
 public:
  explicit Defaulter(Time now) : now_(std::chrono::floor<std::chrono::seconds>(now)) {}

  void Fill(const Type& type, Value& value) {
    if (type.kind == TypeKind::kStruct) {
      FillStruct(*type.fields, value);
    } else if (auto* items = value.As<Value::Items>();
               items != nullptr && type.element != nullptr) {
      for (Value& item : *items) {
        Fill(*type.element, item);
      }
    } else if (auto* entries = value.As<Value::Entries>();
               entries != nullptr && type.element != nullptr) {
      for (auto& [key, entry] : *entries) {
        Fill(*type.element, entry);
      }
    }
  }

 private:
  // Structs that are no pointers exist even when not given, and have defaults inside.
  void FillStruct(const Struct& schema, Value& tree) {
    tree.Make<Value::Members>();
    for (const Field& field : schema.fields) {
      if (!field.default_json.empty() && IsUnset(field, tree.Member(field)) &&
          AllHold(field.default_when, tree)) {
        GiveDefault(field, tree.AddMember(field));
      }
      const bool always_there = field.type->kind == TypeKind::kStruct && !field.pointer;
      if (always_there && HasDefaults(*field.type->fields)) {
        Fill(*field.type, tree.AddMember(field));
      } else if (Value* value = tree.Member(field.json); value != nullptr && !value->is_nil()) {
        Fill(*field.type, *value);
      }
    }
  }

  // Whether a struct that is not given would get any default, so that absent ones stay absent.
  static bool HasDefaults(const Struct& schema) {
    for (const Field& field : schema.fields) {
      if (!field.default_json.empty() || (field.type->kind == TypeKind::kStruct && !field.pointer &&
                                          HasDefaults(*field.type->fields))) {
        return true;
      }
    }
    return false;
  }

  void GiveDefault(const Field& field, Value& value) const {
    if (field.default_json == kNow) {
      value.Set(now_);
      return;
    }
    DecodeErrors errors;
    json::Reader reader(field.default_json);
    JsonDecoder<TreeOut>(reader, errors).Read(*field.type, TreeOut(value), false);
  }

  Time now_;
};

}  // namespace

void ApplyDefaults(Object& object, Time now) {
  Defaulter(now).Fill({TypeKind::kStruct, nullptr, object.kind->fields}, object.root);
}

}  // namespace quadra::api
