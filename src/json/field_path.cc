#include "json/field_path.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "json/reader.h"

namespace quadra::json {
namespace {

// How much of `field` a step to the member `key` takes: .key, key or [key]; 0 if the step is
// another one.
std::size_t StepLength(std::string_view field, std::string_view key) {
  const std::size_t mark = !field.empty() && (field[0] == '.' || field[0] == '[') ? 1 : 0;
  if (field.substr(mark, key.size()) != key) {
    return 0;
  }
  const std::string_view rest = field.substr(mark + key.size());
  if (mark == 1 && field[0] == '[') {
    return rest.starts_with(']') ? mark + key.size() + 1 : 0;
  }
  return rest.empty() || rest[0] == '.' || rest[0] == '[' ? mark + key.size() : 0;
}

struct IndexStep {
  std::size_t index = 0;
  std::size_t length = 0;
};

// The step [N] at the start of `field`.
std::optional<IndexStep> ParseIndex(std::string_view field) {
  const std::size_t close = field.find(']');
  if (!field.starts_with('[') || close == std::string_view::npos) {
    return std::nullopt;
  }
  IndexStep step{.length = close + 1};
  const char* const end = field.begin() + close;
  const auto [stop, error] = std::from_chars(field.begin() + 1, end, step.index);
  return error == std::errc() && stop == end ? std::optional(step) : std::nullopt;
}

// Where a step leads: the key or item itself, and the text of its value.
struct JsonPlace {
  std::size_t offset = 0;
  std::size_t value_offset = 0;
  std::string_view value;
  std::size_t taken = 0;  // of the field; 0 if there is no such step
};

// Of several members that fit, the one with the longest name, since names may contain dots.
JsonPlace FindMember(Reader& reader, std::string_view field) {
  JsonPlace best;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    const std::size_t taken = StepLength(field, key);
    const std::size_t value_offset = reader.offset();
    const std::string_view value = reader.SkipRaw();
    if (taken > best.taken) {
      best = {reader.key_offset(), value_offset, value, taken};
    }
  }
  return best;
}

JsonPlace FindItem(Reader& reader, std::string_view field) {
  const std::optional<IndexStep> step = ParseIndex(field);
  if (!step) {
    return {};
  }
  std::size_t index = 0;
  for (bool more = reader.EnterArray(); more && reader.NextItem(); ++index) {
    const std::size_t offset = reader.offset();
    const std::string_view value = reader.SkipRaw();
    if (index == step->index) {
      return {offset, offset, value, step->length};
    }
  }
  return {};
}

struct YamlPlace {
  const YamlNode* place = nullptr;
  const YamlNode* value = nullptr;
  std::size_t taken = 0;
};

YamlPlace FindMember(const YamlNode& mapping, std::string_view field) {
  YamlPlace best;
  for (const YamlNode* key = mapping.first; key != nullptr; key = key->next->next) {
    const std::size_t taken = StepLength(field, key->text);
    if (taken >= best.taken && taken > 0) {
      best = {key, key->next, taken};
    }
  }
  return best;
}

YamlPlace FindItem(const YamlNode& sequence, std::string_view field) {
  const std::optional<IndexStep> step = ParseIndex(field);
  if (!step) {
    return {};
  }
  const YamlNode* item = sequence.first;
  for (std::size_t i = 0; item != nullptr && i < step->index; ++i) {
    item = item->next;
  }
  return item == nullptr ? YamlPlace{} : YamlPlace{item, item, step->length};
}

}  // namespace

std::size_t LocateInJson(std::string_view json, std::string_view field) {
  std::size_t located = 0;
  std::size_t base = 0;
  while (!field.empty()) {
    Reader reader(json);
    const Kind kind = reader.Peek();
    const JsonPlace place = kind == Kind::kObject  ? FindMember(reader, field)
                            : kind == Kind::kArray ? FindItem(reader, field)
                                                   : JsonPlace{};
    if (place.taken == 0) {
      break;
    }
    located = base + place.offset;
    base += place.value_offset;
    json = place.value;
    field.remove_prefix(place.taken);
  }
  return located;
}

Position LocateInYaml(const YamlNode& root, std::string_view field) {
  const YamlNode* node = &root;
  Position located = root.position;
  while (!field.empty()) {
    const YamlNode& meant = node->kind == NodeKind::kAlias ? *node->target : *node;
    const YamlPlace step = meant.kind == NodeKind::kMapping    ? FindMember(meant, field)
                           : meant.kind == NodeKind::kSequence ? FindItem(meant, field)
                                                               : YamlPlace{};
    if (step.taken == 0) {
      break;
    }
    located = step.place->position;
    node = step.value;
    field.remove_prefix(step.taken);
  }
  return located;
}

}  // namespace quadra::json
