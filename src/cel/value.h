// Value: what an expression computes with. Sixteen bytes, copied freely, owns nothing.
//
// Texts, lists, maps, quantities and the like are pointed to: they live in the program (constants),
// in the caller's data (inputs) or in the Arena of one evaluation (results). An error is a value
// too: it travels through operators until one absorbs it, and its text is built only when somebody
// asks. Thread-safe as any plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cel/type.h"
#include "quantity/quantity.h"
#include "semver/semver.h"

namespace quadra::cel {

enum class Kind : std::uint8_t {
  kAbsent,  // no value: a missing key or slot. Never the result of an expression
  kError,
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kType,
  kList,
  kMap,
  kOptional,
  kQuantity,
  kSemver,
  kIp,
  kCidr,
  kUrl,
  kFormat,
};

class Value;
class Arena;

// A list or map that somebody else keeps. Implementations are immutable while an evaluation runs.
class ListObject {
 public:
  virtual ~ListObject() = default;
  virtual std::size_t size() const = 0;
  // REQUIRES: n < size().
  virtual Value At(std::size_t n) const = 0;
};

class MapObject {
 public:
  virtual ~MapObject() = default;
  virtual std::size_t size() const = 0;
  // kAbsent if there is none. What `has`, `[]`, `.` and optional selection see.
  virtual Value Find(const Value& key) const = 0;
  // What `in` sees; differs from Find for maps with a default.
  virtual bool Contains(const Value& key) const = 0;
  // Entries in the order in which `all`, `exists`, ... visit them: sorted by key.
  virtual Value KeyAt(std::size_t n) const = 0;
  virtual Value ValueAt(std::size_t n) const = 0;
  // Whether upstream hashes any key asked for, and so fails on what has no hash (bytes, versions).
  // Maps that an expression builds do; maps of inputs do not.
  virtual bool HashesKeys() const { return false; }
  // What optional.ofNonZeroValue asks: whether it is empty. Upstream's maps with a default never
  // are.
  virtual bool IsZero() const { return size() == 0; }
};

struct Timestamp {
  std::int64_t seconds = 0;  // since 1970-01-01T00:00:00Z
  std::int32_t nanoseconds = 0;
  std::int32_t offset_seconds = 0;  // as parsed, kept by string()
  bool has_offset = false;          // an offset was given, be it +00:00, and not Z
};
struct IpAddress;
struct CidrBlock;
struct Url;
struct NamedFormat;
struct EvalError;

// How a list or map came about, where upstream lets it show: a concatenation compares strictly (an
// error of an element is an error of the whole), a growing one is an accumulator that `+` changes
// in place.
enum class ListForm : std::uint8_t { kPlain, kConcatenated, kGrowing };

class Value {
 private:
  union Bits {
    bool boolean;
    std::int64_t integer = 0;
    std::uint64_t unsigned_integer;
    double real;
    const char* text;
    const Value* value;
    const ListObject* list;
    const MapObject* map;
    const quantity::Quantity* quantity;
    const semver::Version* semver;
    const Timestamp* timestamp;
    Type type;
    const IpAddress* ip;
    const CidrBlock* cidr;
    const Url* url;
    const NamedFormat* format;
    const EvalError* error;
  };

 public:
  constexpr Value() = default;

