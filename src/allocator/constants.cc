#include "allocator/constants.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "base/nearest.h"
#include "cel/checked.h"
#include "quantity/quantity.h"
#include "semver/semver.h"

namespace quadra::allocator {
namespace {

// So many values are offered for one literal.
constexpr std::size_t kMostValues = 4;

// What a literal is compared as; the kind of values that may stand instead.
enum class Sort : std::uint8_t { kText, kInteger, kQuantity, kVersion };

cel::Kind CelKindOf(Sort sort) {
  constexpr std::array kKinds = {cel::Kind::kString, cel::Kind::kInt, cel::Kind::kQuantity,
                                 cel::Kind::kSemver};
  return kKinds[static_cast<std::size_t>(sort)];
}

struct Found {
  cel::NodeId node;
  Sort sort;
};

// Literals that are neither keys of maps nor arguments of other functions.
class LiteralFinder {
 public:
  explicit LiteralFinder(const cel::Ast& ast) : ast_(ast) {}

  std::vector<Found> Find() {
    for (cel::NodeId id = 0; id < ast_.nodes.size(); ++id) {
      const cel::Node& node = ast_.nodes[id];
      if (node.kind == cel::NodeKind::kCall && node.name != "_[_]" && node.name != "_[?_]") {
        AddChildren(id, node.name);
      } else if (node.kind == cel::NodeKind::kList) {
        AddChildren(id, "");
      }
    }
    return std::move(found_);
  }

 private:
  void AddChildren(cel::NodeId parent, std::string_view function) {
    for (const cel::NodeId id : ast_.children(parent)) {
      if (ast_.nodes[id].kind != cel::NodeKind::kConstant) {
        continue;
      }
      const cel::Constant& constant = ast_.constant(id);
      if (std::holds_alternative<std::int64_t>(constant)) {
        found_.push_back({id, Sort::kInteger});
      } else if (std::holds_alternative<std::string_view>(constant)) {
        found_.push_back({id, function == "quantity" ? Sort::kQuantity
                              : function == "semver" ? Sort::kVersion
                                                     : Sort::kText});
      }
    }
  }

  const cel::Ast& ast_;
  std::vector<Found> found_;
};

// Where the value of a literal stands in the source; nothing where it is written with escapes.
std::optional<std::pair<std::size_t, std::size_t>> Locate(const cel::Ast& ast,
                                                          const Found& literal) {
  std::size_t begin = 0;  // bytes, from code points
  for (std::uint32_t left = ast.nodes[literal.node].position; left > 0 && begin < ast.source.size();
       ++begin) {
    const bool continues = begin + 1 < ast.source.size() &&
                           (static_cast<unsigned char>(ast.source[begin + 1]) & 0xC0) == 0x80;
    left -= continues ? 0 : 1;
  }
  const std::string_view rest = std::string_view(ast.source).substr(begin);
  if (literal.sort == Sort::kInteger) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    return digits > 0 ? std::optional(std::pair(begin, begin + digits)) : std::nullopt;
  }
  const std::string_view value = std::get<std::string_view>(ast.constant(literal.node));
  const bool plain = rest.size() >= value.size() + 2 && (rest[0] == '"' || rest[0] == '\'') &&
                     rest.substr(1, value.size()) == value && rest[value.size() + 1] == rest[0];
  return plain ? std::optional(std::pair(begin + 1, begin + 1 + value.size())) : std::nullopt;
}

std::string TextOf(const cel::Value& value) {
  switch (value.kind()) {
    case cel::Kind::kInt:
      return std::to_string(value.as_int());
    case cel::Kind::kQuantity:
      return value.as_quantity().ToString();
    case cel::Kind::kSemver:
      return value.as_semver().ToString();
    default:
      return std::string(value.as_text());
  }
}

// The published values of that sort in the columns that the expression reads.
std::set<std::string> Published(const selector::Expression& expression,
                                const selector::DeviceTable& table, Sort sort) {
  std::set<std::string> values;
  for (const cel::SlotIndex column : expression.program().slots()) {
    for (selector::ClassId id = 1; id < table.class_count(); ++id) {
      const cel::Value value = table.ClassInputs(id).Slot(column);
      if (value.kind() == CelKindOf(sort)) {
        values.insert(TextOf(value));
      }
    }
  }
  return values;
}

// --- Nearness.

double Distance(std::int64_t a, std::int64_t b) {
  return std::abs(static_cast<double>(a) - static_cast<double>(b));
}
double Distance(const quantity::Quantity& a, const quantity::Quantity& b) {
  return std::abs(a.AsApproximateDouble() - b.AsApproximateDouble());
}
// By the first number that differs.
std::array<double, 3> Distance(const semver::Version& a, const semver::Version& b) {
  const auto apart = [](std::uint64_t x, std::uint64_t y) {
    return std::abs(static_cast<double>(x) - static_cast<double>(y));
  };
  return {apart(a.major_number(), b.major_number()), apart(a.minor_number(), b.minor_number()),
          apart(a.patch_number(), b.patch_number())};
}

// Of two that are as near the smaller comes first.
template <typename T, typename Parse>
std::vector<std::string> Around(const std::set<std::string>& values, const std::string& wanted,
                                const Parse& parse) {
  const std::optional<T> middle = parse(wanted);
  std::vector<std::pair<T, std::string>> sorted;
  for (const std::string& value : values) {
    if (const std::optional<T> parsed = parse(value); parsed && middle) {
      sorted.emplace_back(*parsed, value);
    }
  }
  std::ranges::stable_sort(sorted, [&](const auto& a, const auto& b) {
    const auto to_a = Distance(a.first, *middle);
    const auto to_b = Distance(b.first, *middle);
    return to_a < to_b || (to_a == to_b && a.first < b.first);
  });
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostValues); ++i) {
    nearest.push_back(std::move(sorted[i].second));
  }
  return nearest;
}

