// Key: the name of a record, a byte string that all versions of the record share.
//
// Keys are compared by their bytes. Copying costs a count, not the bytes, so that the blocks of a
// persistent map (base/ordered_map.h) are copied cheaply.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace quadra::store {

class Key {
 public:
  explicit Key(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}

  const std::string& text() const { return *text_; }

  friend bool operator<(const Key& a, const Key& b) { return a.text() < b.text(); }
  friend bool operator<(const Key& a, std::string_view b) { return a.text() < b; }
  friend bool operator<(std::string_view a, const Key& b) { return a < b.text(); }
  friend bool operator==(const Key& a, const Key& b) { return a.text() == b.text(); }

 private:
  std::shared_ptr<const std::string> text_;
};

// The least byte string behind every one that begins with `prefix`; empty: there is none.
std::string BehindPrefix(std::string_view prefix);

}  // namespace quadra::store
