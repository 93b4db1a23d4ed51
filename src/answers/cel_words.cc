#include "answers/cel_words.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "json/writer.h"

namespace quadra::answers {
namespace {

class WordList final : public cel::ListObject {
 public:
  explicit WordList(std::vector<cel::Value> values) : values_(std::move(values)) {}
  std::size_t size() const override { return values_.size(); }
  cel::Value At(std::size_t n) const override { return values_[n]; }

 private:
  std::vector<cel::Value> values_;
};

// Keys that bindings of the suite use: equal when of one kind and alike.
bool SameKey(const cel::Value& a, const cel::Value& b) {
  if (a.kind() != b.kind()) {
    return false;
  }
  return a.kind() == cel::Kind::kString ? a.as_text() == b.as_text()
                                        : WriteCelValue(a) == WriteCelValue(b);
}

class WordMap final : public cel::MapObject {
 public:
  explicit WordMap(std::vector<std::pair<cel::Value, cel::Value>> entries)
      : entries_(std::move(entries)) {}
  std::size_t size() const override { return entries_.size(); }
  cel::Value Find(const cel::Value& key) const override {
    const auto found = std::ranges::find_if(
        entries_, [&](const auto& entry) { return SameKey(entry.first, key); });
    return found == entries_.end() ? cel::Value() : found->second;
  }
  bool Contains(const cel::Value& key) const override { return !Find(key).is_absent(); }
  cel::Value KeyAt(std::size_t n) const override { return entries_[n].first; }
  cel::Value ValueAt(std::size_t n) const override { return entries_[n].second; }

 private:
  std::vector<std::pair<cel::Value, cel::Value>> entries_;
};

template <typename Number>
Number Parse(std::string_view text, int base = 10) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

double ParseBits(std::string_view text) {
  return text == "nan" ? std::nan("") : std::bit_cast<double>(Parse<std::uint64_t>(text, 16));
}

}  // namespace

cel::Value CelWords::Read(const json::Value& words) {
  switch (words.kind()) {
    case json::Kind::kBool:
      return cel::Value::Bool(words.boolean());
    case json::Kind::kArray:
      return ReadList(words.items());
    case json::Kind::kObject:
      return ReadScalar(words.members()[0].key, words.members()[0].value);
    default:
      return cel::Value::Null();
  }
}

cel::Value CelWords::ReadScalar(const std::string& kind, const json::Value& words) {
  if (kind == "map") {
    return ReadMap(words.items());
  }
  if (kind == "optional") {
    return cel::Value::Optional(
        words.items().empty() ? nullptr : &values_.emplace_back(Read(words.items()[0])));
  }
  if (kind == "timestamp") {
    return cel::Value::Of(&timestamps_.emplace_back(
        cel::Timestamp{.seconds = Parse<std::int64_t>(words.items()[0].string()),
                       .nanoseconds = Parse<std::int32_t>(words.items()[1].string())}));
  }
  const std::string& text = Keep(words.string());
  if (kind == "int") {
    return cel::Value::Int(Parse<std::int64_t>(text));
  }
  if (kind == "uint") {
    return cel::Value::Uint(Parse<std::uint64_t>(text));
  }
  if (kind == "double") {
    return cel::Value::Double(ParseBits(text));
  }
  if (kind == "duration") {
    return cel::Value::Duration(Parse<std::int64_t>(text));
  }
  if (kind == "bytes") {
    return cel::Value::Bytes(Keep(DecodeBase64(text).value_or("")));
  }
  return cel::Value::String(text);
}

cel::Value CelWords::ReadList(const std::vector<json::Value>& items) {
  std::vector<cel::Value> values;
  values.reserve(items.size());
  for (const json::Value& item : items) {
    values.push_back(Read(item));
  }
  return cel::Value::Of(lists_.emplace_back(std::make_unique<WordList>(std::move(values))).get());
}

cel::Value CelWords::ReadMap(const std::vector<json::Value>& entries) {
  std::vector<std::pair<cel::Value, cel::Value>> pairs;
  pairs.reserve(entries.size());
  for (const json::Value& entry : entries) {
    pairs.emplace_back(Read(entry.items()[0]), Read(entry.items()[1]));
  }
  return cel::Value::Of(maps_.emplace_back(std::make_unique<WordMap>(std::move(pairs))).get());
}

// --- Writing.

namespace {

std::string Tagged(std::string_view tag, std::string_view text) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  writer.Key(tag);
  writer.String(text);
  writer.EndObject();
  return out;
}

std::string Bracketed(std::string_view before, const std::vector<std::string>& parts,
                      std::string_view after) {
  return fmt::format("{}[{}]{}", before, fmt::join(parts, ","), after);
}

std::string WriteDouble(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:016x}", std::bit_cast<std::uint64_t>(value));
}

