// YamlTree: the nodes of one YAML document, aliases tied to their anchors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/reader.h"
#include "json/yaml_events.h"

namespace quadra::json {

enum class NodeKind : std::uint8_t { kScalar, kSequence, kMapping, kAlias };

// Lives in the tree that loaded it. A mapping's children are keys and values in turn.
struct YamlNode {
  NodeKind kind = NodeKind::kScalar;
  bool implicit = false;       // a scalar whose text decides what it is
  bool bare_flow = false;      // a list in [ ] or mapping in { } without anchor and tag
  bool in_use = false;         // an alias that is being followed
  Position position;           // in the document's text
  std::string_view text;       // of a scalar; the name of an alias
  std::string_view tag;        // of a scalar, in full
  YamlNode* target = nullptr;  // of an alias
  YamlNode* first = nullptr;   // child
  YamlNode* next = nullptr;    // sibling
};

class YamlTree {
 public:
  // Loads the node that begins at the event at hand, and moves to the event behind it. Anchors are
  // known to all nodes loaded later. Nesting beyond kMaxDepth is an error.
  Result<YamlNode*> Load(YamlEvents& events);

  // The same for the root of a document. Upstream's scanner forgets that an empty {} or [] there
  // may be the first key of a mapping, and takes the document to end behind it; then so does this.
  Result<YamlNode*> LoadRoot(YamlEvents& events);

  // Releases all nodes, unless a later alias may need one. REQUIRES: no node is used any more.
  void Forget();

 private:
  Result<YamlNode*> LoadUntil(YamlEvents& events, bool stop_at_empty_key);
  YamlNode* NewNode(NodeKind kind, const YamlEvents& events);
  YamlNode* NewScalar(const YamlEvents& events);
  Result<YamlNode*> NewAlias(const YamlEvents& events);
  YamlNode* NewContainer(NodeKind kind, const yaml_char_t* anchor, bool bare_flow,
                         const YamlEvents& events);
  Result<YamlNode*> NewNodeAt(const YamlEvents& events);
  void Remember(const yaml_char_t* anchor, YamlNode* node);
  std::string_view Copy(const void* text, std::size_t size);

  std::pmr::monotonic_buffer_resource memory_;
  std::map<std::string, YamlNode*, std::less<>> anchors_;
};

}  // namespace quadra::json
