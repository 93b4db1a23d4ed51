// CelWords: CEL values and types as JSON, as conformance/celspec spells them.
//
// null, true, {"int":"7"}, {"uint":"7"}, {"double":"3ff8000000000000"} (bits), {"string":"x"},
// {"bytes":"eA=="}, {"duration":"nanoseconds"}, {"timestamp":["seconds","nanoseconds"]},
// {"type":"int"}, [elements], {"map":[[key,value],...]} sorted by the key's JSON,
// {"optional":[value]} or {"optional":[]}, {"other":"type"}.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cel/value.h"
#include "json/value.h"

namespace quadra::answers {

// Values read from JSON; they live as long as this.
class CelWords {
 public:
  cel::Value Read(const json::Value& words);

 private:
  cel::Value ReadScalar(const std::string& kind, const json::Value& words);
  cel::Value ReadList(const std::vector<json::Value>& items);
  cel::Value ReadMap(const std::vector<json::Value>& entries);
  const std::string& Keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  std::deque<std::string> texts_;
  std::deque<cel::Value> values_;
  std::deque<cel::Timestamp> timestamps_;
  std::deque<std::unique_ptr<cel::ListObject>> lists_;
  std::deque<std::unique_ptr<cel::MapObject>> maps_;
};

std::string WriteCelValue(const cel::Value& value);

// "list<int>", for answers.
std::string WriteCelType(cel::Type type);
// "int", ["list","int"], "$T" for a type parameter.
cel::Type ReadCelType(const json::Value& words, cel::TypeArena& arena);

}  // namespace quadra::answers
