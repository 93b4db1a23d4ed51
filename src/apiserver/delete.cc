#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "apiserver/admission.h"
#include "apiserver/change.h"
#include "apiserver/choice.h"
#include "apiserver/delete_options.h"
#include "apiserver/deletion.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/verbs.h"
#include "base/mutex.h"

namespace quadra::apiserver {
namespace {

// Of these the last state is the answer; of others a Status.
bool AnswersObject(const api::KindSchema& kind) {
  constexpr std::array<std::string_view, 7> kCore = {"Pod",
                                                     "Namespace",
                                                     "ResourceQuota",
                                                     "ServiceAccount",
                                                     "PersistentVolume",
                                                     "PersistentVolumeClaim",
                                                     "PodTemplate"};
  if (kind.group == api::kDraGroup) {
    return kind.kind != "DeviceTaintRule" || kind.version != "v1";
  }
  return kind.group.empty() && std::ranges::find(kCore, kind.kind) != kCore.end();
}

void Finish(Pending& pending, const OrFailure<Changed>& changed) {
  if (!changed || !changed->removed || AnswersObject(pending.ask.kind())) {
    pending.Finish(200, changed);
    return;
  }
  const api::ObjectMeta meta = MetaOf(ObjectOf(pending.ask.kind(), *changed->record));
  pending.exchange.Answer(AnswerWithJson(200, EncodeSuccess(pending.ask, meta), pending.ask));
}

// Deletes the objects of a collection, some at once, so that they share the store's writes; answers with
// those that it deleted, in the collection's order. After a failure it begins no others.
class Sweep : public std::enable_shared_from_this<Sweep> {
 public:
  Sweep(const Backend& backend, PendingPtr pending, DeleteOptions options,
        std::vector<store::RecordPtr> records)
      : backend_(backend),
        pending_(std::move(pending)),
        options_(std::move(options)),
        records_(std::move(records)) {}

  // Once.
  void Begin() { Go(); }

 private:
  static constexpr std::size_t kAtOnce = 64;

  // Begins what may begin, by one thread at a time, and answers when there is nothing left to end.
  void Go() {
    bool ended = false;
    while (const std::optional<std::size_t> at = TakeNext(ended)) {
      DeleteAt(*at);
    }
    if (ended) {
      Answer();
    }
  }

  // Nothing where no other may begin now: then the next one that ends goes on.
  std::optional<std::size_t> TakeNext(bool& ended) {
    const MutexLock lock(mutex_);
    const bool any = next_ < records_.size() && !failure_;
    if (any && under_way_ < kAtOnce) {
      ++under_way_;
      return next_++;
    }
    is_going_ = false;
    ended = !any && under_way_ == 0;
    return std::nullopt;
  }

  void DeleteAt(std::size_t at) {
    const ResourceName resource = pending_->ask.resource_name();
    ChangeObject(
        backend_,
        {.kind = &pending_->ask.kind(),
         .key = KeyAt(at),
         .resource = resource,
         .dry_run = options_.dry_run()},
        [self = shared_from_this(), resource](const api::Object& standing) {
          return PlanDeletion(standing, self->options_, resource, self->backend_.clock.Now());
        },
        [self = shared_from_this(), at](OrFailure<Changed> changed) {
          if (self->Put(at, std::move(changed))) {
            self->Go();
          }
        });
  }

  std::string KeyAt(std::size_t at) {
    const MutexLock lock(mutex_);
    return std::string(records_[at]->key.text());
  }

  // Whether the caller is to go on: nobody else is at it.
  bool Put(std::size_t at, OrFailure<Changed> changed) {
    const MutexLock lock(mutex_);
    --under_way_;
    records_[at] = changed ? std::move(changed->record) : nullptr;
    // What went meanwhile is none of ours.
    if (!changed && changed.error().reason != "NotFound" && !failure_) {
      failure_ = std::move(changed.error());
    }
    return !std::exchange(is_going_, true);
  }

  void Answer() {
    const MutexLock lock(mutex_);
    if (failure_) {
      return pending_->Fail(*failure_);
    }
    std::erase(records_, nullptr);
    apiserver::Answer(
        pending_->exchange,
        {.records = std::move(records_), .revision = backend_.store.Head().revision()},
        pending_->ask);
  }

  const Backend& backend_;
  const PendingPtr pending_;
  const DeleteOptions options_;
  Mutex mutex_;
  // As they were; of those that were tried, as they went.
  std::vector<store::RecordPtr> records_ QUADRA_GUARDED_BY(mutex_);
  std::size_t next_ QUADRA_GUARDED_BY(mutex_) = 0;
  std::size_t under_way_ QUADRA_GUARDED_BY(mutex_) = 0;
  bool is_going_ QUADRA_GUARDED_BY(mutex_) = true;
  std::optional<Failure> failure_ QUADRA_GUARDED_BY(mutex_);  // the first
};

OrFailure<std::vector<store::RecordPtr>> ChosenOf(const Backend& backend, const Ask& ask) {
  const OrFailure<ListOptions> options = ReadListOptions(ask.address.query);
  if (!options) {
    return Fail(options.error());
  }
  const OrFailure<Choice> choice = Choice::Make(ask.kind(), *options);
  if (!choice) {
    return Fail(choice.error());
  }
  std::vector<store::RecordPtr> records;
  backend.store.Head().Scan(PrefixOf(ask.kind(), ask.path().ns), "",
                            [&](const store::RecordPtr& record) {
                              if (choice->Chooses(*record)) {
                                records.push_back(record);
                              }
                              return options->limit == 0 || records.size() < options->limit;
                            });
  return records;
}

}  // namespace

void Delete(const Backend& backend, Ask ask, net::Exchange exchange) {
  const OrFailure<DeleteOptions> options = ReadDeleteOptions(ask);
  const Proposal proposal{.operation = Proposal::Operation::kDelete,
                          .kind = &ask.kind(),
                          .ns = ask.path().ns,
                          .name = ask.path().name,
                          .user = &ask.user};
  const OkOrFailure admitted = options ? Admit(backend, proposal) : OkOrFailure();
  if (!options || !admitted) {
    exchange.Answer(AnswerWith(options ? admitted.error() : options.error(), ask));
    return;
  }
  const ResourceName resource = ask.resource_name();
  Target target{.kind = &ask.kind(),
                .key = KeyOf(ask.kind(), ask.path().ns, ask.path().name),
                .resource = resource,
                .name = ask.path().name,
                .dry_run = options->dry_run()};
  const PendingPtr pending = MakePending(std::move(ask), std::move(exchange));
  ChangeObject(
      backend, std::move(target),
      [&backend, options = *options, resource](const api::Object& standing) {
        return PlanDeletion(standing, options, resource, backend.clock.Now());
      },
      [pending](const OrFailure<Changed>& changed) { Finish(*pending, changed); });
}

void DeleteCollection(const Backend& backend, Ask ask, net::Exchange exchange) {
  const OrFailure<DeleteOptions> options = ReadDeleteOptions(ask);
  if (!options) {
    exchange.Answer(AnswerWith(options.error(), ask));
    return;
  }
  OrFailure<std::vector<store::RecordPtr>> records = ChosenOf(backend, ask);
  if (!records) {
    exchange.Answer(AnswerWith(records.error(), ask));
    return;
  }
  std::make_shared<Sweep>(backend, MakePending(std::move(ask), std::move(exchange)), *options,
                          *std::move(records))
      ->Begin();
}

}  // namespace quadra::apiserver
