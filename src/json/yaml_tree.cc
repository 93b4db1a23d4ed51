#include "json/yaml_tree.h"

#include <cstring>
#include <new>
#include <vector>

#include <fmt/core.h>

namespace quadra::json {
namespace {

std::string_view AnchorText(const yaml_char_t* anchor) {
  return reinterpret_cast<const char*>(anchor);
}

bool EndsContainer(const YamlEvents& events) {
  return events.type() == YAML_SEQUENCE_END_EVENT || events.type() == YAML_MAPPING_END_EVENT;
}

bool IsContainer(const YamlNode& node) {
  return node.kind == NodeKind::kSequence || node.kind == NodeKind::kMapping;
}

template <typename Start>
bool IsBare(const Start& start) {
  return start.anchor == nullptr && start.tag == nullptr;
}

// Whether `node`, just loaded, is an empty flow collection as the first key of the block mapping
// `root`.
bool IsEmptyFirstKey(const YamlNode& root, const YamlNode& node) {
  return root.kind == NodeKind::kMapping && !root.bare_flow && root.first == &node &&
         node.bare_flow && node.first == nullptr;
}

// A container that is being loaded, and where its next child goes.
struct OpenNode {
  YamlNode* node;
  YamlNode** slot;
};

}  // namespace

std::string_view YamlTree::Copy(const void* text, std::size_t size) {
  if (size == 0) {
    return {};
  }
  char* const copy = static_cast<char*>(memory_.allocate(size, 1));
  std::memcpy(copy, text, size);
  return {copy, size};
}

YamlNode* YamlTree::NewNode(NodeKind kind, const YamlEvents& events) {
  return new (memory_.allocate(sizeof(YamlNode), alignof(YamlNode)))
      YamlNode{.kind = kind, .position = events.position()};
}

void YamlTree::Remember(const yaml_char_t* anchor, YamlNode* node) {
  if (anchor != nullptr) {
    anchors_.insert_or_assign(std::string(AnchorText(anchor)), node);
  }
}

YamlNode* YamlTree::NewScalar(const YamlEvents& events) {
  const auto& scalar = events.event().data.scalar;
  YamlNode* const node = NewNode(NodeKind::kScalar, events);
  node->implicit = scalar.plain_implicit != 0;
  node->text = Copy(scalar.value, scalar.length);
  if (scalar.tag != nullptr) {
    node->tag = Copy(scalar.tag, AnchorText(scalar.tag).size());
  }
  Remember(scalar.anchor, node);
  return node;
}

Result<YamlNode*> YamlTree::NewAlias(const YamlEvents& events) {
  const std::string_view name = AnchorText(events.event().data.alias.anchor);
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) {
    return YamlError(events.position(), fmt::format("no anchor &{} stands before this alias", name),
                     "define the anchor first, or put quotes around text that starts with *");
  }
  YamlNode* const node = NewNode(NodeKind::kAlias, events);
  node->text = found->first;
  node->target = found->second;
  return node;
}

YamlNode* YamlTree::NewContainer(NodeKind kind, const yaml_char_t* anchor, bool bare_flow,
                                 const YamlEvents& events) {
  YamlNode* const node = NewNode(kind, events);
  node->bare_flow = bare_flow;
  Remember(anchor, node);
  return node;
}

Result<YamlNode*> YamlTree::NewNodeAt(const YamlEvents& events) {
  const auto& data = events.event().data;
  switch (events.type()) {
    case YAML_SCALAR_EVENT:
      return NewScalar(events);
    case YAML_ALIAS_EVENT:
      return NewAlias(events);
    case YAML_SEQUENCE_START_EVENT: {
      const auto& start = data.sequence_start;
      return NewContainer(NodeKind::kSequence, start.anchor,
                          IsBare(start) && start.style == YAML_FLOW_SEQUENCE_STYLE, events);
    }
    case YAML_MAPPING_START_EVENT: {
      const auto& start = data.mapping_start;
      return NewContainer(NodeKind::kMapping, start.anchor,
                          IsBare(start) && start.style == YAML_FLOW_MAPPING_STYLE, events);
    }
    default:
      return YamlError(events.position(), "a value was expected here");
  }
}

Result<YamlNode*> YamlTree::Load(YamlEvents& events) { return LoadUntil(events, false); }
Result<YamlNode*> YamlTree::LoadRoot(YamlEvents& events) { return LoadUntil(events, true); }

Result<YamlNode*> YamlTree::LoadUntil(YamlEvents& events, bool stop_at_empty_key) {
  YamlNode* root = nullptr;
  YamlNode** slot = &root;
  std::vector<OpenNode> open;
  stop_at_empty_key = stop_at_empty_key && events.StartsWithFlow();
  do {
    if (!open.empty() && EndsContainer(events)) {
      YamlNode* const closed = open.back().node;
      slot = open.back().slot;
      open.pop_back();
      if (stop_at_empty_key && open.size() == 1 && IsEmptyFirstKey(*root, *closed)) {
        return closed;
      }
    } else {
      QUADRA_TRY(YamlNode* const node, NewNodeAt(events));
      *slot = node;
      slot = &node->next;
      if (IsContainer(*node)) {
        open.push_back({node, slot});
        slot = &node->first;
      }
      if (open.size() > kMaxDepth) {
        return YamlError(events.position(),
                         fmt::format("values are nested more than {} deep", kMaxDepth));
      }
    }
    QUADRA_RETURN_IF_ERROR(events.Next());
  } while (!open.empty());
  return root;
}

void YamlTree::Forget() {
  if (anchors_.empty()) {
    memory_.release();
  }
}

}  // namespace quadra::json
