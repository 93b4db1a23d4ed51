#include "json/yaml_decoder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "base/base64.h"
#include "json/yaml_scalar.h"

namespace quadra::json {

// The members of a mapping while it is decoded: insertion order, one entry a key.
class YamlMembers {
 public:
  struct Entry {
    YamlKey key;
    Value value;
  };

  // The last value of a key counts. True if the key was there already.
  bool Put(YamlKey key, Value value) {
    if (const auto found = Find(key)) {
      entries_[*found] = {std::move(key), std::move(value)};
      return true;
    }
    if (!index_.empty()) {
      index_.emplace(IndexText(key), entries_.size());
    }
    entries_.push_back({std::move(key), std::move(value)});
    return false;
  }

  std::vector<Entry>& entries() { return entries_; }

 private:
  static constexpr std::size_t kSmall = 16;

  static bool Same(const YamlKey& a, const YamlKey& b) {
    return a.type == b.type && (a.type == 'f' ? a.number == b.number : a.text == b.text);
  }

  static std::string IndexText(const YamlKey& key) {
    return key.type + (key.type == 'f' ? FormatFloat(key.number == 0 ? 0 : key.number) : key.text);
  }

  void BuildIndex() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      index_.emplace(IndexText(entries_[i].key), i);
    }
  }

  std::optional<std::size_t> Find(const YamlKey& key) {
    if (std::isnan(key.number)) {
      return std::nullopt;  // equals nothing, not even itself
    }
    if (entries_.size() < kSmall) {
      const auto found = std::ranges::find_if(
          entries_, [&key](const Entry& entry) { return Same(entry.key, key); });
      return found == entries_.end() ? std::nullopt : std::optional(found - entries_.begin());
    }
    if (index_.empty()) {
      BuildIndex();
    }
    const auto found = index_.find(IndexText(key));
    return found == index_.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> index_;  // filled from kSmall entries on
};

struct YamlDecoder::Frame {
  enum class Role : std::uint8_t { kItems, kMembers, kMergeList, kAlias };

  Role role = Role::kItems;
  YamlNode* node = nullptr;  // of an alias: the alias itself
  YamlNode* next = nullptr;  // the child to look at next
  Value::Array items;
  std::unique_ptr<YamlMembers> own;  // a mapping's members, unless it is merged into another's
  YamlMembers* members = nullptr;
  bool has_key = false;
  YamlKey key;  // whose value is being decoded, if has_key
  Position key_position;
  std::vector<YamlNode*> merges;  // of a merge list, the last one first
};

