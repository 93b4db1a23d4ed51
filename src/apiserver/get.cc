#include "apiserver/encode.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/verbs.h"
#include "apiserver/waiting.h"

namespace quadra::apiserver {
namespace {

void AnswerGet(const Backend& backend, const Ask& ask, net::Exchange& exchange) {
  const ResourcePath& path = ask.path();
  const store::RecordPtr record = backend.store.Head().Find(KeyOf(ask.kind(), path.ns, path.name));
  exchange.Answer(record == nullptr ? AnswerWith(NotFound(ask.resource_name(), path.name), ask)
                                    : AnswerWith(200, *record, ask));
}

}  // namespace

void Get(const Backend& backend, Ask ask, net::Exchange exchange) {
  const OrFailure<std::optional<store::Revision>> least =
      ReadVersion(ask.address.query.Get("resourceVersion"));
  if (!least) {
    exchange.Answer(AnswerWith(least.error(), ask));
    return;
  }
  WaitFor(backend, least->value_or(0), MakePending(std::move(ask), std::move(exchange)),
          [&backend](Pending& pending) { AnswerGet(backend, pending.ask, pending.exchange); });
}

}  // namespace quadra::apiserver
