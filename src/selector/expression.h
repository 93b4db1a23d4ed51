// Expression: a CEL text compiled for one use, or the reason why it cannot be; and the language it
// is written in.
//
// Two environments exist. Admission checks new expressions with the libraries of the compatibility
// version (one minor behind) and the feature gates in force; schedulers compile what is stored with
// everything enabled. Immutable; shared by threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/time_zones.h"
#include "cel/checked.h"
#include "cel/program.h"
#include "selector/columns.h"

namespace quadra::selector {

// Which declarations an expression is checked against. The gates act on new expressions only.
struct Profile {
  bool stored = true;
  bool consumable_capacity = true;  // gate DRAConsumableCapacity
  bool list_attributes = false;     // gate DRAListTypeAttributes

  static Profile Stored() { return {}; }
  static Profile New(bool consumable_capacity = true, bool list_attributes = false) {
    return {false, consumable_capacity, list_attributes};
  }
  friend bool operator==(const Profile&, const Profile&) = default;
};

enum class Use : std::uint8_t {
  kSelector,          // must yield a bool
  kDerivedAttribute,  // a scalar, or a list of scalars
};

struct CompileError {
  std::string message;             // upstream's words, e.g. "compilation failed: ERROR: …"
  std::vector<cel::Issue> issues;  // syntax and type errors; empty for other causes
  bool syntax = false;             // the words of `issues` are ours, not upstream's
  bool internal = false;           // upstream calls it an internal error: no program could be made
};

class Expression {
 public:
  // Compiled: `error` is empty and `program` is set.
  Expression(std::string text, Profile profile, Use use);

  const std::string& text() const { return text_; }
  const Profile& profile() const { return profile_; }
  Use use() const { return use_; }
  // Null if it compiled.
  const CompileError* error() const { return error_.get(); }
  // REQUIRES: no error.
  const cel::Program& program() const { return *program_; }
  const cel::CheckedAst& checked() const { return *checked_; }

  // The most it may cost, as admission computes it. REQUIRES: no error. Computed on each call.
  std::uint64_t EstimateCost() const;
  std::size_t bytes() const;  // memory it holds, roughly

 private:
  friend class Language;

  std::string text_;
  Profile profile_;
  Use use_;
  std::unique_ptr<const CompileError> error_;
  std::shared_ptr<const cel::CheckedAst> checked_;
  std::unique_ptr<const cel::Program> program_;
};

// The environments, made when first needed, and the columns that compiled paths refer to.
// Thread-safe. Must outlive the expressions it compiled.
class Language {
 public:
  // `zones` may be null: then only UTC and offsets are known. It must outlive this.
  explicit Language(const TimeZones* zones = nullptr);
  ~Language();
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

  std::shared_ptr<const Expression> Compile(std::string_view text, const Profile& profile,
                                            Use use) const;
  Columns& columns() const { return *columns_; }
  const cel::Environment& EnvironmentOf(const Profile& profile) const QUADRA_EXCLUDES(mutex_);

 private:
  static constexpr std::size_t kEnvironments = 5;  // stored, and two gates on or off

  std::unique_ptr<Columns> columns_;
  const TimeZones* zones_;
  mutable Mutex mutex_;
  mutable std::array<std::unique_ptr<const cel::Environment>, kEnvironments> environments_
      QUADRA_GUARDED_BY(mutex_);
};

}  // namespace quadra::selector