namespace {

constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";
constexpr std::string_view kBinaryTag = "tag:yaml.org,2002:binary";
// JSON has no such value; it is an error if it is still there in the end.
constexpr char kUnsayableMark = '!';

bool IsMerge(const YamlNode& node) {
  return node.kind == NodeKind::kScalar && node.text == "<<" &&
         (node.implicit || node.tag == kMergeTag);
}

bool IsMapping(const YamlNode& node) {
  const YamlNode& meant = node.kind == NodeKind::kAlias ? *node.target : node;
  return meant.kind == NodeKind::kMapping;
}

// Which part of all decoding may come from aliases: 99 % in small documents, 10 % in large ones.
double AllowedAliasRatio(std::int64_t decoded) {
  constexpr double kLow = 400'000;
  constexpr double kHigh = 4'000'000;
  const auto count = static_cast<double>(decoded);
  if (count <= kLow) {
    return 0.99;
  }
  return count >= kHigh ? 0.10 : 0.99 - 0.89 * ((count - kLow) / (kHigh - kLow));
}

// The scalar's text, once base64 is undone.
struct Meaning {
  Scalar scalar;
  std::string text;
};

Result<Meaning> MeaningOf(const YamlNode& node) {
  if (node.tag.empty() && !node.implicit) {
    return Meaning{Scalar{}, std::string(node.text)};
  }
  if (node.tag == kBinaryTag) {
    auto bytes = DecodeBase64(node.text);
    if (!bytes) {
      return YamlError(node.position, "the !!binary value is not base64");
    }
    return Meaning{Scalar{}, *std::move(bytes)};
  }
  const auto scalar = ResolveScalar(node.tag, node.text);
  if (!scalar) {
    return YamlError(node.position,
                     fmt::format("'{}' is no {}", node.text, node.tag.substr(kTagPrefix.size())),
                     "correct the value or its !! tag");
  }
  return Meaning{*scalar, std::string(node.text)};
}

std::string GoDouble(double number) {
  std::string text;
  AppendDouble(text, number);
  return text;
}

// A value JSON can not express, anywhere in the tree.
const Value* FindUnsayable(const Value& root) {
  std::vector<const Value*> todo = {&root};
  while (!todo.empty()) {
    const Value& value = *todo.back();
    todo.pop_back();
    if (value.kind() == Kind::kNumber && value.number()[0] == kUnsayableMark) {
      return &value;
    }
    if (value.kind() == Kind::kArray) {
      std::ranges::for_each(value.items(), [&](const Value& item) { todo.push_back(&item); });
    } else if (value.kind() == Kind::kObject) {
      std::ranges::for_each(value.members(),
                            [&](const Value::Member& member) { todo.push_back(&member.value); });
    }
  }
  return nullptr;
}

}  // namespace

YamlDecoder::YamlDecoder() = default;
YamlDecoder::~YamlDecoder() = default;

Result<Value> YamlDecoder::Decode(YamlNode& root) {
  is_done_ = false;
  ++decoded_;  // upstream counts the document, too
  QUADRA_RETURN_IF_ERROR(Visit(root));
  while (!frames_.empty()) {
    QUADRA_RETURN_IF_ERROR(Step());
  }
  if (has_unsayable_) {
    if (const Value* const bad = FindUnsayable(done_)) {
      return Fail(ErrorKind::kSyntax, bad->number().substr(1));
    }
  }
  return TakeDone();
}

Status YamlDecoder::Count(const YamlNode& node) {
  ++decoded_;
  decoded_in_aliases_ += alias_depth_ > 0 ? 1 : 0;
  const auto ratio = static_cast<double>(decoded_in_aliases_) / static_cast<double>(decoded_);
  if (decoded_in_aliases_ > 100 && decoded_ > 1000 && ratio > AllowedAliasRatio(decoded_)) {
    return YamlError(node.position, "aliases make the document grow too much",
                     "write the repeated parts out");
  }
  return {};
}

Status YamlDecoder::Push(Frame frame, const YamlNode& node) {
  if (frame.role != Frame::Role::kAlias && ++depth_ > kMaxDepth) {
    return YamlError(node.position, fmt::format("values are nested more than {} deep", kMaxDepth));
  }
  frames_.push_back(std::move(frame));
  return {};
}

Status YamlDecoder::EnterAlias(YamlNode& alias) {
  if (alias.in_use) {
    return YamlError(alias.position, fmt::format("the value of &{} contains itself", alias.text));
  }
  alias.in_use = true;
  ++alias_depth_;
  return Push({.role = Frame::Role::kAlias, .node = &alias}, alias);
}

Status YamlDecoder::Visit(YamlNode& node) {
  QUADRA_RETURN_IF_ERROR(Count(node));
  switch (node.kind) {
    case NodeKind::kScalar:
      return ResolveValue(node);
    case NodeKind::kSequence:
      return Push({.role = Frame::Role::kItems, .node = &node, .next = node.first}, node);
    case NodeKind::kMapping: {
      auto own = std::make_unique<YamlMembers>();
      YamlMembers* const members = own.get();
      return Push({.role = Frame::Role::kMembers,
                   .node = &node,
                   .next = node.first,
                   .own = std::move(own),
                   .members = members},
                  node);
    }
    case NodeKind::kAlias:
      QUADRA_RETURN_IF_ERROR(EnterAlias(node));
      return Visit(*node.target);
  }
  return {};
}

