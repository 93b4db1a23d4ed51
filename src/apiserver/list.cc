#include <algorithm>

#include <fmt/format.h>

#include "apiserver/choice.h"
#include "apiserver/encode.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/verbs.h"
#include "apiserver/waiting.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kTooOld = "The resourceVersion for the provided list is too old.";
constexpr std::string_view kTokenTooOld =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first "
    "chunk was returned and now may show up in the list.";

// What a list is of.
struct Inquiry {
  ListOptions options;
  Choice choice;
  std::string prefix;
  std::string from;                        // the first key
  std::optional<store::Revision> exactly;  // the state to show; nothing: the newest
};

OkOrFailure TakeToken(Inquiry& inquiry) {
  const ListOptions& options = inquiry.options;
  if (!options.resource_version.empty() && options.resource_version != "0") {
    return Fail(BadRequest("specifying resource version is not allowed when using continue"));
  }
  const Result<api::ContinueToken> token =
      api::DecodeContinue(options.continue_token, inquiry.prefix);
  if (!token) {
    return Fail(BadRequest("invalid continue token: " + token.error().message));
  }
  inquiry.from = token->start_key;
  if (token->resource_version > 0) {
    inquiry.exactly = static_cast<store::Revision>(token->resource_version);
  }
  return {};
}

OrFailure<Inquiry> InquiryOf(const Ask& ask) {
  OrFailure<ListOptions> options = ReadListOptions(ask.address.query);
  if (!options) {
    return Fail(std::move(options).error());
  }
  OrFailure<Choice> choice = Choice::Make(ask.kind(), *options);
  if (!choice) {
    return Fail(std::move(choice).error());
  }
  Inquiry inquiry{.options = *std::move(options),
                  .choice = *std::move(choice),
                  .prefix = PrefixOf(ask.kind(), ask.path().ns)};
  const ListOptions& asked = inquiry.options;
  if (!asked.continue_token.empty()) {
    if (OkOrFailure taken = TakeToken(inquiry); !taken) {
      return Fail(std::move(taken).error());
    }
  } else if (asked.version.value_or(0) > 0 &&
             (asked.match == ListOptions::Match::kExact ||
              (asked.match == ListOptions::Match::kUnset && asked.limit > 0))) {
    inquiry.exactly = asked.version;
  }
  return inquiry;
}

// Where the list goes on, at whatever is newest then.
std::string InconsistentToken(const Inquiry& inquiry) {
  return api::EncodeContinue({.start_key = inquiry.from, .resource_version = -1}, inquiry.prefix)
      .value_or("");
}

OrFailure<store::Snapshot> StateFor(const store::Store& store, const Inquiry& inquiry) {
  if (!inquiry.exactly) {
    return store.Head();
  }
  store::IfRetained<store::Snapshot> then = store.At(*inquiry.exactly);
  if (then) {
    return *std::move(then);
  }
  const bool continues = !inquiry.options.continue_token.empty();
  Failure failure = Expired(std::string(continues ? kTokenTooOld : kTooOld));
  failure.continue_token = continues ? InconsistentToken(inquiry) : "";
  return Fail(std::move(failure));
}

// A limit does not count where any state will do: then all of it is at hand.
std::size_t LimitOf(const ListOptions& options) {
  return options.version == 0 && options.continue_token.empty() ? 0 : options.limit;
}

// In the order of keys, up to the limit.
Page Collect(const store::Snapshot& state, const Inquiry& inquiry) {
  Page page{.records = {}, .revision = state.revision()};
  const std::size_t limit = LimitOf(inquiry.options);
  std::string next;  // what comes behind the page
  const auto take = [&](const store::RecordPtr& record) {
    if (!inquiry.choice.Chooses(*record)) {
      return true;
    }
    if (limit > 0 && page.records.size() == limit) {
      next = page.records.back()->key.text() + std::string(1, '\0');
      return false;
    }
    page.records.push_back(record);
    return true;
  };
  if (const std::optional<std::string>& term = inquiry.choice.term()) {
    state.ScanTerm(*term, inquiry.prefix, inquiry.from, take);
  } else {
    state.Scan(inquiry.prefix, inquiry.from, take);
  }
  if (!next.empty()) {
    page.continue_token =
        api::EncodeContinue(
            {.start_key = next, .resource_version = static_cast<std::int64_t>(page.revision)},
            inquiry.prefix)
            .value_or("");
    page.remaining =
        inquiry.choice.empty() ? std::optional(state.Count(inquiry.prefix, next)) : std::nullopt;
  }
  return page;
}

void AnswerList(const Backend& backend, const Inquiry& inquiry, const Ask& ask,
                net::Exchange& exchange) {
  const OrFailure<store::Snapshot> state = StateFor(backend.store, inquiry);
  if (state) {
    Answer(exchange, Collect(*state, inquiry), ask);
  } else {
    exchange.Answer(AnswerWith(state.error(), ask));
  }
}

}  // namespace

void List(const Backend& backend, Ask ask, net::Exchange exchange) {
  OrFailure<Inquiry> inquiry = InquiryOf(ask);
  if (!inquiry) {
    exchange.Answer(AnswerWith(inquiry.error(), ask));
    return;
  }
  const store::Revision least = inquiry->options.version.value_or(0);
  WaitFor(backend, least, MakePending(std::move(ask), std::move(exchange)),
          [&backend, inquiry = *std::move(inquiry)](Pending& pending) {
            AnswerList(backend, inquiry, pending.ask, pending.exchange);
          });
}

}  // namespace quadra::apiserver
