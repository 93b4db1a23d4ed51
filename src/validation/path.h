// Path: where in an object a rule looks, e.g. spec.devices[0].attributes[model].
//
// A path is a chain of nodes on the stack: each rule function makes the node of what it checks and
// passes it down by reference. Making a node costs a few words and no allocation; text is built
// only when an error is reported.
//
// A child points at its parent, so the parent must be a named variable (or a parameter): children
// of temporaries do not compile. One node may hold several names and a subscript, which covers what
// chained calls would be wanted for:
//
//   const Path spec("spec");
//   const Path device = spec.Child("devices", i);            // spec.devices[3]
//   errors.Required(device.Child("capacity", key), "");      // spec.devices[3].capacity[memory]
//   errors.Required(spec.Child("pool.name"), "");            // spec.pool.name
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quadra::validation {

class Path {
 public:
  // The root. `name` must outlive the path, as for all names and keys here.
  explicit Path(std::string_view name) : name_(name) {}

  // An empty `name` gives a node that prints nothing: for levels that some versions of an API do
  // not have.
  Path Child(std::string_view name) const& { return Path(this, name, Subscript::kNone, 0, {}); }
  Path Child(std::string_view name, std::size_t index) const& {
    return Path(this, name, Subscript::kIndex, index, {});
  }
  Path Child(std::string_view name, std::string_view key) const& {
    return Path(this, name, Subscript::kKey, 0, key);
  }
  Path Index(std::size_t index) const& { return Path(this, {}, Subscript::kIndex, index, {}); }
  Path Key(std::string_view key) const& { return Path(this, {}, Subscript::kKey, 0, key); }

  Path Child(std::string_view) const&& = delete;
  Path Child(std::string_view, std::size_t) const&& = delete;
  Path Child(std::string_view, std::string_view) const&& = delete;
  Path Index(std::size_t) const&& = delete;
  Path Key(std::string_view) const&& = delete;

  std::string ToString() const;

 private:
  enum class Subscript : unsigned char { kNone, kIndex, kKey };

  Path(const Path* parent, std::string_view name, Subscript subscript, std::size_t index,
       std::string_view key)
      : parent_(parent), name_(name), key_(key), index_(index), subscript_(subscript) {}

  void AppendTo(std::string& out) const;

  const Path* parent_ = nullptr;
  std::string_view name_;
  std::string_view key_;
  std::size_t index_ = 0;
  Subscript subscript_ = Subscript::kNone;
};

}  // namespace quadra::validation
