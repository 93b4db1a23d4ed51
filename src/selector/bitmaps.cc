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

Verdict VerdictAt(Row row, std::span<const std::uint64_t> matches,
                  std::span<const std::uint64_t> errors) {
  const std::uint64_t bit = std::uint64_t{1} << (row % kWordBits);
  if ((matches[row / kWordBits] & bit) != 0) {
    return Verdict::kMatch;
  }
  return (errors[row / kWordBits] & bit) != 0 ? Verdict::kError : Verdict::kNo;
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

void Bitmaps::Refresh(const DeviceTable& table, cel::Scratch& scratch) {
  const std::size_t words = (table.size() + kWordBits - 1) / kWordBits;
  matches_.resize(words);
  errors_.resize(words);
  const RowRange all{0, static_cast<Row>(table.size())};
  if (numbering_ != table.numbering()) {
    class_verdicts_.clear();
    std::ranges::fill(matches_, 0);
    std::ranges::fill(errors_, 0);
    Write(table, all, scratch);
  } else {
    for (const RowRange rows : table.ChangedSince(version_)) {
      Write(table, rows, scratch);
    }
  }
  numbering_ = table.numbering();
  version_ = table.version();
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
  work_.rows += rows.size();
  class_verdicts_.resize(table.class_count(), kUnknown);
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
  const std::span<const ClassId> classes = table.classes();
  const bool most = rows.size() >= table.class_count();
  const std::size_t count = most ? table.class_count() : rows.size();
  TupleMemo memo;
  for (std::size_t i = 0; i < count; ++i) {
    const ClassId id = most ? static_cast<ClassId>(i) : classes[rows.begin + i];
    if (class_verdicts_[id] == kUnknown) {
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
  const std::span<const ClassId> classes = table.classes().subspan(word * kWordBits);
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
          Ask(table.poison(table.classes()[row]), [&] { return table.RowInputs(row); }, scratch));
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
  Sequenced result;
  result.matches.assign(selectors[0]->matches().begin(), selectors[0]->matches().end());
  result.errors.assign(selectors[0]->errors().begin(), selectors[0]->errors().end());
  for (const Bitmaps* next : selectors.subspan(1)) {
    for (std::size_t i = 0; i < result.matches.size(); ++i) {
      result.errors[i] |= result.matches[i] & next->errors()[i];
      result.matches[i] &= next->matches()[i];
    }
  }
  return result;
}

}  // namespace quadra::selector
