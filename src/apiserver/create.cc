#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/body.h"
#include "apiserver/change.h"
#include "apiserver/generated_name.h"
#include "apiserver/judging.h"
#include "apiserver/owners.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/strategy.h"
#include "apiserver/verbs.h"
#include "apiserver/waiting.h"

namespace quadra::apiserver {
namespace {

constexpr int kMostNames = 8;  // that are tried for one generateName

OkOrFailure SettleNamespace(const Ask& ask, api::ObjectMeta& meta) {
  const std::string expected = ask.kind().namespaced ? ask.path().ns : "";
  if (!meta.ns.empty() && !expected.empty() && meta.ns != expected) {
    return Fail(BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  meta.ns = expected;
  return {};
}

// What is no number other than zero names none.
bool NamesVersion(std::string_view version) {
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(version.data(), version.data() + version.size(), number);
  return error == std::errc() && end == version.data() + version.size() && number != 0;
}

Time WholeSeconds(Time time) { return std::chrono::floor<std::chrono::seconds>(time); }

// What no client may say of a new object.
void StampNew(const Backend& backend, api::Object& object) {
  api::ObjectMeta meta = MetaOf(object);
  meta.uid = NewUuid(backend.random);
  meta.creation_timestamp = WholeSeconds(backend.clock.Now());
  SetMeta(object, meta);
}

// One creation, with another name where a generated one was taken.
class Creation : public std::enable_shared_from_this<Creation> {
 public:
  Creation(const Backend& backend, PendingPtr pending)
      : backend_(backend), pending_(std::move(pending)) {}

  void Start() {
    if (OkOrFailure read = Read(); !read) {
      pending_->Fail(read.error());
      return;
    }
    TryName();
  }

 private:
  OkOrFailure Read() {
    Ask& ask = pending_->ask;
    OrFailure<WriteOptions> options = ReadWriteOptions(ask.address.query, "CreateOptions");
    if (!options) {
      return Fail(options.error());
    }
    options_ = *std::move(options);
    const OrFailure<Encoding> encoding = EncodingOfBody(ask.Header("content-type"));
    if (!encoding) {
      return Fail(encoding.error());
    }
    OrFailure<Body> body =
        ReadBody(ask.request.body, *encoding, ask.kind(), options_.field_validation);
    if (!body) {
      return Fail(std::move(body).error());
    }
    ask.AddWarnings(body->warnings);
    ask.AddWarnings(body->notes);
    sent_ = std::move(body->object);
    DropRepeatedOwners(sent_, kRepeatedOwnersSent, ask.warnings);
    api::ObjectMeta meta = MetaOf(sent_);
    if (!options_.dry_run && NamesVersion(meta.resource_version)) {
      return Fail(BadRequest("resourceVersion should not be set on objects to be created"));
    }
    base_ = meta.name.empty() ? meta.generate_name : "";
    if (OkOrFailure settled = SettleNamespace(ask, meta); !settled) {
      return settled;
    }
    SetMeta(sent_, meta);
    return {};
  }

  void TryName() {
    Ask& ask = pending_->ask;
    api::Object object = sent_;
    api::ObjectMeta meta = MetaOf(object);
    if (!base_.empty()) {
      meta.name = GeneratedName(base_, backend_.random);
      SetMeta(object, meta);
    }
    OrFailure<api::Object> stored = Settle(std::move(object), meta);
    if (!stored) {
      Refuse(stored.error());
      return;
    }
    const Target target{.kind = &ask.kind(),
                        .key = KeyOf(ask.kind(), meta.ns, meta.name),
                        .resource = ask.resource_name(),
                        .name = meta.name,
                        .dry_run = options_.dry_run};
    CreateObject(
        backend_, target, *std::move(stored),
        [self = shared_from_this()](const OrFailure<Changed>& changed) { self->Take(changed); });
  }

  OrFailure<api::Object> Settle(api::Object object, const api::ObjectMeta& meta) {
    Ask& ask = pending_->ask;
    const Proposal proposal{.operation = Proposal::Operation::kCreate,
                            .kind = &ask.kind(),
                            .ns = meta.ns,
                            .name = meta.name,
                            .user = &ask.user,
                            .object = &object};
    if (OkOrFailure admitted = Admit(backend_, proposal); !admitted) {
      return Fail(std::move(admitted).error());
    }
    OrFailure<api::Object> stored =
        JudgeWrite(backend_, validation::Operation::kCreate, std::move(object), std::nullopt, ask);
    if (stored) {
      StampNew(backend_, *stored);
      PrepareForCreate(*stored);
    }
    return stored;
  }

  // What may be made any moment is waited for, once.
  void Refuse(const Failure& failure) {
    if (failure.awaited.empty() || std::exchange(waited_, true)) {
      pending_->Fail(failure);
      return;
    }
    AwaitObject(backend_, failure.awaited, pending_,
                [self = shared_from_this()](Pending& /*pending*/) { self->TryName(); });
  }

  void Take(const OrFailure<Changed>& changed) {
    const bool taken = !changed && changed.error().reason == "AlreadyExists";
    if (taken && !base_.empty() && ++names_ < kMostNames) {
      TryName();
    } else if (taken && !MetaOf(sent_).generate_name.empty()) {
      pending_->Fail(NoUniqueName(changed.error()));
    } else {
      pending_->Finish(201, changed);
    }
  }

  const Backend& backend_;
  PendingPtr pending_;
  WriteOptions options_;
  api::Object sent_;
  std::string base_;  // of the name to generate; empty: it has one
  int names_ = 0;
  bool waited_ = false;
};

}  // namespace

void Create(const Backend& backend, Ask ask, net::Exchange exchange) {
  std::make_shared<Creation>(backend, MakePending(std::move(ask), std::move(exchange)))->Start();
}

}  // namespace quadra::apiserver
