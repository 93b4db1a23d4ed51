#include "apiserver/body.h"
#include "apiserver/change.h"
#include "apiserver/owners.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"
#include "apiserver/rewriting.h"
#include "apiserver/stored_form.h"
#include "apiserver/strategy.h"
#include "apiserver/subresource.h"
#include "apiserver/verbs.h"

namespace quadra::apiserver {
namespace {

OrFailure<api::Object> ReadSent(Ask& ask, const WriteOptions& options) {
  const OrFailure<Encoding> encoding = EncodingOfBody(ask.Header("content-type"));
  if (!encoding) {
    return Fail(encoding.error());
  }
  OrFailure<Body> body =
      ReadBody(ask.request.body, *encoding, ask.shown_kind(), options.field_validation);
  if (!body) {
    return Fail(std::move(body).error());
  }
  ask.AddWarnings(body->warnings);
  ask.AddWarnings(body->notes);
  DropRepeatedOwners(body->object, kRepeatedOwnersSent, ask.warnings);
  api::ObjectMeta meta = MetaOf(body->object);
  if (OkOrFailure named = CheckName(meta, ask.path()); !named) {
    return Fail(std::move(named).error());
  }
  meta.ns = ask.kind().namespaced ? ask.path().ns : "";
  SetMeta(body->object, meta);
  return std::move(body->object);
}

bool Stands(const Backend& backend, const Ask& ask) {
  const std::string key = KeyOf(ask.kind(), ask.path().ns, ask.path().name);
  return backend.store.Head().Find(key) != nullptr;
}

}  // namespace

void Update(const Backend& backend, Ask ask, net::Exchange exchange) {
  const OrFailure<WriteOptions> options = ReadWriteOptions(ask.address.query, "UpdateOptions");
  if (!options) {
    exchange.Answer(AnswerWith(options.error(), ask));
    return;
  }
  OrFailure<api::Object> sent = ReadSent(ask, *options);
  if (!sent) {
    exchange.Answer(AnswerWith(sent.error(), ask));
    return;
  }
  if (ask.subresource == nullptr && AllowsCreateOnUpdate(ask.kind()) && !Stands(backend, ask)) {
    Create(backend, std::move(ask), std::move(exchange));
    return;
  }
  const PendingPtr pending = MakePending(std::move(ask), std::move(exchange));
  Rewrite(backend, pending, *options,
          [pending, sent = *std::move(sent)](const api::Object& standing) {
            return Merge(pending->ask, sent, standing);
          });
}

}  // namespace quadra::apiserver
