#include "apiserver/change.h"

#include <memory>
#include <variant>

#include <fmt/format.h>

#include "apiserver/held_devices.h"
#include "apiserver/object_facts.h"
#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

// One more than anybody needs who is not starved: each attempt fails only if another write went
// through meanwhile.
constexpr int kMostAttempts = 100;

// How long an object lives that nobody writes again; nothing: for ever.
std::optional<std::chrono::seconds> TtlOf(const api::KindSchema& kind) {
  return kind.kind == "Event" ? std::optional<std::chrono::seconds>(std::chrono::hours(1))
                              : std::nullopt;
}

Failure WriteFailure(const store::Refused& refused) {
  switch (refused.why) {
    case store::Refused::Why::kReadOnly:
      return Unavailable(refused.error.ToString());
    case store::Refused::Why::kBusy:
      return TooManyRequests(refused.error.ToString());
    case store::Refused::Why::kClosing:
      return Unavailable("the server is going down");
  }
  return Unavailable(refused.error.ToString());
}

// Somebody was faster, or knows less: its client looks again, and takes another device.
Failure DeviceTaken(const Target& target, const store::Taken& taken) {
  const auto& holder = FactsOf(*taken.holder).fields();
  return Conflict(
      target.resource, target.name,
      fmt::format("{} is allocated to resourceclaim {}/{} already; look at the claims again and "
                  "allocate another device, or delete that claim (this server runs with "
                  "--guard-allocations)",
                  DeviceOfTerm(taken.term), holder.at("metadata.namespace"),
                  holder.at("metadata.name")));
}

// Without the version that nothing has yet.
std::string WithoutVersion(const store::Draft& draft) {
  constexpr std::string_view kMember = R"("resourceVersion":"",)";
  std::string bytes = draft.bytes;
  return bytes.erase(bytes.find(kMember), kMember.size());
}

// As much as one request may send: patches could make an object grow without end.
constexpr std::size_t kMostBytes = std::size_t{3} << 20;

OkOrFailure CheckSize(const store::Draft& draft) {
  return draft.bytes.size() <= kMostBytes
             ? OkOrFailure()
             : OkOrFailure(Fail(TooLarge(fmt::format("the object would have {} bytes, limit is {}",
                                                     draft.bytes.size(), kMostBytes))));
}

// What would stand there.
store::RecordPtr Imagined(store::Draft draft, const store::RecordPtr& standing, std::string key) {
  auto record = std::make_shared<store::Record>(store::Record{.key = store::Key(std::move(key))});
  record->modified = standing == nullptr ? 0 : standing->modified;
  record->created = standing == nullptr ? 0 : standing->created;
  record->bytes = standing == nullptr ? WithoutVersion(draft)
                                      : store::Stamp(std::move(draft), standing->modified);
  return record;
}

// Alive until its `done` was called: the store's callback keeps it.
class Attempt : public std::enable_shared_from_this<Attempt> {
 public:
  Attempt(const Backend& backend, Target target, Decide decide, Done done)
      : backend_(backend),
        target_(std::move(target)),
        decide_(std::move(decide)),
        done_(std::move(done)) {}

  void Try(const store::RecordPtr& standing) {
    if (standing == nullptr) {
      done_(Fail(NotFound(target_.resource, target_.name)));
      return;
    }
    const api::Object before = ObjectOf(*target_.kind, *standing);
    OrFailure<Plan> plan = decide_(before);
    if (!plan) {
      done_(Fail(std::move(plan).error()));
    } else if (plan->action == Plan::Action::kKeep) {
      done_(Changed{.record = standing});
    } else {
      Write(standing, before, *std::move(plan));
    }
  }

 private:
  void Proceed(store::RecordPtr record, Plan::Action action) {
    if (action == Plan::Action::kMarkAndRemove) {
      Submit(store::Reopen(*record), record->modified, Plan::Action::kRemove, {});
    } else {
      done_(Changed{.record = std::move(record), .removed = action == Plan::Action::kRemove});
    }
  }