// Decodes a mapping, or an alias of one, into the members of another.
Status YamlDecoder::VisitMerge(YamlNode& node, YamlMembers& into) {
  if (!IsMapping(node)) {
    return YamlError(node.position, "'<<' merges mappings only");
  }
  QUADRA_RETURN_IF_ERROR(Count(node));
  YamlNode* mapping = &node;
  if (node.kind == NodeKind::kAlias) {
    QUADRA_RETURN_IF_ERROR(EnterAlias(node));
    mapping = node.target;
    QUADRA_RETURN_IF_ERROR(Count(*mapping));
  }
  return Push(
      {.role = Frame::Role::kMembers, .node = mapping, .next = mapping->first, .members = &into},
      *mapping);
}

Status YamlDecoder::Merge(YamlNode& node, YamlMembers& into) {
  if (node.kind != NodeKind::kSequence) {
    return VisitMerge(node, into);
  }
  Frame list{.role = Frame::Role::kMergeList, .node = &node, .members = &into};
  for (YamlNode* child = node.first; child != nullptr; child = child->next) {
    list.merges.push_back(child);
  }
  return Push(std::move(list), node);
}

Value YamlDecoder::Unsayable(std::string why) {
  has_unsayable_ = true;
  return Value::Number(kUnsayableMark + std::move(why));
}

Value YamlDecoder::FloatValue(double number, const YamlNode& node) {
  if (std::isfinite(number)) {
    return Value::Number(GoDouble(number));
  }
  return Unsayable(fmt::format("invalid YAML at line {}, column {}: JSON has no value {}",
                               node.position.line, node.position.column, node.text));
}

void YamlDecoder::Done(Value value) {
  done_ = std::move(value);
  is_done_ = true;
}

Value YamlDecoder::TakeDone() {
  is_done_ = false;
  return std::move(done_);
}

Status YamlDecoder::ResolveValue(const YamlNode& node) {
  QUADRA_TRY(Meaning meaning, MeaningOf(node));
  const Scalar& scalar = meaning.scalar;
  switch (scalar.type) {
    case ScalarType::kNull:
      Done(Value());
      break;
    case ScalarType::kBool:
      Done(Value(scalar.boolean));
      break;
    case ScalarType::kInt:
      Done(Value::Int(scalar.integer));
      break;
    case ScalarType::kUint:
      Done(Value::Number(std::to_string(scalar.natural)));
      break;
    case ScalarType::kFloat:
      Done(FloatValue(scalar.number, node));
      break;
    case ScalarType::kString:
    case ScalarType::kTimestamp:
      Done(Value(std::move(meaning.text)));
      break;
  }
  return {};
}

Result<YamlKey> YamlDecoder::ResolveKey(const YamlNode& node) {
  QUADRA_RETURN_IF_ERROR(Count(node));
  const bool is_alias = node.kind == NodeKind::kAlias;
  const YamlNode& meant = is_alias ? *node.target : node;
  if (is_alias) {
    ++alias_depth_;
    const Status counted = Count(meant);
    --alias_depth_;
    QUADRA_RETURN_IF_ERROR(counted);
  }
  if (meant.kind != NodeKind::kScalar) {
    return YamlError(node.position, "a key must be a single value, not a list or mapping",
                     "put quotes around templates in braces");
  }
  QUADRA_TRY(Meaning meaning, MeaningOf(meant));
  const Scalar& scalar = meaning.scalar;
  switch (scalar.type) {
    case ScalarType::kNull:
      return YamlKey{'n', {}};
    case ScalarType::kBool:
      return YamlKey{'b', scalar.boolean ? "true" : "false"};
    case ScalarType::kInt:
      return YamlKey{'i', std::to_string(scalar.integer)};
    case ScalarType::kUint:
      return YamlKey{'u', std::to_string(scalar.natural)};
    case ScalarType::kFloat:
      return YamlKey{'f', FormatFloat(static_cast<float>(scalar.number)), scalar.number};
    case ScalarType::kString:
    case ScalarType::kTimestamp:
      break;
  }
  return YamlKey{'s', std::move(meaning.text)};
}

