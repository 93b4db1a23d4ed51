#include "json/jsonpath.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "json/jsonpath_nodes.h"
#include "json/jsonpath_values.h"
#include "json/writer.h"

namespace quadra::json {
namespace jsonpath {
namespace {

Error Refused(std::string_view message) {
  return {.kind = ErrorKind::kInvalid, .message = std::string(message)};
}

// Null stands for no value at all, which Go tells from a JSON null.
using Items = std::vector<const Value*>;

// What a step answers; values may come with an error, and a filter that asks for existence looks at
// the values alone.
struct Answer {
  Items items;
  std::optional<Error> error;
};

Answer Failed(Items items, const std::string& message) {
  return {std::move(items), Refused(message)};
}

// What a template or the inside of a range starts from: a JSON null is no value there.
const Value* Root(const Value* value) {
  return value != nullptr && value->is_null() ? nullptr : value;
}
bool IsList(const Value* value) { return value != nullptr && value->kind() == Kind::kArray; }

class Evaluator {
 public:
  explicit Evaluator(const List& root) : nodes_(root.nodes) {}

  Result<std::string> Print(const Value& document) {
    QUADRA_RETURN_IF_ERROR(Run(Root(&document), 0, true));
    return std::move(out_);
  }

 private:
  // Fills the nodes from `begin` on, up to the end of the range they are in. Without `wanted` only
  // for the place of that end.
  Status Run(const Value* current, std::size_t begin, bool wanted) {
    for (std::size_t i = begin; i < nodes_.size(); ++i) {
      const Answer answer = Walk({current}, nodes_[i]);
      if (answer.error) {
        return Fail(*answer.error);
      }
      if (ends_ > 0 && ends_ <= depth_) {
        --ends_;
        last_end_ = i;
        return {};
      }
      if (begins_ > 0) {
        --begins_;
        QUADRA_RETURN_IF_ERROR(RunRange(answer.items, i + 1, wanted));
        i = last_end_ > i ? last_end_ : i;
      } else if (wanted) {
        Append(answer.items);
      }
    }
    return {};
  }

  Status RunRange(const Items& items, std::size_t begin, bool wanted) {
    ++depth_;
    for (const Value* item : items) {
      QUADRA_RETURN_IF_ERROR(Run(Root(item), begin, wanted));
    }
    if (items.empty()) {
      QUADRA_RETURN_IF_ERROR(Run(nullptr, begin, false));
    }
    --depth_;
    return {};
  }

  void Append(const Items& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      out_ += i == 0 ? "" : " ";
      AppendOne(items[i]);
    }
  }

  void AppendOne(const Value* item) {
    if (item == nullptr) {
      out_ += "<no value>";
    } else if (item->is_null()) {
      out_ += "null";
    } else if (item->kind() == Kind::kArray || item->kind() == Kind::kObject) {
      Writer writer(out_);
      WriteJson(*item, writer);
    } else {
      out_ += GoText(*item);
    }
  }

  Answer Walk(const Items& items, const Node& node) {
    return std::visit([&](const auto& kind) { return Eval(items, kind); }, node.kind);
  }

  Answer Eval(const Items& /*items*/, const Text& text) { return {{Keep(Value(text.text))}, {}}; }

  Answer Eval(const Items& items, const Literal& literal) {
    return {Items(items.size(), &literal.value), {}};
  }

  Answer Eval(const Items& items, const List& list) {
    Answer answer{items, {}};
    for (const Node& node : list.nodes) {
      answer = Walk(answer.items, node);
      if (answer.error) {
        break;
      }
    }
    return answer;
  }

  Answer Eval(const Items& items, const Identifier& identifier) {
    if (identifier.name == "range") {
      ++begins_;
      return {items, {}};
    }
    if (identifier.name != "end") {
      return Failed(items, "unrecognized identifier " + identifier.name);
    }
    if (depth_ == 0) {
      return Failed({}, "not in range, nothing to end");
    }
    ++ends_;
    return {};
  }

  Answer Eval(const Items& items, const Field& field) {
    Answer answer;
    for (const Value* item : items) {
      if (const Value* found = item == nullptr ? nullptr : item->Find(field.name)) {
        answer.items.push_back(found);
      }
    }
    return answer;
  }

