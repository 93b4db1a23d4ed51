#include "patch/strict_read.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/go_text.h"

namespace quadra::patch {
namespace {

using json::Value;

constexpr std::size_t kMaxRemarks = 100;

// A place inside the patch that is being read.
struct Level {
  const Value* value;
  std::size_t path_size;  // of the path to it
  std::size_t next = 0;   // member or item
  std::unordered_set<std::string_view> seen = {};
};

class StrictReader {
 public:
  // Where numbers and duplicate fields stand in `value`, whose path is `path`. `target` is what Go
  // would read a number into. Does not recurse.
  void ReadAny(const Value& value, std::string path, std::string_view target);
  void ReadOperation(const Value& operation, std::size_t index);
  void WrongType(const Value& found, std::string_view target);
  Findings Result() && { return std::move(findings_); }

 private:
  bool Step(std::vector<Level>& levels, std::string& path);
  void ReadField(const Value::Member& member, const std::string& inside);
  void Number(const Value& number, std::string_view target);
  void Remark(std::string_view problem, std::string_view path);
  void Fail(std::string error);

  Findings findings_;
};

void StrictReader::Fail(std::string error) {
  if (findings_.error.empty()) {
    findings_.error = std::move(error);
  }
}

void StrictReader::WrongType(const Value& found, std::string_view target) {
  Fail(fmt::format("json: cannot unmarshal {} into Go {}", json::KindName(found.kind()), target));
}

// Go's float64 takes every number that is not too large for it.
void StrictReader::Number(const Value& number, std::string_view target) {
  if (std::isinf(std::strtod(number.number().c_str(), nullptr))) {
    Fail(fmt::format("json: cannot unmarshal number {} into Go {} of type float64", number.number(),
                     target));
  }
}

void StrictReader::Remark(std::string_view problem, std::string_view path) {
  std::string remark = fmt::format("{} field {}", problem, GoQuote(path));
  if (findings_.remarks.size() < kMaxRemarks &&
      std::ranges::find(findings_.remarks, remark) == findings_.remarks.end()) {
    findings_.remarks.push_back(std::move(remark));
  }
}

// Moves to the next value inside the last level and makes `path` its path; false at the end.
bool StrictReader::Step(std::vector<Level>& levels, std::string& path) {
  Level& level = levels.back();
  path.resize(level.path_size);
  const Value* next = nullptr;
  if (level.value->kind() == json::Kind::kArray && level.next < level.value->items().size()) {
    path += fmt::format("[{}]", level.next);
    next = &level.value->items()[level.next++];
  } else if (level.value->kind() == json::Kind::kObject &&
             level.next < level.value->members().size()) {
    const Value::Member& member = level.value->members()[level.next++];
    path += (path.empty() ? "" : ".") + member.key;
    if (!level.seen.insert(member.key).second) {
      Remark("duplicate", path);
    }
    next = &member.value;
  }
  if (next != nullptr) {
    levels.push_back({next, path.size()});
  }
  return next != nullptr;
}

void StrictReader::ReadAny(const Value& value, std::string path, std::string_view target) {
  std::vector<Level> levels;
  levels.push_back({&value, path.size()});
  while (!levels.empty()) {
    if (levels.back().value->kind() == json::Kind::kNumber) {
      Number(*levels.back().value, target);
    }
    if (!Step(levels, path)) {
      levels.pop_back();
    }
  }
}

void StrictReader::ReadField(const Value::Member& member, const std::string& inside) {
  if (member.key == "value") {
    ReadAny(member.value, inside, "struct field jsonPatchOp.value");
  } else if (!member.value.is_null() && member.value.kind() != json::Kind::kString) {
    WrongType(member.value, fmt::format("struct field jsonPatchOp.{} of type string", member.key));
  }
}

void StrictReader::ReadOperation(const Value& operation, std::size_t index) {
  std::unordered_set<std::string_view> seen;
  for (const Value::Member& member : operation.members()) {
    const std::string path = fmt::format("[{}].{}", index, member.key);
    if (member.key != "op" && member.key != "path" && member.key != "from" &&
        member.key != "value") {
      Remark("unknown", path);
      continue;
    }
    if (!seen.insert(member.key).second) {
      Remark("duplicate", path);
    }
    ReadField(member, path);
  }
}

}  // namespace

Findings ReadObject(const Value& patch) {
  StrictReader reader;
  if (patch.kind() == json::Kind::kObject) {
    reader.ReadAny(patch, "", "value");
  } else if (!patch.is_null()) {
    reader.WrongType(patch, "value of type map[string]interface {}");
  }
  return std::move(reader).Result();
}

Findings ReadOperations(const Value& patch) {
  StrictReader reader;
  if (patch.kind() != json::Kind::kArray) {
    if (!patch.is_null()) {
      reader.WrongType(patch, "value of type []handlers.jsonPatchOp");
    }
    return std::move(reader).Result();
  }
  for (std::size_t i = 0; i < patch.items().size(); ++i) {
    const Value& operation = patch.items()[i];
    if (operation.kind() == json::Kind::kObject) {
      reader.ReadOperation(operation, i);
    } else if (!operation.is_null()) {
      reader.WrongType(operation, "value of type handlers.jsonPatchOp");
    }
  }
  return std::move(reader).Result();
}

}  // namespace quadra::patch