  static Value Null() { return Value(Kind::kNull); }
  static Value Bool(bool value) { return Value(Kind::kBool, &Bits::boolean, value); }
  static Value Int(std::int64_t value) { return Value(Kind::kInt, &Bits::integer, value); }
  static Value Uint(std::uint64_t value) {
    return Value(Kind::kUint, &Bits::unsigned_integer, value);
  }
  static Value Double(double value) { return Value(Kind::kDouble, &Bits::real, value); }
  static Value String(std::string_view text) {  // valid UTF-8; at most 4 GiB
    return Text(Kind::kString, text);
  }
  static Value Bytes(std::string_view text) { return Text(Kind::kBytes, text); }
  static Value Duration(std::int64_t nanoseconds) {
    return Value(Kind::kDuration, &Bits::integer, nanoseconds);
  }
  static Value Of(const Timestamp* value) {
    return Value(Kind::kTimestamp, &Bits::timestamp, value);
  }
  static Value Of(Type type) { return Value(Kind::kType, &Bits::type, type); }
  static Value Of(const ListObject* list, ListForm form = ListForm::kPlain) {
    return Value(Kind::kList, &Bits::list, list, static_cast<std::uint8_t>(form));
  }
  static Value Of(const MapObject* map, ListForm form = ListForm::kPlain) {
    return Value(Kind::kMap, &Bits::map, map, static_cast<std::uint8_t>(form));
  }
  // Null for optional.none().
  static Value Optional(const Value* value) { return Value(Kind::kOptional, &Bits::value, value); }
  // `computed`: made by add or sub, which upstream's equality does not recognise on the right.
  static Value Of(const quantity::Quantity* value, bool computed = false) {
    return Value(Kind::kQuantity, &Bits::quantity, value, computed);
  }
  static Value Of(const semver::Version* value) {
    return Value(Kind::kSemver, &Bits::semver, value);
  }
  static Value Of(const IpAddress* value) { return Value(Kind::kIp, &Bits::ip, value); }
  static Value Of(const CidrBlock* value) { return Value(Kind::kCidr, &Bits::cidr, value); }
  static Value Of(const Url* value) { return Value(Kind::kUrl, &Bits::url, value); }
  static Value Of(const NamedFormat* value) { return Value(Kind::kFormat, &Bits::format, value); }
  static Value Of(const EvalError* error) { return Value(Kind::kError, &Bits::error, error); }

  Kind kind() const { return kind_; }
  bool is_error() const { return kind_ == Kind::kError; }
  bool is_absent() const { return kind_ == Kind::kAbsent; }

  // REQUIRES: kind() fits.
  bool as_bool() const { return bits_.boolean; }
  std::int64_t as_int() const { return bits_.integer; }  // kInt, kDuration
  std::uint64_t as_uint() const { return bits_.unsigned_integer; }
  double as_double() const { return bits_.real; }
  std::string_view as_text() const { return {bits_.text, size_}; }  // kString, kBytes
  const ListObject& as_list() const { return *bits_.list; }
  const MapObject& as_map() const { return *bits_.map; }
  const Value* as_optional() const { return bits_.value; }
  const quantity::Quantity& as_quantity() const { return *bits_.quantity; }
  bool is_computed() const { return detail_ != 0; }
  ListForm form() const { return static_cast<ListForm>(detail_); }  // kList, kMap
  const semver::Version& as_semver() const { return *bits_.semver; }
  const Timestamp& as_timestamp() const { return *bits_.timestamp; }
  Type as_type() const { return bits_.type; }
  const IpAddress& as_ip() const { return *bits_.ip; }
  const CidrBlock& as_cidr() const { return *bits_.cidr; }
  const Url& as_url() const { return *bits_.url; }
  const NamedFormat& as_format() const { return *bits_.format; }
  const EvalError& as_error() const { return *bits_.error; }

 private:
  explicit Value(Kind kind) : kind_(kind) {}
  template <typename T>
  Value(Kind kind, T Bits::* field, T payload, std::uint8_t detail = 0)
      : kind_(kind), detail_(detail) {
    bits_.*field = payload;
  }
  static Value Text(Kind kind, std::string_view text) {
    // The size goes beside it. NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
    Value value(kind, &Bits::text, text.data());
    value.size_ = static_cast<std::uint32_t>(text.size());
    return value;
  }

  Kind kind_ = Kind::kAbsent;
  std::uint8_t detail_ = 0;  // kQuantity: computed; kList, kMap: a ListForm
  std::uint32_t size_ = 0;   // bytes of a text
  Bits bits_;
};
static_assert(sizeof(Value) == 16);

// The text upstream would print for this error: "no such key: x".
std::string ErrorText(const EvalError& error);
// Whether nothing absorbs it: cost limit, cancellation, upstream's internal errors.
bool IsFatal(const EvalError& error);
// The words upstream has for a version that cannot be parsed. `error` is that of semver::Version;
// the offending part is quoted.
std::string VersionErrorText(const Error& error);

}  // namespace quadra::cel
