// YamlDecoder: turns YAML nodes into JSON values, following aliases and merges, as upstream's
// decoder does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "json/yaml.h"
#include "json/yaml_tree.h"

namespace quadra::json {

// A mapping key as upstream's map tells keys apart: 1, 1.0, "1" and true are four keys.
struct YamlKey {
  char type = 's';
  std::string text;  // as it will stand in JSON
  double number = 0;
};

class YamlMembers;

class YamlDecoder {
 public:
  YamlDecoder();
  ~YamlDecoder();
  YamlDecoder(const YamlDecoder&) = delete;
  YamlDecoder& operator=(const YamlDecoder&) = delete;

  // Objects come out with sorted keys. Counts towards the alias limit go on from node to node.
  Result<Value> Decode(YamlNode& root);
  std::vector<YamlDuplicate>& duplicates() { return duplicates_; }

 private:
  struct Frame;

  Status Count(const YamlNode& node);
  Status Visit(YamlNode& node);
  Status VisitMerge(YamlNode& node, YamlMembers& into);
  Status EnterAlias(YamlNode& alias);
  Status Push(Frame frame, const YamlNode& node);
  Status ResolveValue(const YamlNode& node);
  Result<YamlKey> ResolveKey(const YamlNode& node);
  Status Step();
  Status StepItems(Frame& frame);
  Status StepMembers(Frame& frame);
  Status StepMergeList(Frame& frame);
  Status Merge(YamlNode& node, YamlMembers& into);
  void Insert(Frame& frame, Value value);
  Value ObjectOf(YamlMembers& members);
  Value Unsayable(std::string why);
  Value FloatValue(double number, const YamlNode& node);
  void Done(Value value);
  Value TakeDone();
  std::string PathTo(const std::string& key) const;

  std::vector<Frame> frames_;
  Value done_;  // the value that was completed last, unless taken
  bool is_done_ = false;
  std::vector<YamlDuplicate> duplicates_;
  bool has_unsayable_ = false;
  int depth_ = 0;  // of frames that are no aliases
  // Upstream's counters against documents that grow by aliases.
  std::int64_t decoded_ = 0;
  std::int64_t decoded_in_aliases_ = 0;
  int alias_depth_ = 0;
};

}  // namespace quadra::json
