#include "net/client.h"

#include <future>
#include <utility>

#include "net/call.h"
#include "net/inside_line.h"
#include "net/simulated_line.h"
#include "net/switchboard.h"

namespace quadra::net {
namespace {

// An answer that is collected until it is whole.
struct Gathered {
  Response response;
  std::string body;
  std::promise<Status> done;
};

Receiver Into(const std::shared_ptr<Gathered>& gathered) {
  return {.head =
              [gathered](int status, const Headers& headers) {
                gathered->response.status = status;
                gathered->response.headers = headers;
              },
          .data = [gathered](std::string_view piece) { gathered->body.append(piece); },
          .end = [gathered](const Status& how) { gathered->done.set_value(how); }};
}

}  // namespace

Client::Ongoing::Ongoing(std::weak_ptr<Call> call, std::weak_ptr<Carrier> carrier)
    : call_(std::move(call)), carrier_(std::move(carrier)) {}

void Client::Ongoing::Cancel() {
  const std::shared_ptr<Call> call = call_.lock();
  const std::shared_ptr<Carrier> carrier = carrier_.lock();
  if (call && carrier) {
    call->cancelled = true;
    carrier->EndCancelled();
  }
}

Result<std::unique_ptr<Client>> Client::Make(ClientOptions options) {
  if (options.server_name.empty()) {
    options.server_name = options.host;
  }
  QUADRA_TRY(std::shared_ptr<const TlsContext> tls, TlsFor(options));
  std::string path = std::exchange(options.path, {});
  return std::unique_ptr<Client>(new Client(
      std::make_shared<Switchboard>(std::move(options), std::move(tls)), std::move(path)));
}

std::unique_ptr<Client> Client::Inside(Handler handler, Peer peer) {
  return std::unique_ptr<Client>(
      new Client(std::make_shared<InsideLine>(std::move(handler), std::move(peer))));
}

std::unique_ptr<Client> Client::Simulated(SimulatedNetwork& network) {
  return std::unique_ptr<Client>(new Client(SimulatedLine::Make(network)));
}

Client::Client(std::shared_ptr<Carrier> carrier, std::string path)
    : carrier_(std::move(carrier)), path_(std::move(path)) {}

Client::~Client() { carrier_->Stop(); }

Client::Ongoing Client::Start(Request request, Receiver receiver,
                              std::chrono::milliseconds timeout) {
  const auto call = std::make_shared<Call>();
  call->request = std::move(request);
  call->request.target.insert(0, path_);
  call->receiver = std::move(receiver);
  if (timeout.count() > 0) {
    call->deadline = std::chrono::steady_clock::now() + timeout;
  }
  carrier_->Add(call);
  return {call, carrier_};
}

Result<Response> Client::Fetch(Request request, std::chrono::milliseconds timeout) {
  const auto gathered = std::make_shared<Gathered>();
  std::future<Status> done = gathered->done.get_future();
  Start(std::move(request), Into(gathered), timeout);
  QUADRA_RETURN_IF_ERROR(done.get());
  gathered->response.body = Share(std::move(gathered->body));
  return std::move(gathered->response);
}

Status Client::Use(const Credential& credential) { return carrier_->Use(credential); }

std::uint64_t Client::connected() const { return carrier_->connected(); }

}  // namespace quadra::net
