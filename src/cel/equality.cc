#include "cel/equality.h"

#include <cmath>

#include "cel/eval_error.h"
#include "cel/ip.h"
#include "cel/named_format.h"
#include "cel/numbers.h"
#include "cel/timestamp.h"
#include "cel/url.h"

namespace quadra::cel {
namespace {

// Comparisons of elements that one question may take.
constexpr std::int64_t kMaxComparisons = 4'000'000;

Equality EqualWithin(const Value& left, const Value& right, std::int64_t& budget);

Equality Answer(bool equal) { return equal ? Equality::kYes : Equality::kNo; }

Equality EqualNumbers(const Value& left, const Value& right) {
  const bool comparable =
      right.kind() == Kind::kInt || right.kind() == Kind::kUint || right.kind() == Kind::kDouble;
  if (!comparable) {
    return Equality::kNo;
  }
  const Value order = Compare(left, right);
  return Answer(!order.is_error() && order.as_int() == 0);
}

// Whether it settles the comparison of the whole.
bool IsFinal(Equality element) { return element == Equality::kNo || element == Equality::kTooLong; }

Equality EqualElements(const Value& left, const Value& right, std::int64_t& budget) {
  if (left.kind() == Kind::kNull || right.kind() == Kind::kNull) {
    return Answer(left.kind() == right.kind());
  }
  return --budget < 0 ? Equality::kTooLong : EqualWithin(left, right, budget);
}

Equality EqualLists(const Value& left, const Value& right, std::int64_t& budget) {
  if (right.kind() != Kind::kList || left.as_list().size() != right.as_list().size()) {
    return Equality::kNo;
  }
  Equality result = Equality::kYes;
  for (std::size_t i = 0; i < left.as_list().size(); ++i) {
    const Equality element = EqualElements(left.as_list().At(i), right.as_list().At(i), budget);
    if (IsFinal(element)) {
      return element;
    }
    if (element == Equality::kError && left.form() == ListForm::kConcatenated) {
      result = Equality::kError;
    }
  }
  return result;
}

Equality EqualMaps(const MapObject& left, const Value& right, std::int64_t& budget) {
  if (right.kind() != Kind::kMap || left.size() != right.as_map().size()) {
    return Equality::kNo;
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Value other = right.as_map().Find(left.KeyAt(i));
    const Equality entry =
        other.is_absent() ? Equality::kNo : EqualElements(left.ValueAt(i), other, budget);
    if (IsFinal(entry)) {
      return entry;
    }
  }
  return Equality::kYes;
}

Equality EqualOptionals(const Value& left, const Value& right, std::int64_t& budget) {
  if (right.kind() != Kind::kOptional) {
    return Equality::kNo;
  }
  const Value* a = left.as_optional();
  const Value* b = right.as_optional();
  if (a == nullptr || b == nullptr) {
    return Answer(a == b);
  }
  return EqualWithin(*a, *b, budget);
}

Equality EqualOpaque(const Value& left, const Value& right) {
  if (left.kind() != right.kind() || (right.kind() == Kind::kQuantity && right.is_computed())) {
    return Equality::kError;
  }
  switch (left.kind()) {
    case Kind::kQuantity:
      return Answer(left.as_quantity() == right.as_quantity());
    case Kind::kSemver:
      return Answer(left.as_semver() == right.as_semver());
    case Kind::kIp:
      return Answer(left.as_ip() == right.as_ip());
    case Kind::kCidr:
      return Answer(left.as_cidr() == right.as_cidr());
    case Kind::kUrl:
      return Answer(left.as_url().ToString() == right.as_url().ToString());
    case Kind::kFormat:
      return Answer(left.as_format().name == right.as_format().name);
    default:
      return Equality::kError;
  }
}

Equality EqualWithin(const Value& left, const Value& right, std::int64_t& budget) {
  const bool same = left.kind() == right.kind();
  switch (left.kind()) {
    case Kind::kAbsent:
    case Kind::kError:
    case Kind::kNull:
      return Answer(same);
    case Kind::kBool:
      return Answer(same && left.as_bool() == right.as_bool());
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
      return EqualNumbers(left, right);
    case Kind::kString:
    case Kind::kBytes:
      return Answer(same && left.as_text() == right.as_text());
    case Kind::kTimestamp:
      return Answer(same && CompareTimestamps(left.as_timestamp(), right.as_timestamp()) == 0);
    case Kind::kDuration:
      return Answer(same && left.as_int() == right.as_int());
    case Kind::kType:
      return Answer(same && left.as_type()->name == right.as_type()->name);
    case Kind::kList:
      return EqualLists(left, right, budget);
    case Kind::kMap:
      return EqualMaps(left.as_map(), right, budget);
    case Kind::kOptional:
      return EqualOptionals(left, right, budget);
    case Kind::kQuantity:
    case Kind::kSemver:
    case Kind::kIp:
    case Kind::kCidr:
    case Kind::kUrl:
    case Kind::kFormat:
      return EqualOpaque(left, right);
  }
  return Equality::kNo;
}

Value Sign(int order) { return Value::Int(order < 0 ? -1 : static_cast<int>(order > 0)); }

Value CompareInt(std::int64_t left, const Value& right) {
  switch (right.kind()) {
    case Kind::kInt:
      return Sign(left < right.as_int() ? -1 : static_cast<int>(left > right.as_int()));
    case Kind::kUint:
      return Sign(CompareIntUint(left, right.as_uint()));
    case Kind::kDouble:
      return std::isnan(right.as_double()) ? Value::Of(&errors::kNanOrder)
                                           : Sign(-CompareDoubleInt(right.as_double(), left));
    default:
      return MaybeNoSuchOverload(right);
  }
}

Value CompareUint(std::uint64_t left, const Value& right) {
  switch (right.kind()) {
    case Kind::kInt:
      return Sign(-CompareIntUint(right.as_int(), left));
    case Kind::kUint:
      return Sign(left < right.as_uint() ? -1 : static_cast<int>(left > right.as_uint()));
    case Kind::kDouble:
      return std::isnan(right.as_double()) ? Value::Of(&errors::kNanOrder)
                                           : Sign(-CompareDoubleUint(right.as_double(), left));
    default:
      return MaybeNoSuchOverload(right);
  }
}

Value CompareDouble(double left, const Value& right) {
  if (std::isnan(left)) {
    return Value::Of(&errors::kNanOrder);
  }
  switch (right.kind()) {
    case Kind::kInt:
      return Sign(CompareDoubleInt(left, right.as_int()));
    case Kind::kUint:
      return Sign(CompareDoubleUint(left, right.as_uint()));
    case Kind::kDouble:
      return std::isnan(right.as_double()) ? Value::Of(&errors::kNanOrder)
                                           : Sign(CompareDoubles(left, right.as_double()));
    default:
      return MaybeNoSuchOverload(right);
  }
}

Value CompareSameKind(const Value& left, const Value& right) {
  switch (left.kind()) {
    case Kind::kBool:
      return Sign(static_cast<int>(left.as_bool()) - static_cast<int>(right.as_bool()));
    case Kind::kString:
    case Kind::kBytes:
      return Sign(left.as_text().compare(right.as_text()));
    case Kind::kDuration:
      return CompareInt(left.as_int(), Value::Int(right.as_int()));
    case Kind::kTimestamp:
      return Sign(CompareTimestamps(left.as_timestamp(), right.as_timestamp()));
    default:
      return Value::Of(&errors::kNoSuchOverload);
  }
}

}  // namespace

Equality Equal(const Value& left, const Value& right) {
  if (left.kind() == Kind::kString && right.kind() == Kind::kString) {
    return Answer(left.as_text() == right.as_text());
  }
  if (left.kind() == Kind::kNull || right.kind() == Kind::kNull) {
    return Answer(left.kind() == right.kind());
  }
  return EqualUnlessNull(left, right);
}

Equality EqualUnlessNull(const Value& left, const Value& right) {
  std::int64_t budget = kMaxComparisons;
  return EqualWithin(left, right, budget);
}

bool IsOrdered(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return true;
    default:
      return false;
  }
}

Value Compare(const Value& left, const Value& right) {
  switch (left.kind()) {
    case Kind::kInt:
      return CompareInt(left.as_int(), right);
    case Kind::kUint:
      return CompareUint(left.as_uint(), right);
    case Kind::kDouble:
      return CompareDouble(left.as_double(), right);
    default:
      return left.kind() == right.kind() ? CompareSameKind(left, right)
                                         : MaybeNoSuchOverload(right);
  }
}

bool ListContains(const ListObject& list, const Value& element) {
  const std::size_t size = list.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (EqualUnlessNull(element, list.At(i)) == Equality::kYes) {
      return true;
    }
  }
  return false;
}

}  // namespace quadra::cel