  Answer Eval(const Items& items, const Slice& slice) {
    Answer answer;
    for (const Value* item : items) {
      if (item == nullptr || item->is_null()) {
        continue;
      }
      if (!IsList(item)) {
        return Failed(items, fmt::format("{} is not array or slice", GoType(*item)));
      }
      bool empty = false;
      if (std::optional<Error> error = Cut(*item, slice, answer.items, empty)) {
        return {items, std::move(error)};
      }
      if (empty) {
        break;  // upstream stops at the first list of which nothing is asked
      }
    }
    return answer;
  }

  struct Bounds {
    std::int64_t from, to, step;
  };

  static Bounds BoundsIn(const Slice& slice, std::int64_t size) {
    const auto& [from, to, step] = slice.bounds;
    Bounds bounds{from.value, to.known ? to.value : size, step.known ? step.value : 1};
    bounds.from += bounds.from < 0 ? size : 0;
    bounds.to += bounds.to < 0 || (bounds.to == 0 && to.derived) ? size : 0;
    return bounds;
  }

  static std::optional<std::string> Problem(const Bounds& bounds, std::int64_t size) {
    constexpr std::string_view kBeyond = "array index out of bounds: index {}, length {}";
    if (bounds.from >= size || bounds.from < 0) {
      return fmt::format(kBeyond, bounds.from, size);
    }
    if (bounds.to > size || bounds.to < 0) {
      return fmt::format(kBeyond, bounds.to - 1, size);
    }
    if (bounds.from > bounds.to) {
      return fmt::format("starting index {} is greater than ending index {}", bounds.from,
                         bounds.to);
    }
    if (bounds.step <= 0) {
      return "step must be > 0";
    }
    return std::nullopt;
  }

  static std::optional<Error> Cut(const Value& list, const Slice& slice, Items& out, bool& empty) {
    const auto size = static_cast<std::int64_t>(list.items().size());
    const Bounds bounds = BoundsIn(slice, size);
    empty = bounds.from == bounds.to;
    if (empty) {
      return std::nullopt;
    }
    if (const std::optional<std::string> problem = Problem(bounds, size)) {
      return Refused(*problem);
    }
    for (std::int64_t i = bounds.from; i < bounds.to;) {
      out.push_back(&list.items()[static_cast<std::size_t>(i)]);
      i = bounds.step < bounds.to - i ? i + bounds.step : bounds.to;
    }
    return std::nullopt;
  }

  Answer Eval(const Items& items, const Union& united) {
    Answer answer;
    for (const List& list : united.lists) {
      Answer part = Eval(items, list);
      if (part.error) {
        return {items, std::move(part.error)};
      }
      std::ranges::copy(part.items, std::back_inserter(answer.items));
    }
    return answer;
  }

  // Members by key, items in order, bytes of a string as numbers.
  Items Contents(const Value* value) {
    Items contents;
    if (value == nullptr) {
      return contents;
    }
    if (value->kind() == Kind::kArray) {
      for (const Value& item : value->items()) {
        contents.push_back(&item);
      }
    } else if (value->kind() == Kind::kObject) {
      for (const Value::Member& member : value->members()) {
        contents.push_back(&member.value);
      }
    } else if (value->kind() == Kind::kString) {
      for (const char c : value->string()) {
        contents.push_back(Keep(Value::Int(static_cast<unsigned char>(c))));
      }
    }
    return contents;
  }

  Answer Eval(const Items& items, const Wildcard& /*wildcard*/) {
    Answer answer;
    for (const Value* item : items) {
      std::ranges::copy(Contents(item), std::back_inserter(answer.items));
    }
    return answer;
  }

  Answer Eval(const Items& items, const Recursive& /*recursive*/) {
    Answer answer;
    for (const Value* item : items) {
      AppendWithin(item, answer.items);
    }
    return answer;
  }

  // Everything that has contents, each before what is in it.
  void AppendWithin(const Value* value, Items& out) {
    const Items contents = Contents(value);
    if (!contents.empty()) {
      out.push_back(value);
    }
    for (const Value* part : contents) {
      AppendWithin(part, out);
    }
  }

