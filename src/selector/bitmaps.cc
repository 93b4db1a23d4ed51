#include "selector/bitmaps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"

namespace quadra::selector {
namespace {

constexpr std::size_t kWordBits = 64;
// So few classes are asked sooner than compared.
constexpr std::size_t kFewClasses = 64;

// The lowest bits of eight bytes, side by side.
std::uint64_t LowBits(std::uint64_t bytes) {
  constexpr std::uint64_t kLow = 0x0101010101010101;
  constexpr std::uint64_t kGather = 0x0102040810204080;
  return ((bytes & kLow) * kGather) >> 56;
}

// The verdicts on 64 rows: 0, 1 (match) or 2 (error), that is bit 0 and bit 1 of a byte.
using Verdicts = std::array<std::uint8_t, kWordBits>;

// Eight at a time, as the bytes of a word.
BitmapWord Pack(const Verdicts& verdicts) {
  static_assert(std::endian::native == std::endian::little, "the first verdict is the lowest byte");
  const auto eights = std::bit_cast<std::array<std::uint64_t, kWordBits / 8>>(verdicts);
  BitmapWord word;
  for (std::size_t i = 0; i < eights.size(); ++i) {
    word.matches |= LowBits(eights[i]) << (8 * i);
    word.errors |= LowBits(eights[i] >> 1) << (8 * i);
  }
  return word;
}

// The bits of `word` that belong to `rows`.
std::uint64_t MaskOf(std::size_t word, RowRange rows) {
  const std::size_t first = word * kWordBits;
  const std::size_t begin = std::max<std::size_t>(rows.begin, first) - first;
  const std::size_t end = std::min<std::size_t>(rows.end, first + kWordBits) - first;
  const std::uint64_t below_end =
      end == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return below_end & ~((std::uint64_t{1} << begin) - 1);
}

// Bits beyond the last row are off, so that rows that come there again start as those of no device.
void CutTo(std::size_t rows, std::vector<std::uint64_t>& words) {
  words.resize((rows + kWordBits - 1) / kWordBits);
  if (rows % kWordBits != 0) {
    words.back() &= (std::uint64_t{1} << (rows % kWordBits)) - 1;
  }
}

void Merge(std::uint64_t& word, std::uint64_t bits, std::uint64_t mask) {
  word = (word & ~mask) | (bits & mask);
}

}  // namespace

// Verdicts by what the expression reads of a class. The tuples lie end to end in one array, so that
// classes that agree cost no memory.
class Bitmaps::TupleMemo {
 public:
  explicit TupleMemo(std::span<const cel::SlotIndex> slots)
      : slots_(slots), known_(0, HashAt{this}, EqualAt{this}) {}
  TupleMemo(const TupleMemo&) = delete;
  TupleMemo& operator=(const TupleMemo&) = delete;

  // What `ask` said of the first device that reads like this one.
  template <typename Ask>
  Verdict Get(const FactsInputs& device, const Ask& ask) {
    const std::size_t last = verdicts_.size();
    for (const cel::SlotIndex slot : slots_) {
      values_.push_back(device.Slot(slot));
    }
    const auto [at, is_new] = known_.insert(last);
    if (is_new) {
      verdicts_.push_back(ask());
    } else {
      values_.resize(last * slots_.size());
    }
    return verdicts_[*at];
  }

 private:
  std::span<const cel::Value> TupleAt(std::size_t at) const {
    return std::span(values_).subspan(at * slots_.size(), slots_.size());
  }
  struct HashAt {
    const TupleMemo* memo;
    std::size_t operator()(std::size_t at) const {
      std::size_t hash = 0;
      for (const cel::Value& value : memo->TupleAt(at)) {
        hash = absl::HashOf(hash, HashValue(value));
      }
      return hash;
    }
  };
  struct EqualAt {
    const TupleMemo* memo;
    bool operator()(std::size_t a, std::size_t b) const {
      return std::ranges::equal(memo->TupleAt(a), memo->TupleAt(b), SameValue);
    }
  };