Status YamlDecoder::Step() {
  Frame& frame = frames_.back();
  switch (frame.role) {
    case Frame::Role::kItems:
      return StepItems(frame);
    case Frame::Role::kMembers:
      return StepMembers(frame);
    case Frame::Role::kMergeList:
      return StepMergeList(frame);
    case Frame::Role::kAlias:
      frame.node->in_use = false;
      --alias_depth_;
      frames_.pop_back();
      return {};
  }
  return {};
}

Status YamlDecoder::StepItems(Frame& frame) {
  if (is_done_) {
    frame.items.push_back(TakeDone());
  }
  if (frame.next == nullptr) {
    Done(Value(std::move(frame.items)));
    frames_.pop_back();
    --depth_;
    return {};
  }
  YamlNode& item = *frame.next;
  frame.next = item.next;
  return Visit(item);
}

void YamlDecoder::Insert(Frame& frame, Value value) {
  frame.has_key = false;
  const std::string text = frame.key.text;
  if (frame.members->Put(std::move(frame.key), std::move(value))) {
    duplicates_.push_back({PathTo(text), frame.key_position});
  }
}

Status YamlDecoder::StepMembers(Frame& frame) {
  if (frame.has_key) {
    Insert(frame, TakeDone());
  }
  if (frame.next == nullptr) {
    if (frame.own != nullptr) {
      Done(ObjectOf(*frame.own));
    }
    frames_.pop_back();
    --depth_;
    return {};
  }
  YamlNode& key = *frame.next;
  YamlNode& value = *key.next;
  frame.next = value.next;
  if (IsMerge(key)) {
    return Merge(value, *frame.members);
  }
  QUADRA_TRY(frame.key, ResolveKey(key));
  frame.has_key = true;
  frame.key_position = key.position;
  return Visit(value);
}

Status YamlDecoder::StepMergeList(Frame& frame) {
  if (frame.merges.empty()) {
    frames_.pop_back();
    --depth_;
    return {};
  }
  YamlNode& last = *frame.merges.back();
  frame.merges.pop_back();
  return VisitMerge(last, *frame.members);
}

// Keys that differ in YAML may be the same in JSON; the later one counts.
Value YamlDecoder::ObjectOf(YamlMembers& members) {
  std::vector<YamlMembers::Entry>& entries = members.entries();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const YamlKey& key = entries[i].key;
    if (key.type == 'n' || key.type == 'u') {
      return Unsayable("invalid YAML: JSON has no key like " +
                       (key.type == 'n' ? "null" : key.text));
    }
    order.push_back(i);
  }
  std::ranges::sort(order, {}, [&entries](std::size_t i) {
    return std::pair(std::string_view(entries[i].key.text), i);
  });
  Value::Object object;
  object.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    YamlMembers::Entry& entry = entries[order[i]];
    if (i + 1 == order.size() || entries[order[i + 1]].key.text != entry.key.text) {
      object.push_back({std::move(entry.key.text), std::move(entry.value)});
    }
  }
  return Value(std::move(object));
}

std::string YamlDecoder::PathTo(const std::string& key) const {
  std::string path;
  for (std::size_t i = 0; i + 1 < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    if (frame.role == Frame::Role::kItems) {
      path += fmt::format("[{}]", frame.items.size());
    } else if (frame.has_key) {
      path += (path.empty() ? "" : ".") + frame.key.text;
    }
  }
  return path + (path.empty() ? "" : ".") + key;
}

}  // namespace quadra::json