  Answer Eval(const Items& items, const Filter& filter) {
    Answer answer;
    for (const Value* item : items) {
      if (!IsList(item)) {
        return Failed(items,
                      fmt::format("{} is not array or slice and cannot be filtered",
                                  item == nullptr ? "<invalid reflect.Value>" : GoText(*item)));
      }
      for (const Value& candidate : item->items()) {
        Result<bool> kept = Keeps(filter, candidate);
        if (!kept) {
          return {std::move(answer.items), std::move(kept).error()};
        }
        if (*kept) {
          answer.items.push_back(&candidate);
        }
      }
    }
    return answer;
  }

  Result<bool> Keeps(const Filter& filter, const Value& candidate) {
    const Answer left = Eval({&candidate}, filter.left);
    if (filter.operation == "exists") {
      return !left.items.empty();
    }
    QUADRA_TRY(const Value* a, OnlyOne(left));
    if (a == nullptr) {
      return false;
    }
    QUADRA_TRY(const Value* b, OnlyOne(Eval({&candidate}, filter.right)));
    return b == nullptr ? Result<bool>(false) : Compare(*a, filter.operation, *b);
  }

  // Null where there is nothing to compare.
  static Result<const Value*> OnlyOne(const Answer& answer) {
    if (answer.error) {
      return Fail(*answer.error);
    }
    if (answer.items.size() > 1) {
      return Fail(Refused("can only compare one element at a time"));
    }
    return answer.items.empty() ? nullptr : answer.items.front();
  }

  const Value* Keep(Value value) { return &kept_.emplace_back(std::move(value)); }

  const std::vector<Node>& nodes_;
  std::deque<Value> kept_;  // values that are not in the document
  std::string out_;
  // Ranges begun and ended by the node at hand, ranges being run, and where the last one ended.
  std::size_t begins_ = 0;
  std::size_t ends_ = 0;
  std::size_t depth_ = 0;
  std::size_t last_end_ = 0;
};

// Upstream runs what stands behind a range that is never ended once inside it and once more behind
// it, so each such range doubles the work.
constexpr std::size_t kMostOpenRanges = 10;

bool Has(const Node& node, std::string_view identifier) {
  const List* const list = std::get_if<List>(&node.kind);
  return list != nullptr && std::ranges::any_of(list->nodes, [&](const Node& inner) {
           const Identifier* const found = std::get_if<Identifier>(&inner.kind);
           return found != nullptr && found->name == identifier;
         });
}

// Ranges behind the last end.
std::size_t CountOpenRanges(const List& root) {
  std::size_t open = 0;
  for (const Node& node : root.nodes) {
    open = Has(node, "end") ? 0 : open + (Has(node, "range") ? 1 : 0);
  }
  return open;
}

Result<List> ParseBounded(std::string_view text) {
  QUADRA_TRY(List root, ParseTemplate(text));
  if (const std::size_t open = CountOpenRanges(root); open > kMostOpenRanges) {
    return Fail(Refused(fmt::format("{} ranges are not closed: write {{end}} behind each", open)));
  }
  return root;
}

}  // namespace
}  // namespace jsonpath

Result<JsonPath> JsonPath::Parse(std::string_view text) {
  Result<jsonpath::List> root = jsonpath::ParseBounded(text);
  if (!root) {
    return Fail(ErrorKind::kSyntax,
                fmt::format("error parsing jsonpath {}, {}", text, root.error().message));
  }
  JsonPath path;
  path.text_ = text;
  path.root_ = std::make_shared<const jsonpath::Node>(jsonpath::Node{*std::move(root)});
  return path;
}

Result<std::string> JsonPath::Print(const Value& document) const {
  const Value sorted = jsonpath::Sorted(document);
  Result<std::string> text =
      jsonpath::Evaluator(std::get<jsonpath::List>(root_->kind)).Print(sorted);
  if (!text) {
    std::string quoted;
    AppendQuoted(quoted, text_);
    return Fail(ErrorKind::kInvalid,
                fmt::format("error executing jsonpath {}: {}", quoted, text.error().message));
  }
  return text;
}

}  // namespace quadra::json