  std::span<const cel::SlotIndex> slots_;
  std::vector<cel::Value> values_;
  std::vector<Verdict> verdicts_;
  absl::flat_hash_set<std::size_t, HashAt, EqualAt> known_;
};

Bitmaps::Bitmaps(std::shared_ptr<const Expression> expression)
    : expression_(std::move(expression)) {}

void Bitmaps::Refresh(std::shared_ptr<const DeviceTable> table, cel::Scratch& scratch) {
  if (table == table_) {
    return;
  }
  for (std::vector<std::uint64_t>* bits : {&matches_, &errors_}) {
    CutTo(table->size(), *bits);
  }
  class_verdicts_.resize(table->class_count(), kUnknown);
  if (table_ == nullptr) {
    Write(*table, {0, static_cast<Row>(table->size())}, scratch);
  } else {
    table->VisitChangedClasses(*table_, [&](ClassId id) {
      if (id < class_verdicts_.size()) {
        class_verdicts_[id] = kUnknown;
      }
    });
    for (const RowRange rows : table->ChangedSince(*table_)) {
      Write(*table, rows, scratch);
    }
  }
  table_ = std::move(table);
}

bool Bitmaps::ReadsOwnColumns(const DeviceTable& table) const {
  const cel::Program& program = expression_->program();
  return program.reads_variables() ? table.has_own_columns()
                                   : std::ranges::any_of(program.slots(), [&](cel::SlotIndex slot) {
                                       return table.is_own(slot);
                                     });
}

void Bitmaps::Write(const DeviceTable& table, RowRange rows, cel::Scratch& scratch) {
  rows.end = std::min(rows.end, static_cast<Row>(table.size()));  // a table may be the shorter one
  if (rows.begin >= rows.end) {
    return;
  }
  work_.rows += rows.size();
  class_verdicts_[DeviceTable::kNoDevice] = static_cast<std::uint8_t>(Verdict::kNo);
  const bool by_row = ReadsOwnColumns(table);
  if (!by_row) {
    LearnClasses(table, rows, scratch);
  }
  const std::size_t first = rows.begin / kWordBits;
  const std::size_t last = (rows.end + kWordBits - 1) / kWordBits;
  for (std::size_t word = first; word < last; ++word) {
    by_row ? WriteRows(table, word, rows, scratch) : WriteClasses(table, word, rows);
  }
}

// Afterwards no class of these rows is unknown. Classes that agree in what the expression reads are
// asked once.
void Bitmaps::LearnClasses(const DeviceTable& table, RowRange rows, cel::Scratch& scratch) {
  const bool most = rows.size() >= table.class_count();
  const std::size_t count = most ? table.class_count() : rows.size();
  TupleMemo memo(expression_->program().slots());
  for (std::size_t i = 0; i < count; ++i) {
    const ClassId id =
        most ? static_cast<ClassId>(i) : table.class_of(rows.begin + static_cast<Row>(i));
    if (class_verdicts_[id] == kUnknown && table.is_in_use(id)) {
      class_verdicts_[id] = static_cast<std::uint8_t>(AskClass(table, id, memo, scratch));
    }
  }
}

Verdict Bitmaps::AskClass(const DeviceTable& table, ClassId id, TupleMemo& memo,
                          cel::Scratch& scratch) {
  const auto inputs = [&] { return table.ClassInputs(id); };
  const bool few = table.class_count() <= kFewClasses;
  if (few || expression_->program().reads_variables() || !table.poison(id).empty()) {
    return Ask(table.poison(id), inputs, scratch);
  }
  return memo.Get(inputs(), [&] { return Ask(table.poison(id), inputs, scratch); });
}

template <typename MakeInputs>
Verdict Bitmaps::Ask(const std::string& poison, const MakeInputs& make, cel::Scratch& scratch) {
  if (!poison.empty()) {
    return Verdict::kError;
  }
  ++work_.evaluations;
  return Decide(*expression_, make(), scratch);
}

void Bitmaps::WriteClasses(const DeviceTable& table, std::size_t word, RowRange rows) {
  static_assert(DeviceTable::kRowsOfChunk % kWordBits == 0);
  const std::span<const ClassId> classes = table.ClassesFrom(static_cast<Row>(word * kWordBits));
  const std::uint8_t* const by_class = class_verdicts_.data();
  Verdicts verdicts;
  if (classes.size() >= kWordBits) {
    for (std::size_t i = 0; i < kWordBits; ++i) {
      verdicts[i] = by_class[classes[i]];
    }
  } else {
    verdicts = {};
    std::ranges::transform(classes, verdicts.begin(), [&](ClassId id) { return by_class[id]; });
  }
  Store(word, rows, Pack(verdicts));
}

void Bitmaps::WriteRows(const DeviceTable& table, std::size_t word, RowRange rows,
                        cel::Scratch& scratch) {
  Verdicts verdicts{};
  const std::size_t first = word * kWordBits;
  const std::size_t end = std::min<std::size_t>(rows.end, first + kWordBits);
  for (std::size_t at = std::max<std::size_t>(rows.begin, first); at < end; ++at) {
    const Row row = static_cast<Row>(at);
    if (table.is_device(row)) {
      verdicts[at - first] = static_cast<std::uint8_t>(
          Ask(table.PoisonOf(row), [&] { return table.RowInputs(row); }, scratch));
    }
  }
  Store(word, rows, Pack(verdicts));
}

void Bitmaps::Store(std::size_t word, RowRange rows, BitmapWord bits) {
  const std::uint64_t mask = MaskOf(word, rows);
  Merge(matches_[word], bits.matches, mask);
  Merge(errors_[word], bits.errors, mask);
}

Sequenced InSequence(std::span<const Bitmaps* const> selectors) {
  const Epoch mine{1};  // nobody else will ever write these
  const std::size_t words = selectors[0]->matches().size();
  Sequenced result;
  result.matches.Resize(mine, words);
  result.errors.Resize(mine, words);
  for (std::size_t i = 0; i < words; ++i) {
    const auto [matches, errors] = WordInSequence(selectors, i);
    result.matches.At(mine, i) = matches;
    result.errors.At(mine, i) = errors;
  }
  return result;
}

BitmapWord WordInSequence(std::span<const Bitmaps* const> selectors, std::size_t word) {
  BitmapWord result{.matches = ~std::uint64_t{0}};
  for (const Bitmaps* next : selectors) {
    const std::uint64_t fails = next != nullptr ? next->errors()[word] : ~std::uint64_t{0};
    result.errors |= result.matches & fails;
    result.matches &= next != nullptr ? next->matches()[word] : 0;
  }
  return result;
}

}  // namespace quadra::selector
