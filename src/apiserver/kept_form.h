// KeptForm: another encoding of one version of an object, made when it is first asked for and kept as
// long as the version is: lists and watchers share it.
//
//   if (net::Bytes kept = form.Find(revision)) return kept;
//   return form.Keep(revision, net::Share(Encode(...)));
//
// Facts may be those of several records that differ in their revision alone; the form is that of one
// of them, the first that was asked for. Lock-free, thread-safe; two who ask at once may both encode.
#pragma once

#include <atomic>
#include <memory>
#include <tuple>
#include <utility>

#include "net/server.h"
#include "store/store.h"

namespace quadra::apiserver {

class KeptForm {
 public:
  KeptForm() = default;
  ~KeptForm() { delete kept_.load(); }
  KeptForm(const KeptForm&) = delete;
  KeptForm& operator=(const KeptForm&) = delete;

  // Null where that of this revision is not kept.
  net::Bytes Find(store::Revision revision) const {
    const Form* kept = kept_.load(std::memory_order_acquire);
    return kept != nullptr && kept->revision == revision ? kept->bytes : nullptr;
  }

  // Keeps them unless others are kept already; returns them.
  net::Bytes Keep(store::Revision revision, net::Bytes bytes) {
    auto form = std::make_unique<const Form>(Form{revision, bytes});
    const Form* none = nullptr;
    if (kept_.compare_exchange_strong(none, form.get(), std::memory_order_acq_rel)) {
      std::ignore = form.release();  // the destructor deletes it
    }
    return bytes;
  }

 private:
  struct Form {
    store::Revision revision;
    net::Bytes bytes;
  };
  std::atomic<const Form*> kept_ = nullptr;
};

}  // namespace quadra::apiserver
