// ObjectFacts: what lists and watches choose objects by: labels, and the fields that field selectors
// of a kind may name. Read once per version of an object, by the store's Extractor.
//
// Threads: immutable, but for the form that is kept. Cost: one pass over the bytes; what is not asked
// for is skipped.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "apiserver/kept_form.h"
#include "store/store.h"

namespace quadra::apiserver {

// The fields of a kind that selectors may name, besides metadata.name and metadata.namespace.
struct SelectableField {
  std::string_view label;  // as selectors say it, e.g. spec.nodeName
  std::string_view path;   // where it stands in the stored object, mostly the same
  std::string_view absent = "";
  std::string_view otherwise = {};  // where it stands instead where that is empty
  bool indexed = false;             // lists look it up
};
// `group_plural` as keys begin, e.g. core/pods.
std::span<const SelectableField> SelectableFields(std::string_view group_plural);

class ObjectFacts final : public store::Facts {
 public:
  ObjectFacts(api::Map<std::string> labels, std::map<std::string, std::string, std::less<>> fields,
              std::vector<std::string> terms)
      : Facts(std::move(terms)), labels_(std::move(labels)), fields_(std::move(fields)) {}

  const api::Map<std::string>& labels() const { return labels_; }
  // By path, those of SelectableFields and the two of metadata.
  const std::map<std::string, std::string, std::less<>>& fields() const { return fields_; }
  // The object in protobuf, in its envelope.
  KeptForm& proto() const { return proto_; }

 private:
  api::Map<std::string> labels_;
  std::map<std::string, std::string, std::less<>> fields_;
  mutable KeptForm proto_;
};

class ObjectExtractor final : public store::Extractor {
 public:
  // `indexes_held`: claims are found by the devices that they hold alone (held_devices.h).
  explicit ObjectExtractor(bool indexes_held = false) : indexes_held_(indexes_held) {}

  std::shared_ptr<const store::Facts> Extract(std::string_view key,
                                              std::string_view bytes) const override;

 private:
  const bool indexes_held_;
};

// REQUIRES: of a record that this process wrote or read, with an ObjectExtractor.
const ObjectFacts& FactsOf(const store::Record& record);

// The index term of records in which that value stands at that path.
std::string TermOf(std::string_view path, std::string_view value);

}  // namespace quadra::apiserver
