#include "json/field_path.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

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

// A part of the text, and what of the field is still to be found in it.
struct JsonPlace {
  std::size_t offset = 0;  // of the key or item
  std::size_t value_offset = 0;
  std::string_view value;
  std::string_view field;
};

// Every member that a step of `place.field` leads to: names may contain dots, and stand twice.
std::vector<JsonPlace> FindMembers(Reader& reader, const JsonPlace& place) {
  std::vector<JsonPlace> found;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    const std::size_t taken = StepLength(place.field, key);
    const std::size_t value_offset = reader.offset();
    const std::string_view value = reader.SkipRaw();
    if (taken > 0) {
      found.push_back({place.value_offset + reader.key_offset(), place.value_offset + value_offset,
                       value, place.field.substr(taken)});
    }
  }
  return found;
}

std::vector<JsonPlace> FindItem(Reader& reader, const JsonPlace& place) {
  const std::optional<IndexStep> step = ParseIndex(place.field);
  std::size_t index = 0;
  for (bool more = step && reader.EnterArray(); more && reader.NextItem(); ++index) {
    const std::size_t offset = place.value_offset + reader.offset();
    const std::string_view value = reader.SkipRaw();
    if (index == step->index) {
      return {{offset, offset, value, place.field.substr(step->length)}};
    }
  }
  return {};
}

// Where one step leads, in the order of the text.
std::vector<JsonPlace> StepsFrom(const JsonPlace& place) {
  if (place.field.empty()) {
    return {};
  }
  Reader reader(place.value);
  const Kind kind = reader.Peek();
  return kind == Kind::kObject  ? FindMembers(reader, place)
         : kind == Kind::kArray ? FindItem(reader, place)
                                : std::vector<JsonPlace>();
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
  std::vector<JsonPlace> open = {{.value = json, .field = field}};
  JsonPlace nearest = open.front();
  bool is_repeated = false;
  while (!open.empty() && !is_repeated) {
    const JsonPlace place = open.back();
    open.pop_back();
    is_repeated = place.field.empty() && nearest.field.empty() && !field.empty();
    if (is_repeated || place.field.size() < nearest.field.size()) {
      nearest = place;
    }
    const std::vector<JsonPlace> steps = StepsFrom(place);
    open.insert(open.end(), steps.rbegin(), steps.rend());
  }
  return nearest.offset;
}

YamlSpot LocateInYaml(const YamlNode& root, std::string_view field) {
  const auto followed = [](const YamlNode* node) {
    return node->kind == NodeKind::kAlias ? node->target : node;
  };
  const YamlNode* node = &root;
  Position located = root.position;
  while (!field.empty()) {
    const YamlNode& meant = *followed(node);
    const YamlPlace step = meant.kind == NodeKind::kMapping    ? FindMember(meant, field)
                           : meant.kind == NodeKind::kSequence ? FindItem(meant, field)
                                                               : YamlPlace{};
    if (step.taken == 0) {
      return {located, nullptr};
    }
    located = step.place->position;
    node = step.value;
    field.remove_prefix(step.taken);
  }
  return {located, followed(node)};
}

}  // namespace quadra::json
