#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <yaml.h>

#include "base/check.h"
#include "base/utf8.h"
#include "json/lexical.h"
#include "json/yaml.h"
#include "json/yaml_scalar.h"

namespace quadra::json {
namespace {

int Append(void* out, unsigned char* buffer, std::size_t size) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(buffer), size);
  return 1;
}

std::vector<char32_t> RunesOf(std::string_view text) {
  std::vector<char32_t> runes;
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = DecodeRune(text.substr(at));
    runes.push_back(rune.code);
    at += rune.size;
  }
  return runes;
}

bool IsDigitRune(char32_t rune) { return rune >= '0' && rune <= '9'; }

// Beyond ASCII everything counts as a letter; upstream asks Unicode, but such keys do not occur in
// Kubernetes.
bool IsLetter(char32_t rune) {
  return (rune >= 'a' && rune <= 'z') || (rune >= 'A' && rune <= 'Z') || rune >= 0x80;
}

// A number inside a key, from `at` on; `prefix` stands for the digits before it that make zeros
// count.
struct KeyNumber {
  std::int64_t value;
  std::size_t end;
};

KeyNumber NumberAt(const std::vector<char32_t>& runes, std::size_t at, std::int64_t prefix) {
  std::uint64_t value = static_cast<std::uint64_t>(prefix);
  while (at < runes.size() && IsDigitRune(runes[at])) {
    value = value * 10 + (runes[at++] - '0');
  }
  return {static_cast<std::int64_t>(value), at};
}

// Whether digits other than zero stand directly before `at`.
bool FollowsNumber(const std::vector<char32_t>& runes, std::size_t at) {
  for (; at > 0 && IsDigitRune(runes[at - 1]); --at) {
    if (runes[at - 1] != '0') {
      return true;
    }
  }
  return false;
}

// Upstream's order of keys: letters behind everything else, numbers inside by their value.
bool ComesBefore(const std::vector<char32_t>& a, const std::vector<char32_t>& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  if (in_a == a.end() || in_b == b.end()) {
    return a.size() < b.size();
  }
  const auto at = static_cast<std::size_t>(in_a - a.begin());
  const bool a_is_letter = IsLetter(*in_a);
  const bool b_is_letter = IsLetter(*in_b);
  if (a_is_letter || b_is_letter) {
    return a_is_letter && b_is_letter ? *in_a < *in_b : b_is_letter;
  }
  const bool has_zero = *in_a == '0' || *in_b == '0';
  const std::int64_t prefix = has_zero && FollowsNumber(a, at) ? 1 : 0;
  const KeyNumber number_a = NumberAt(a, at, prefix);
  const KeyNumber number_b = NumberAt(b, at, prefix);
  if (number_a.value != number_b.value) {
    return number_a.value < number_b.value;
  }
  return number_a.end != number_b.end ? number_a.end < number_b.end : *in_a < *in_b;
}

// Stable, and safe where `before` is not transitive, as upstream's order is not: std::sort and
// std::stable_sort may then leave their range.
template <typename T, typename Before>
void MergeSort(std::vector<T>& values, Before before) {
  std::vector<T> merged(values.size());
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t at = 0; at < values.size(); at += 2 * width) {
      const auto begin = std::make_move_iterator(values.begin());
      const auto first = static_cast<std::ptrdiff_t>(at);
      const auto middle = static_cast<std::ptrdiff_t>(std::min(at + width, values.size()));
      const auto last = static_cast<std::ptrdiff_t>(std::min(at + 2 * width, values.size()));
      std::merge(begin + first, begin + middle, begin + middle, begin + last,
                 merged.begin() + first, before);
    }
    values.swap(merged);
  }
}

// The members to write, by the bytes of their keys; of equal keys the last.
std::vector<const Value::Member*> WithoutDuplicates(const Value::Object& members) {
  std::vector<const Value::Member*> by_key;
  by_key.reserve(members.size());
  for (const Value::Member& member : members) {
    by_key.push_back(&member);
  }
  MergeSort(by_key, [](const Value::Member* a, const Value::Member* b) { return a->key < b->key; });
  const auto same_key = [](const Value::Member* a, const Value::Member* b) {
    return a->key == b->key;
  };
  const auto kept = std::unique(by_key.rbegin(), by_key.rend(), same_key);
  by_key.erase(by_key.begin(), kept.base());
  return by_key;
}

