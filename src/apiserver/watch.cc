// Watch: a stream of the changes of a collection, from a revision on.
#include "apiserver/choice.h"
#include "apiserver/encode.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/verbs.h"
#include "apiserver/waiting.h"
#include "apiserver/watch_stream.h"

namespace quadra::apiserver {
namespace {

// What a watch begins with.
struct Beginning {
  ListOptions options;
  Choice choice;
  std::vector<store::RecordPtr> present;  // told as ADDED first
  store::Revision after = 0;
  bool starts_with_all = false;
};

std::vector<store::RecordPtr> PresentIn(const store::Snapshot& head, const std::string& prefix,
                                        const Choice& choice) {
  std::vector<store::RecordPtr> present;
  head.Scan(prefix, "", [&](const store::RecordPtr& record) {
    if (choice.Chooses(*record)) {
      present.push_back(record);
    }
    return true;
  });
  return present;
}

OrFailure<Beginning> BeginningOf(const Backend& backend, const Ask& ask) {
  OrFailure<ListOptions> options = ReadListOptions(ask.address.query);
  if (!options) {
    return Fail(std::move(options).error());
  }
  OrFailure<Choice> choice = Choice::Make(ask.kind(), *options, ask.path().name);
  if (!choice) {
    return Fail(std::move(choice).error());
  }
  Beginning beginning{.options = *std::move(options), .choice = *std::move(choice)};
  const store::Revision asked = beginning.options.version.value_or(0);
  const bool starts_with_all = beginning.options.send_initial_events.value_or(asked == 0);
  beginning.starts_with_all = starts_with_all;
  const store::Snapshot head = backend.store.Head();
  if (starts_with_all) {
    beginning.present = PresentIn(head, PrefixOf(ask.kind(), ask.path().ns), beginning.choice);
  }
  beginning.after = asked == 0 || starts_with_all ? head.revision() : asked;
  return beginning;
}

// Less than no time ends it at once. Without a wish: between one and two half hours, so that watches that began together do not all
// end together.
std::chrono::seconds TimeoutOf(const ListOptions& options, Random& random) {
  constexpr std::uint64_t kLeast = 1800;
  return options.timeout && options.timeout->count() != 0
             ? std::max(*options.timeout, std::chrono::seconds(0))
             : std::chrono::seconds(kLeast + random.Below(kLeast));
}

}  // namespace

namespace {

void Begin(const Backend& backend, Ask ask, net::Exchange exchange) {
  OrFailure<Beginning> beginning = BeginningOf(backend, ask);
  if (!beginning) {
    exchange.Answer(AnswerWith(beginning.error(), ask));
    return;
  }
  WatchStream::Open(backend,
                    {.ask = std::move(ask),
                     .choice = std::move(beginning->choice),
                     .present = std::move(beginning->present),
                     .marks_present = beginning->options.bookmarks && beginning->starts_with_all,
                     .after = beginning->after,
                     .bookmarks = beginning->options.bookmarks,
                     .timeout = TimeoutOf(beginning->options, backend.random)},
                    std::move(exchange));
}

// A watch that begins with all there is shows no state older than the one it names.
store::Revision LeastFor(const Query& query) {
  const OrFailure<ListOptions> options = ReadListOptions(query);
  return options && options->send_initial_events.value_or(false) ? options->version.value_or(0) : 0;
}

}  // namespace

void Watch(const Backend& backend, Ask ask, net::Exchange exchange) {
  const store::Revision least = LeastFor(ask.address.query);
  WaitFor(backend, least, MakePending(std::move(ask), std::move(exchange)),
          [&backend](Pending& pending) {
            Begin(backend, std::move(pending.ask), std::move(pending.exchange));
          });
}

}  // namespace quadra::apiserver
