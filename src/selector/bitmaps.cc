#include "selector/bitmaps.h"

#include <algorithm>
#include <array>
#include <utility>

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

struct Words {
  std::uint64_t matches = 0;
  std::uint64_t errors = 0;
};

// Verdicts are 0, 1 (match) or 2 (error): bit 0 and bit 1 of a byte. `verdict_of(i)` is that of bit
// `i`; eight at a time are kept in a register.
template <typename VerdictOf>
Words Pack(const VerdictOf& verdict_of) {
  Words words;
  for (std::size_t i = 0; i < kWordBits; i += 8) {
    std::uint64_t bytes = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) {
      bytes |= std::uint64_t{verdict_of(i + byte)} << (8 * byte);
    }
    words.matches |= LowBits(bytes) << i;
    words.errors |= LowBits(bytes >> 1) << i;
  }
  return words;
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

template <typename Words>
Verdict VerdictAt(Row row, const Words& matches, const Words& errors) {
  const std::uint64_t bit = std::uint64_t{1} << (row % kWordBits);
  if ((matches[row / kWordBits] & bit) != 0) {
    return Verdict::kMatch;
  }
  return (errors[row / kWordBits] & bit) != 0 ? Verdict::kError : Verdict::kNo;
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

std::size_t Bitmaps::TupleHash::operator()(const Tuple& tuple) const {
  std::size_t hash = 0;
  for (const cel::Value& value : tuple) {
    hash = absl::HashOf(hash, HashValue(value));
  }
  return hash;
}

bool Bitmaps::TupleEqual::operator()(const Tuple& a, const Tuple& b) const {
  return std::ranges::equal(a, b, SameValue);
}

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

Verdict Bitmaps::At(Row row) const { return VerdictAt(row, matches_, errors_); }

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
  TupleMemo memo;
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
  Tuple tuple;
  const FactsInputs facts = inputs();
  for (const cel::SlotIndex slot : expression_->program().slots()) {
    tuple.push_back(facts.Slot(slot));
  }
  const auto [at, is_new] = memo.try_emplace(std::move(tuple), Verdict::kNo);
  if (is_new) {
    at->second = Ask(table.poison(id), inputs, scratch);
  }
  return at->second;
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
  const Words packed = classes.size() >= kWordBits
                           ? Pack([&](std::size_t i) { return by_class[classes[i]]; })
                           : Pack([&](std::size_t i) {
                               return i < classes.size() ? by_class[classes[i]] : std::uint8_t{0};
                             });
  Store(word, rows, packed.matches, packed.errors);
}

void Bitmaps::WriteRows(const DeviceTable& table, std::size_t word, RowRange rows,
                        cel::Scratch& scratch) {
  std::array<std::uint8_t, kWordBits> verdicts{};
  const std::size_t first = word * kWordBits;
  const std::size_t end = std::min<std::size_t>(rows.end, first + kWordBits);
  for (std::size_t at = std::max<std::size_t>(rows.begin, first); at < end; ++at) {
    const Row row = static_cast<Row>(at);
    if (table.is_device(row)) {
      verdicts[at - first] = static_cast<std::uint8_t>(
          Ask(table.PoisonOf(row), [&] { return table.RowInputs(row); }, scratch));
    }
  }
  const Words packed = Pack([&](std::size_t i) { return verdicts[i]; });
  Store(word, rows, packed.matches, packed.errors);
}

void Bitmaps::Store(std::size_t word, RowRange rows, std::uint64_t matches, std::uint64_t errors) {
  const std::uint64_t mask = MaskOf(word, rows);
  Merge(matches_[word], matches, mask);
  Merge(errors_[word], errors, mask);
}

Verdict Sequenced::At(Row row) const { return VerdictAt(row, matches, errors); }

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

SequencedWord WordInSequence(std::span<const Bitmaps* const> selectors, std::size_t word) {
  SequencedWord result{.matches = ~std::uint64_t{0}};
  for (const Bitmaps* next : selectors) {
    const std::uint64_t fails = next != nullptr ? next->errors()[word] : ~std::uint64_t{0};
    result.errors |= result.matches & fails;
    result.matches &= next != nullptr ? next->matches()[word] : 0;
  }
  return result;
}

}  // namespace quadra::selector
