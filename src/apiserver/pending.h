// Pending: a request that waits for the store, shared by the callbacks that answer it.
#pragma once

#include <memory>
#include <utility>

#include "apiserver/ask.h"
#include "apiserver/change.h"
#include "apiserver/encode.h"

namespace quadra::apiserver {

struct Pending {
  Ask ask;
  net::Exchange exchange;

  void Fail(const Failure& failure) { exchange.Answer(AnswerWith(failure, ask)); }
  // With what stands there now.
  void Finish(int status, const OrFailure<Changed>& changed) {
    if (!changed) {
      Fail(changed.error());
    } else {
      exchange.Answer(AnswerWith(status, *changed->record, ask));
    }
  }
};

using PendingPtr = std::shared_ptr<Pending>;

inline PendingPtr MakePending(Ask ask, net::Exchange exchange) {
  return std::make_shared<Pending>(Pending{std::move(ask), std::move(exchange)});
}

}  // namespace quadra::apiserver
