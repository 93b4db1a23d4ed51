// Name: an interned string. Four bytes, compares and hashes as an integer, lives for the whole
// process.
//
// For words that recur: drivers, pools, attribute names, nodes. Not for text that users control in
// bulk, since nothing is ever released. Thread-safe. Interning costs a hash and a look-up; text()
// is two loads and takes no lock.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>

namespace quadra {

class Name {
 public:
  // The empty name, which every default-constructed Name is.
  constexpr Name() = default;
  explicit Name(std::string_view text);

  std::string_view text() const;
  bool empty() const { return id_ == 0; }

  // Dense: ids are handed out from 1 upwards in the order of first use.
  std::uint32_t id() const { return id_; }

  friend bool operator==(Name, Name) = default;
  // By text, so that sorted output does not depend on the order of interning.
  friend std::strong_ordering operator<=>(Name a, Name b) { return a.text() <=> b.text(); }

 private:
  std::uint32_t id_ = 0;
};

}  // namespace quadra

template <>
struct std::hash<quadra::Name> {
  std::size_t operator()(quadra::Name name) const noexcept {
    return name.id() * 0x9e3779b97f4a7c15;
  }
};