std::string WriteBytes(std::string_view bytes) {
  std::string out;
  AppendBase64(out, bytes);
  return out;
}

std::string WriteList(const cel::ListObject& list) {
  std::vector<std::string> parts;
  parts.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    parts.push_back(WriteCelValue(list.At(i)));
  }
  return Bracketed("", parts, "");
}

std::string WriteMap(const cel::MapObject& map) {
  std::vector<std::pair<std::string, std::string>> entries;
  entries.reserve(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    entries.emplace_back(WriteCelValue(map.KeyAt(i)), WriteCelValue(map.ValueAt(i)));
  }
  std::ranges::sort(entries);
  std::vector<std::string> parts;
  parts.reserve(entries.size());
  for (const auto& [key, value] : entries) {
    parts.push_back(fmt::format("[{},{}]", key, value));
  }
  return Bracketed("{\"map\":", parts, "}");
}

std::string_view OtherName(cel::Kind kind) {
  switch (kind) {
    case cel::Kind::kQuantity:
      return "kubernetes.Quantity";
    case cel::Kind::kSemver:
      return "kubernetes.Semver";
    case cel::Kind::kIp:
      return "net.IP";
    case cel::Kind::kCidr:
      return "net.CIDR";
    case cel::Kind::kUrl:
      return "kubernetes.URL";
    default:
      return "kubernetes.NamedFormat";
  }
}

}  // namespace

std::string WriteCelValue(const cel::Value& value) {
  switch (value.kind()) {
    case cel::Kind::kNull:
      return "null";
    case cel::Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case cel::Kind::kInt:
      return Tagged("int", fmt::to_string(value.as_int()));
    case cel::Kind::kUint:
      return Tagged("uint", fmt::to_string(value.as_uint()));
    case cel::Kind::kDouble:
      return Tagged("double", WriteDouble(value.as_double()));
    case cel::Kind::kString:
      return Tagged("string", value.as_text());
    case cel::Kind::kBytes:
      return Tagged("bytes", WriteBytes(value.as_text()));
    case cel::Kind::kDuration:
      return Tagged("duration", fmt::to_string(value.as_int()));
    case cel::Kind::kTimestamp:
      return fmt::format(R"({{"timestamp":["{}","{}"]}})", value.as_timestamp().seconds,
                         value.as_timestamp().nanoseconds);
    case cel::Kind::kType:
      return Tagged("type", value.as_type()->name);
    case cel::Kind::kList:
      return WriteList(value.as_list());
    case cel::Kind::kMap:
      return WriteMap(value.as_map());
    case cel::Kind::kOptional:
      return value.as_optional() == nullptr
                 ? R"({"optional":[]})"
                 : fmt::format(R"({{"optional":[{}]}})", WriteCelValue(*value.as_optional()));
    default:
      return Tagged("other", OtherName(value.kind()));
  }
}

std::string WriteCelType(cel::Type type) {
  std::string text(type->name);
  for (std::size_t i = 0; i < type->parameters.size(); ++i) {
    text += i == 0 ? '<' : ',';
    text += WriteCelType(type->parameters[i]);
  }
  return type->parameters.empty() ? text : text + '>';
}

namespace {

std::optional<cel::Type> SimpleType(std::string_view name) {
  for (const cel::Type type :
       {cel::types::kDyn, cel::types::kAny, cel::types::kNull, cel::types::kBool, cel::types::kInt,
        cel::types::kUint, cel::types::kDouble, cel::types::kString, cel::types::kBytes,
        cel::types::kTimestamp, cel::types::kDuration, cel::types::kTypeType}) {
    if (type->name == name) {
      return type;
    }
  }
  return std::nullopt;
}

}  // namespace

cel::Type ReadCelType(const json::Value& words, cel::TypeArena& arena) {
  if (words.kind() == json::Kind::kString) {
    const std::string& name = words.string();
    return name.starts_with('$') ? arena.Param(name.substr(1))
                                 : SimpleType(name).value_or(arena.Opaque(name));
  }
  const std::string& name = words.items()[0].string();
  std::vector<cel::Type> parameters;
  for (std::size_t i = 1; i < words.items().size(); ++i) {
    parameters.push_back(ReadCelType(words.items()[i], arena));
  }
  if (name == "list") {
    return arena.List(parameters[0]);
  }
  if (name == "map") {
    return arena.Map(parameters[0], parameters[1]);
  }
  if (name == "type") {
    return arena.TypeOf(parameters[0]);
  }
  return parameters.size() == 1 ? arena.Opaque(name, {parameters[0]})
                                : arena.Opaque(name, {parameters[0], parameters[1], parameters[2]});
}

}  // namespace quadra::answers
