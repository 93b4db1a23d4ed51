#include <algorithm>
#include <array>

#include "apiserver/admission.h"
#include "apiserver/change.h"
#include "apiserver/choice.h"
#include "apiserver/delete_options.h"
#include "apiserver/deletion.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/verbs.h"

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

// One of a collection after the other.
class Sweep : public std::enable_shared_from_this<Sweep> {
 public:
  Sweep(const Backend& backend, PendingPtr pending, DeleteOptions options,
        std::vector<store::RecordPtr> records)
      : backend_(backend),
        pending_(std::move(pending)),
        options_(std::move(options)),
        records_(std::move(records)) {}

  void Next() {
    if (next_ == records_.size()) {
      Answer(pending_->exchange,
             {.records = std::move(gone_), .revision = backend_.store.Head().revision()},
             pending_->ask);
      return;
    }
    const store::RecordPtr& record = records_[next_++];
    const ResourceName resource = pending_->ask.resource_name();
    ChangeObject(
        backend_,
        {.kind = &pending_->ask.kind(),
         .key = record->key.text(),
         .resource = resource,
         .dry_run = options_.dry_run()},
        [self = shared_from_this(), resource](const api::Object& standing) {
          return PlanDeletion(standing, self->options_, resource, self->backend_.clock.Now());
        },
        [self = shared_from_this()](OrFailure<Changed> changed) {
          self->Take(std::move(changed));
        });
  }

 private:
  // What went meanwhile is none of ours.
  void Take(OrFailure<Changed> changed) {
    if (!changed && changed.error().reason != "NotFound") {
      pending_->Fail(changed.error());
      return;
    }
    if (changed) {
      gone_.push_back(std::move(changed->record));
    }
    Next();
  }

  const Backend& backend_;
  PendingPtr pending_;
  DeleteOptions options_;
  std::vector<store::RecordPtr> records_;
  std::size_t next_ = 0;
  std::vector<store::RecordPtr> gone_;
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
      ->Next();
}

}  // namespace quadra::apiserver