std::vector<std::string> BySpelling(const std::set<std::string>& values,
                                    const std::string& wanted) {
  std::vector<std::string> nearest(values.begin(), values.end());
  std::ranges::stable_sort(nearest, {},
                           [&](const std::string& value) { return Edits(value, wanted); });
  nearest.resize(std::min(nearest.size(), kMostValues));
  return nearest;
}

std::optional<std::int64_t> ParseInteger(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}
std::optional<quantity::Quantity> ParseQuantity(const std::string& text) {
  Result<quantity::Quantity> parsed = quantity::Quantity::Parse(text);
  return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
}
std::optional<semver::Version> ParseVersion(const std::string& text) {
  Result<semver::Version> parsed = semver::Version::Parse(text);
  return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
}

std::vector<std::string> NearestOf(Sort sort, std::set<std::string> values,
                                   const std::string& wanted) {
  values.erase(wanted);
  std::erase_if(values, [](const std::string& value) {
    return value.find_first_of("\"'\\\n") != std::string::npos;
  });
  switch (sort) {
    case Sort::kInteger:
      return Around<std::int64_t>(values, wanted, ParseInteger);
    case Sort::kQuantity:
      return Around<quantity::Quantity>(values, wanted, ParseQuantity);
    case Sort::kVersion:
      return Around<semver::Version>(values, wanted, ParseVersion);
    case Sort::kText:
      break;
  }
  return BySpelling(values, wanted);
}

}  // namespace

std::vector<Literal> ReplaceableLiterals(const selector::Expression& expression,
                                         const selector::DeviceTable& table) {
  const cel::Ast& ast = *expression.checked().ast;
  std::vector<Literal> literals;
  for (const Found& found : LiteralFinder(ast).Find()) {
    const auto place = Locate(ast, found);
    if (!place) {
      continue;
    }
    Literal literal{.begin = place->first,
                    .end = place->second,
                    .text = ast.source.substr(place->first, place->second - place->first),
                    .instead = {}};
    literal.instead = NearestOf(found.sort, Published(expression, table, found.sort), literal.text);
    if (!literal.instead.empty()) {
      literals.push_back(std::move(literal));
    }
  }
  return literals;
}

}  // namespace quadra::allocator
