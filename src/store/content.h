// Content: all records of one revision, by key and by index term.
//
//   Content next = now;                  // shares everything
//   next.Put(lineage.Next(), record);    // copies a few blocks; `now` stays as it is
//
// A value: copies are independent and cost a few pointers, since they share what is equal
// (base/lineage.h says who may write what). Put and Remove cost O(log n) for the record and each of
// its terms.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/lineage.h"
#include "base/ordered_map.h"
#include "store/event.h"
#include "store/record.h"

namespace quadra::store {

class Content {
 public:
  using Records = OrderedMap<Key, RecordPtr>;

  // Null: there is none.
  RecordPtr Find(std::string_view key) const;
  const Records& records() const { return records_; }
  // Some record that has the term, other than the one of that key; null: there is none. O(log n).
  RecordPtr FindOther(std::string_view term, std::string_view key) const;
  // By TermKey.
  const Records& by_term() const { return by_term_; }

  void Put(Epoch writer, const RecordPtr& record);
  void Remove(Epoch writer, const Record& record);
  // What the event did, and its opposite. REQUIRES: the content is the one before, or behind, it.
  void Apply(Epoch writer, const Event& event);
  void Undo(Epoch writer, const Event& event);

 private:
  void EraseTerms(Epoch writer, const Record& record, std::span<const std::string> but);

  Records records_;
  Records by_term_;
};

// The key of a record among those of a term.
std::string TermKey(std::string_view term, std::string_view key);

}  // namespace quadra::store
