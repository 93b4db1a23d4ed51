#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/access.h"
#include "api/generated/structs.h"
#include "api/json_decode.h"
#include "api/object.h"

namespace quadra::api {
namespace {

constexpr std::string_view kNow = "<now>";

// The struct that a value of the type is, or that its elements are; null when there is none.
const Struct* StructIn(const Type& type) {
  return type.element != nullptr          ? StructIn(*type.element)
         : type.kind == TypeKind::kStruct ? type.fields
                                          : nullptr;
}

// Structs that are no pointers exist even when not given.
bool IsAlwaysThere(const Field& field) {
  return field.type->kind == TypeKind::kStruct && !field.pointer;
}

// What there is to do in a struct: few have defaults, or hold structs that do, and in those few
// fields do.
struct Plan {
  std::vector<const Field*> fields;
  bool when_absent = false;  // also a struct that is not given gets something
};

// The plans of all structs that have one. Made once: objects are defaulted by the thousand.
class Plans {
 public:
  static const Plans& All() {
    static const Plans all;
    return all;
  }
  const Plan* Find(const Struct* schema) const {
    const auto found = by_struct_.find(schema);
    return found == by_struct_.end() ? nullptr : &found->second;
  }

 private:
  // Structs hold structs, some themselves, so defaults are passed outwards until nothing changes.
  Plans() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Struct* schema : generated::kStructs) {
        Plan plan = PlanOf(*schema);
        const Plan* known = Find(schema);
        if (!plan.fields.empty() && (known == nullptr || known->fields != plan.fields ||
                                     known->when_absent != plan.when_absent)) {
          by_struct_[schema] = std::move(plan);
          changed = true;
        }
      }
    }
  }

  Plan PlanOf(const Struct& schema) const {
    Plan plan;
    for (const Field& field : schema.fields) {
      const Plan* inside = Find(StructIn(*field.type));
      if (!field.default_json.empty() || inside != nullptr) {
        plan.fields.push_back(&field);
      }
      plan.when_absent |= !field.default_json.empty() ||
                          (inside != nullptr && inside->when_absent && IsAlwaysThere(field));
    }
    return plan;
  }

  absl::flat_hash_map<const Struct*, Plan> by_struct_;
};

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

  void FillStruct(const Plan& plan, Value& tree) {
    tree.Make<Value::Members>();
    for (const Field* field : plan.fields) {
      FillField(*field, tree);
    }
  }

 private:
  void FillField(const Field& field, Value& tree) {
    if (!field.default_json.empty() && IsUnset(field, tree.Member(field)) &&
        AllHold(field.default_when, tree)) {
      GiveDefault(field, tree.AddMember(field));
    }
    const Plan* inside = plans_.Find(StructIn(*field.type));
    if (inside == nullptr) {
      return;
    }
    if (IsAlwaysThere(field) && inside->when_absent) {
      FillStruct(*inside, tree.AddMember(field));
    } else if (Value* value = tree.Member(field); value != nullptr && !value->is_nil()) {
      Fill(*field.type, *inside, *value);
    }
  }

  // A struct, or the elements that are.
  void Fill(const Type& type, const Plan& plan, Value& value) {
    if (type.kind == TypeKind::kStruct) {
      FillStruct(plan, value);
    } else if (auto* items = value.As<Value::Items>()) {
      for (Value& item : *items) {
        Fill(*type.element, plan, item);
      }
    } else if (auto* entries = value.As<Value::Entries>()) {
      for (auto& [key, entry] : *entries) {
        Fill(*type.element, plan, entry);
      }
    }
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
  const Plans& plans_ = Plans::All();
};

}  // namespace

void ApplyDefaults(Object& object, Time now) {
  if (const Plan* plan = Plans::All().Find(object.kind->fields)) {
    Defaulter(now).FillStruct(*plan, object.root);
  }
}

}  // namespace quadra::api
