#include "validation/path.h"

#include <iterator>

#include <fmt/format.h>

namespace quadra::validation {

std::string Path::ToString() const {
  std::string text;
  AppendTo(text);
  return text;
}

void Path::AppendTo(std::string& out) const {
  if (parent_ != nullptr) {
    parent_->AppendTo(out);
  }
  if (!name_.empty()) {
    out += out.empty() ? "" : ".";
    out += name_;
  }
  switch (subscript_) {
    case Subscript::kNone:
      return;
    case Subscript::kIndex:
      fmt::format_to(std::back_inserter(out), "[{}]", index_);
      return;
    case Subscript::kKey:
      fmt::format_to(std::back_inserter(out), "[{}]", key_);
      return;
  }
}

}  // namespace quadra::validation
