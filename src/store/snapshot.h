// Snapshot: everything that was there at one revision.
//
//   const Snapshot now = store.Head();
//   now.Scan("pods/ns/", "", [&](const RecordPtr& pod) {
//     page.push_back(pod);
//     return page.size() < 500;
//   });
//
// A value: immutable, cheap to copy, usable by any thread, and independent of the store's life.
// Finding the start of a scan costs O(log n), each record after it next to nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "store/content.h"
#include "store/record.h"

namespace quadra::store {

class Snapshot {
 public:
  Snapshot(Revision revision, Content content)
      : revision_(revision), content_(std::move(content)) {}

  Revision revision() const { return revision_; }
  // How many records there are in all.
  std::size_t size() const { return content_.records().size(); }
  // For the store itself, which makes the next state of it.
  const Content& content() const { return content_; }

  // Null: there is none.
  RecordPtr Find(std::string_view key) const { return content_.Find(key); }

  // Calls visit(record) in the order of keys for those that begin with `prefix` and are not before
  // `from`, until it returns false.
  template <typename Visit>
  void Scan(std::string_view prefix, std::string_view from, const Visit& visit) const {
    Walk(content_.records(), prefix, from, visit);
  }
  // The same among the records that have the index term.
  template <typename Visit>
  void ScanTerm(std::string_view term, std::string_view prefix, std::string_view from,
                const Visit& visit) const {
    Walk(content_.by_term(), TermKey(term, prefix), TermKey(term, from), visit);
  }
  // How many keys begin with `prefix` and are not before `from`. O(of them), a nanosecond each.
  std::size_t Count(std::string_view prefix, std::string_view from = {}) const;

 private:
  struct Stretch {
    Content::Records::const_iterator begin;
    Content::Records::const_iterator end;
  };
  static Stretch StretchOf(const Content::Records& records, std::string_view prefix,
                           std::string_view from);
  template <typename Visit>
  static void Walk(const Content::Records& records, std::string_view prefix, std::string_view from,
                   const Visit& visit) {
    const Stretch stretch = StretchOf(records, prefix, from);
    for (auto at = stretch.begin; at != stretch.end; ++at) {
      if (!visit(at->second)) {
        return;
      }
    }
  }

  Revision revision_;
  Content content_;
};

}  // namespace quadra::store