  void Write(const store::RecordPtr& standing, const api::Object& before, Plan plan) {
    const bool removes = plan.action != Plan::Action::kPut;
    std::vector<std::string> sole_terms = backend_.guard_allocations && !removes
                                              ? TermsOfNewlyHeld(plan.object, before)
                                              : std::vector<std::string>();
    store::Draft draft = DraftOf(std::move(plan.object));
    if (!removes && draft.bytes == store::Reopen(*standing).bytes) {
      done_(Changed{.record = standing});
      return;
    }
    if (OkOrFailure fits = CheckSize(draft); !fits && !removes) {
      done_(Fail(std::move(fits).error()));
      return;
    }
    if (target_.dry_run) {
      done_(Imagine(std::move(draft), standing, removes, sole_terms));
      return;
    }
    Submit(std::move(draft), standing->modified, plan.action, std::move(sole_terms));
  }

  OrFailure<Changed> Imagine(store::Draft draft, const store::RecordPtr& standing, bool removes,
                             const std::vector<std::string>& sole_terms) const {
    const auto taken = store::FindTaken(backend_.store.Head().content(), sole_terms, target_.key);
    if (taken) {
      return Fail(DeviceTaken(target_, *taken));
    }
    return Changed{.record = Imagined(std::move(draft), standing, target_.key), .removed = removes};
  }

  void Submit(store::Draft draft, store::Revision standing, Plan::Action action,
              std::vector<std::string> sole_terms) {
    backend_.store.Submit({.action = action == Plan::Action::kRemove ? store::Write::Action::kDelete
                                                                     : store::Write::Action::kPut,
                           .key = target_.key,
                           .precondition = store::Precondition::ModifiedAt(standing),
                           .draft = std::move(draft),
                           .ttl = TtlOf(*target_.kind),
                           .sole_terms = std::move(sole_terms)},
                          [self = shared_from_this(), action](store::Outcome outcome) {
                            self->Take(std::move(outcome), action);
                          });
  }

  void Take(store::Outcome outcome, Plan::Action action) {
    if (auto* committed = std::get_if<store::Committed>(&outcome)) {
      Proceed(std::move(committed->record), action);
    } else if (auto* refused = std::get_if<store::Refused>(&outcome)) {
      done_(Fail(WriteFailure(*refused)));
    } else if (const auto* taken = std::get_if<store::Taken>(&outcome)) {
      done_(Fail(DeviceTaken(target_, *taken)));
    } else if (++attempts_ == kMostAttempts) {
      done_(Fail(Modified(target_.resource, target_.name)));
    } else {
      Try(std::get<store::Conflict>(outcome).standing);
    }
  }

  const Backend& backend_;
  const Target target_;
  const Decide decide_;
  const Done done_;
  int attempts_ = 0;
};

}  // namespace

void ChangeObject(const Backend& backend, Target target, Decide decide, Done done) {
  const store::RecordPtr standing = backend.store.Head().Find(target.key);
  std::make_shared<Attempt>(backend, std::move(target), std::move(decide), std::move(done))
      ->Try(standing);
}

namespace {

// Clients wait for what goes, and give up on what stays.
Failure StandsAlready(const Backend& backend, const Target& target) {
  Failure failure = AlreadyExists(target.resource, target.name);
  const store::RecordPtr record = backend.store.Head().Find(target.key);
  if (record != nullptr && MetaOf(ObjectOf(*target.kind, *record)).deletion_timestamp) {
    failure.message = "object is being deleted: " + failure.message;
  }
  return failure;
}

}  // namespace

void CreateObject(const Backend& backend, const Target& target, api::Object object, Done done) {
  store::Draft draft = DraftOf(std::move(object));
  if (OkOrFailure fits = CheckSize(draft); !fits) {
    done(Fail(std::move(fits).error()));
    return;
  }
  if (target.dry_run) {
    const bool exists = backend.store.Head().Find(target.key) != nullptr;
    done(exists ? OrFailure<Changed>(Fail(StandsAlready(backend, target)))
                : Changed{.record = Imagined(std::move(draft), nullptr, target.key)});
    return;
  }
  backend.store.Submit({.key = target.key,
                        .precondition = store::Precondition::Absent(),
                        .draft = std::move(draft),
                        .ttl = TtlOf(*target.kind)},
                       [&backend, target, done = std::move(done)](store::Outcome outcome) {
                         if (auto* committed = std::get_if<store::Committed>(&outcome)) {
                           done(Changed{.record = std::move(committed->record)});
                         } else if (auto* refused = std::get_if<store::Refused>(&outcome)) {
                           done(Fail(WriteFailure(*refused)));
                         } else {
                           done(Fail(StandsAlready(backend, target)));
                         }
                       });
}

}  // namespace quadra::apiserver
