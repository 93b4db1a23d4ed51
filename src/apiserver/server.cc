#include "apiserver/server.h"

#include <fmt/format.h>

#include "apiserver/bootstrap.h"
#include "apiserver/encode.h"
#include "apiserver/handler.h"
#include "apiserver/object_facts.h"
#include "apiserver/server_meters.h"
#include "apiserver/state_files.h"
#include "apiserver/telemetry.h"
#include "base/check.h"
#include "metrics/process.h"
#include "store/sqlite_log.h"

namespace quadra::apiserver {
namespace {

constexpr std::uint16_t kUsualPort = 6443;

net::ServerNames NamesOf(const std::string& address) {
  net::ServerNames names{.common_name = "quadra",
                         .dns = {"localhost", "kubernetes", "kubernetes.default",
                                 "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"},
                         .ips = {"127.0.0.1", "::1", "10.0.0.1"}};
  if (address != "127.0.0.1" && address != "::1") {
    names.ips.push_back(address);
  }
  return names;
}

net::Response RefuseBody(const net::Request& request) {
  return AnswerWith(TooLarge(fmt::format("limit is {}", net::Limits().body_bytes)),
                    Ask{.request = request});
}

}  // namespace

// In the order in which they stand on each other.
class ApiServer::Parts {
 public:
  explicit Parts(ApiServerOptions options, StateFiles files)
      : options_(std::move(options)),
        files_(std::move(files)),
        telemetry_(options_.in_flight, options_.log) {}

  Status Open() {
    if (files_.HasLostDatabase()) {
      options_.log.write(fmt::format(
          "note: there are keys of a server beside it, but {} is missing or empty: starting with "
          "nothing stored; if there was something, end this and restore a backup\n",
          files_.database().string()));
    }
    // Whoever cannot have the store is a second server: the kubeconfig is the first one's.
    QUADRA_TRY(std::unique_ptr<store::Log> log, store::OpenSqliteLog(files_.database(), {}));
    files_.RemoveKubeconfig();
    QUADRA_TRY(store_, store::Store::Open(std::move(log), extractor_, clock_,
                                          {.on_load = options_.on_load}));
    QUADRA_TRY(authority_, files_.Authority(clock_.Now()));
    QUADRA_RETURN_IF_ERROR(files_.MakeSigningKey());
    backend_.emplace(Backend{.store = *store_,
                             .catalog = catalog_,
                             .discovery = discovery_,
                             .openapi = openapi_,
                             .clock = clock_,
                             .random = random_,
                             .gates = options_.gates,
                             .pump = pump_,
                             .telemetry = telemetry_,
                             .guard_allocations = options_.guard_allocations,
                             .ask_scheduler = options_.ask_scheduler});
    metrics::AddProcess(telemetry_.registry);
    AddServerMeters(*backend_, files_.database(), telemetry_.registry);
    handler_.emplace(*backend_);
    QUADRA_RETURN_IF_ERROR(CreateFirstObjects(*backend_, authority_.certificate));
    return Listen();
  }

  std::string url() const {
    const bool six = options_.address.find(':') != std::string::npos;
    return fmt::format("https://{}{}{}:{}", six ? "[" : "", options_.address, six ? "]" : "",
                       server_->port());
  }
  std::uint16_t port() const { return server_->port(); }
  std::filesystem::path kubeconfig() const { return files_.kubeconfig(); }

  Status Announce() {
    QUADRA_TRY(
        const net::Credential admin,
        net::IssueClient(authority_, {"kubernetes-admin", {"system:masters"}}, clock_.Now()));
    return files_.WriteKubeconfig(url(), authority_.certificate, admin);
  }

  net::Handler handler() {
    return [this](net::Request request, net::Exchange exchange) {
      (*handler_)(std::move(request), std::move(exchange));
    };
  }

  bool Stop(std::chrono::milliseconds patience) {
    bool ended = true;
    files_.RemoveKubeconfig();
    pump_.Close();
    if (server_ != nullptr) {
      ended = server_->Drain(patience);
      server_.reset();
    }
    files_.RemoveProcess();
    return ended;
  }

 private:
  Status Listen() {
    QUADRA_TRY(const net::Credential credential,
               net::IssueServer(authority_, NamesOf(options_.address), clock_.Now()));
    QUADRA_TRY(server_, Bind(credential));
    QUADRA_RETURN_IF_ERROR(files_.KeepPort(server_->port()));
    QUADRA_RETURN_IF_ERROR(files_.KeepProcess());
    return options_.announce ? Announce() : Status();
  }

  Result<std::unique_ptr<net::Server>> Bind(const net::Credential& credential) {
    const std::uint16_t wanted = options_.port.value_or(files_.LastPort().value_or(kUsualPort));
    Result<std::unique_ptr<net::Server>> server = BindTo(credential, wanted);
    return server || options_.port ? std::move(server) : BindTo(credential, 0);
  }
  Result<std::unique_ptr<net::Server>> BindTo(const net::Credential& credential,
                                              std::uint16_t port) {
    return net::Server::Start({.address = options_.address,
                               .port = port,
                               .credential = credential,
                               .client_authorities = authority_.certificate,
                               .oversized = RefuseBody},
                              handler());
  }

  const ApiServerOptions options_;
  const StateFiles files_;
  const SystemClock system_clock_;
  const Clock& clock_ = options_.clock == nullptr ? system_clock_ : *options_.clock;
  SystemRandom random_;
  const ObjectExtractor extractor_{options_.guard_allocations};
  const Catalog catalog_{options_.runtime_config.ServedOf(api::Registry().All())};
  const Discovery discovery_{catalog_};
  OpenApi openapi_{catalog_};
  net::Credential authority_;
  Telemetry telemetry_;  // outlives requests, and so the store that answers them
  std::unique_ptr<store::Store> store_;
  WatchPump pump_;
  std::optional<Backend> backend_;
  std::optional<ApiHandler> handler_;
  std::unique_ptr<net::Server> server_;
};

Status BackUp(const std::filesystem::path& directory, const std::filesystem::path& file) {
  return store::BackUp(directory / kDatabase, file);
}

Status Restore(const std::filesystem::path& file, const std::filesystem::path& directory) {
  QUADRA_TRY(const StateFiles files, StateFiles::Open(directory));
  return store::Restore(file, files.database());
}

ApiServer::ApiServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

ApiServer::~ApiServer() { parts_->Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<ApiServer>> ApiServer::Start(ApiServerOptions options) {
  QUADRA_TRY(StateFiles files, StateFiles::Open(options.directory));
  auto parts = std::make_unique<Parts>(std::move(options), std::move(files));
  QUADRA_RETURN_IF_ERROR(parts->Open());
  return std::unique_ptr<ApiServer>(new ApiServer(std::move(parts)));
}

std::string ApiServer::url() const { return parts_->url(); }

std::uint16_t ApiServer::port() const { return parts_->port(); }

std::filesystem::path ApiServer::kubeconfig() const { return parts_->kubeconfig(); }

Status ApiServer::Announce() { return parts_->Announce(); }

net::Handler ApiServer::handler() { return parts_->handler(); }

bool ApiServer::Stop(std::chrono::milliseconds patience) { return parts_->Stop(patience); }

}  // namespace quadra::apiserver
