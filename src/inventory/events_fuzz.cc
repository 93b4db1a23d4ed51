// Whatever happens to a cluster, the inventory that followed it is the one its objects make; what
// was held and went away stays charged; forks and snapshots keep what they were.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "inventory/histories_for_tests.h"

namespace {

using namespace quadra::inventory;

// Chance: the first cluster by a seed, all that happens to it by the input, a byte a number.
class Bytes final : public quadra::Random {
 public:
  Bytes(const std::uint8_t* data, std::size_t size)
      : data_(data), size_(size), start_(size > 0 ? data[0] : 0) {}
  void Begin() { begun_ = true; }
  std::uint64_t Next() override {
    if (!begun_) {
      return start_.Next();
    }
    return at_ < size_ ? data_[at_++] : 0;
  }
  bool spent() const { return at_ >= size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 1;
  quadra::SeededRandom start_;
  bool begun_ = false;
};

void MustEqualRebuilt(History& history) {
  const Snapshot followed = history.inventory().Take();
  const Snapshot rebuilt = history.Rebuilt().Take();
  QUADRA_CHECK(Describe(followed) == Describe(rebuilt), "events and objects say the same");
  const Charges charged = ChargesOf(followed);
  const Charges known = ChargesOf(rebuilt);
  QUADRA_CHECK(history.lost() ? ChargesAtLeast(charged, known) : charged == known,
               "a rebuilt inventory charges no more");
  QUADRA_CHECK(history.IsChargedIn(followed), "what is held stays charged");
}

// Takes away on a fork all that the cluster has.
void EmptyFork(const Snapshot& snapshot, const Objects& objects) {
  Inventory fork = snapshot.Fork();
  for (const auto& [name, claim] : objects.claims) {
    fork.RemoveClaim(claim);
  }
  for (const auto& slice : objects.slices) {
    fork.RemoveSlice(slice.metadata.name);
  }
  const Snapshot emptied = fork.Take();
  for (const auto& view : emptied.views()) {
    QUADRA_CHECK(view->candidates.empty(), "nothing is left");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* const language = new quadra::selector::Language();
  Bytes bytes(data, size);
  const bool keeps_held = Choose(bytes, 2) == 0;
  History history(*language, bytes, keeps_held);
  bytes.Begin();
  Readers readers;
  for (int step = 0; step < 200 && !bytes.spent(); ++step) {
    history.Step();
    switch (Choose(bytes, 8)) {
      case 0:
        MustEqualRebuilt(history);
        break;
      case 1:
        QUADRA_CHECK(readers.Step(bytes, history.inventory()), "a snapshot never changes");
        break;
      case 2:
        EmptyFork(history.inventory().Take(), history.objects());
        break;
      default:
        break;
    }
  }
  MustEqualRebuilt(history);
  QUADRA_CHECK(readers.AllSeeTheSame(), "a snapshot never changes");
  QUADRA_CHECK(!keeps_held || !history.lost(), "such a history loses nothing");
  return 0;
}