// The members to write, in upstream's order. That order has cycles ("02000", "0b2", "3", "02000"):
// starting from the order of bytes, equal objects are written alike whatever order they came in.
std::vector<const Value::Member*> Sorted(const Value::Object& members) {
  struct Keyed {
    std::vector<char32_t> runes;
    const Value::Member* member;
  };
  std::vector<Keyed> keyed;
  for (const Value::Member* const member : WithoutDuplicates(members)) {
    keyed.push_back({RunesOf(member->key), member});
  }
  MergeSort(keyed, [](const Keyed& a, const Keyed& b) { return ComesBefore(a.runes, b.runes); });
  std::vector<const Value::Member*> sorted;
  sorted.reserve(keyed.size());
  for (const Keyed& entry : keyed) {
    sorted.push_back(entry.member);
  }
  return sorted;
}

// As upstream prints the number that its YAML reader makes of the spelling.
std::string NumberYaml(const std::string& spelling) {
  const Scalar scalar = ResolveScalar({}, spelling).value_or(Scalar{});
  switch (scalar.type) {
    case ScalarType::kInt:
      return std::to_string(scalar.integer);
    case ScalarType::kUint:
      return std::to_string(scalar.natural);
    case ScalarType::kFloat:
      return FormatFloat(scalar.number);
    default:
      return spelling;
  }
}

class YamlWriter {
 public:
  YamlWriter() {
    QUADRA_CHECK(yaml_emitter_initialize(&emitter_) == 1, "it fails only when memory is exhausted");
    yaml_emitter_set_output(&emitter_, &Append, &out_);
    yaml_emitter_set_unicode(&emitter_, 1);
  }
  ~YamlWriter() { yaml_emitter_delete(&emitter_); }
  YamlWriter(const YamlWriter&) = delete;
  YamlWriter& operator=(const YamlWriter&) = delete;

  std::string Write(const Value& value) {
    yaml_event_t event;
    yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
    Emit(event);
    yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1);
    Emit(event);
    Begin(value);
    while (!open_.empty()) {
      Step();
    }
    yaml_document_end_event_initialize(&event, 1);
    Emit(event);
    emitter_.open_ended = 0;
    yaml_stream_end_event_initialize(&event);
    Emit(event);
    return std::move(out_);
  }

 private:
  // A list or mapping that is being written.
  struct Open {
    const Value* list = nullptr;
    std::vector<const Value::Member*> members;
    std::size_t next = 0;
  };

  void Emit(yaml_event_t& event) {
    QUADRA_CHECK(yaml_emitter_emit(&emitter_, &event) == 1, "events come in a valid order");
  }

  void Begin(const Value& value) {
    yaml_event_t event;
    if (value.kind() == Kind::kArray) {
      yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE);
      Emit(event);
      open_.push_back({.list = &value});
    } else if (value.kind() == Kind::kObject) {
      yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE);
      Emit(event);
      open_.push_back({.members = Sorted(value.members())});
    } else {
      Leaf(value);
    }
  }

  void Step() {
    Open& top = open_.back();
    yaml_event_t event;
    if (top.list != nullptr && top.next < top.list->items().size()) {
      Begin(top.list->items()[top.next++]);
    } else if (top.list == nullptr && top.next < top.members.size()) {
      const Value::Member& member = *top.members[top.next++];
      Key(member.key);
      Begin(member.value);
    } else {
      top.list != nullptr ? yaml_sequence_end_event_initialize(&event)
                          : yaml_mapping_end_event_initialize(&event);
      Emit(event);
      open_.pop_back();
    }
  }

  void Leaf(const Value& value) {
    switch (value.kind()) {
      case Kind::kBool:
        return Scalar(value.boolean() ? "true" : "false", YAML_PLAIN_SCALAR_STYLE);
      case Kind::kNumber:
        return Scalar(NumberYaml(value.number()), YAML_PLAIN_SCALAR_STYLE);
      case Kind::kString:
        return Text(value.string());
      default:
        return Scalar("null", YAML_PLAIN_SCALAR_STYLE);
    }
  }

  // Upstream writes << as it is, and reads a merge.
  void Key(const std::string& key) {
    key == "<<" ? Scalar(key, YAML_DOUBLE_QUOTED_SCALAR_STYLE) : Text(key);
  }

  void Text(const std::string& text) {
    if (text.find('\n') != std::string::npos) {
      Scalar(text, YAML_LITERAL_SCALAR_STYLE);
    } else {
      Scalar(text, IsPlainString(text) ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
    }
  }

  void Scalar(std::string_view text, yaml_scalar_style_t style) {
    yaml_event_t event;
    yaml_scalar_event_initialize(&event, nullptr, nullptr,
                                 reinterpret_cast<const yaml_char_t*>(text.data()),
                                 static_cast<int>(text.size()), 1, 1, style);
    Emit(event);
  }

  yaml_emitter_t emitter_;
  std::string out_;
  std::vector<Open> open_;
};

}  // namespace

std::string ToYaml(const Value& value) { return YamlWriter().Write(value); }

}  // namespace quadra::json
