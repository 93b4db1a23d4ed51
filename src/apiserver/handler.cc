#include "apiserver/handler.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/authenticate.h"
#include "apiserver/deprecation.h"
#include "apiserver/encode.h"
#include "apiserver/explain.h"
#include "apiserver/failure.h"
#include "apiserver/health.h"
#include "apiserver/throttle.h"
#include "apiserver/verbs.h"
#include "base/go_text.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kOpenApi = "/openapi/v3";
// Read by anybody, so that probes need no credentials.
constexpr std::array<std::string_view, 4> kOpen = {"/healthz", "/livez", "/readyz", "/version"};

bool IsOpen(std::string_view path) {
  return std::ranges::any_of(kOpen, [&](std::string_view open) {
    return path == open || (path.starts_with(open) && path.substr(open.size()).starts_with('/'));
  });
}

bool IsRead(const net::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

InFlight::Kind KindOf(const net::Request& request) {
  return IsRead(request) ? InFlight::Kind::kReading : InFlight::Kind::kWriting;
}

// What a method means depends on whether it names one object; nothing where it means nothing.
std::optional<Verb> VerbOf(const net::Request& request, const Query& query,
                           const ResourcePath& path) {
  const bool one = !path.name.empty();
  if (request.method == "GET") {
    const bool watch = path.is_watch || (!one && query.IsTrue("watch"));
    return watch ? Verb::kWatch : one ? Verb::kGet : Verb::kList;
  }
  if (request.method == "POST") {
    return Verb::kCreate;
  }
  if (request.method == "PUT") {
    return Verb::kUpdate;
  }
  if (request.method == "PATCH") {
    return Verb::kPatch;
  }
  if (request.method == "DELETE") {
    return one ? Verb::kDelete : Verb::kDeleteCollection;
  }
  return std::nullopt;
}

VerbFunction FunctionOf(Verb verb) {
  switch (verb) {
    case Verb::kCreate:
      return Create;
    case Verb::kDelete:
      return Delete;
    case Verb::kDeleteCollection:
      return DeleteCollection;
    case Verb::kGet:
      return Get;
    case Verb::kList:
      return List;
    case Verb::kPatch:
      return Patch;
    case Verb::kUpdate:
      return Update;
    case Verb::kWatch:
      return Watch;
  }
  return Get;
}

// Some kinds are created and not kept.
VerbFunction FunctionFor(Verb verb, const api::KindSchema& kind) {
  if (kind.kind == "Binding") {
    return Bind;
  }
  return IsReview(kind) ? Review : FunctionOf(verb);
}

// One object is created in its collection, and written at its own address.
bool IsAddressed(Verb verb, const ResourcePath& path) {
  if (verb == Verb::kCreate) {
    return path.name.empty() || !path.subresource.empty();
  }
  return !path.name.empty() || (verb != Verb::kUpdate && verb != Verb::kPatch);
}

// Objects of namespaces are addressed within one, and listed in all as well; others in none.
bool IsInScope(const ResourcePath& path, const api::KindSchema& kind) {
  const bool is_namespace = kind.group.empty() && kind.kind == "Namespace";
  if (kind.namespaced) {
    return path.name.empty() || !path.ns.empty();
  }
  return path.ns.empty() || (is_namespace && path.ns == path.name);
}

// Of all namespaces at once there is no more than lists.
bool IsOfAllNamespaces(const ResourcePath& path, const api::KindSchema& kind) {
  return kind.namespaced && path.ns.empty();
}

// No name may lead out of its collection.
OkOrFailure CheckAddressedName(const std::string& name) {
  const api::Problems problems =
      name.empty() ? api::Problems() : api::PathSegmentProblems(name, false);
  if (problems.empty()) {
    return {};
  }
  return Fail(BadRequest(
      fmt::format("Name parameter invalid: {}: {}", GoQuote(name), fmt::join(problems, ";"))));
}

// Upstream's store refuses the keys that these would make.
OkOrFailure CheckAddressedNamespace(const ResourcePath& path, Verb verb) {
  if (path.ns != "." && path.ns != "..") {
    return {};
  }
  if (verb == Verb::kCreate) {
    return Fail(
        Internal(fmt::format("invalid resource name \"{0}\": [may not be '{0}']", path.ns)));
  }
  Failure failure;
  failure.message = fmt::format("invalid key: \"/{}/{}\"", path.plural, path.ns);
  return Fail(std::move(failure));
}

// Fills in what the address names; the verb that is asked of it.
OrFailure<Verb> Resolve(const Catalog& catalog, Ask& ask) {
  const ResourcePath& path = ask.path();
  ask.resource = catalog.Find(path.group, path.version, path.plural);
  if (ask.resource == nullptr || !IsInScope(path, *ask.resource->kind)) {
    return Fail(NoSuchResource());
  }
  if (OkOrFailure named = CheckAddressedName(path.name); !named) {
    return Fail(std::move(named).error());
  }
  if (!path.subresource.empty()) {
    ask.subresource = ask.resource->Find(path.subresource);
    if (ask.subresource == nullptr) {
      return Fail(NoSuchResource());
    }
  }
  const std::optional<Verb> verb = VerbOf(ask.request, ask.address.query, path);
  const Verbs verbs = ask.subresource == nullptr ? ask.resource->verbs : ask.subresource->verbs;
  const bool reads = verb == Verb::kList || verb == Verb::kWatch;
  if (!verb || !verbs.Has(*verb) || !IsAddressed(*verb, path) ||
      (path.is_watch && verb != Verb::kWatch) ||
      (!reads && IsOfAllNamespaces(path, *ask.resource->kind))) {
    return Fail(MethodNotAllowed());
  }
  if (OkOrFailure within = CheckAddressedNamespace(path, *verb); !within) {
    return Fail(std::move(within).error());
  }
  return *verb;
}

// Of some subresources upstream makes no tables.
bool HasTable(const Ask& ask) {
  const std::string& part = ask.path().subresource;
  return part != "ephemeralcontainers" && part != "resize" &&
         !(part == "status" && ask.kind().group == api::kDraGroup);
}

net::Response JsonAnswer(std::string body, std::string_view type) {
  net::Response response{.status = 200};
  response.headers.Add("content-type", std::string(type));
  response.headers.Add("cache-control", "no-cache, private");
  response.headers.Add("vary", "Accept");
  response.body = net::Share(std::move(body));
  return response;
}

net::Response MetricsAnswer(const metrics::Registry& registry) {
  net::Response response{.status = 200};
  response.headers.Add("content-type", std::string(metrics::Registry::kMediaType));
  response.body = net::Share(registry.Print());
  return response;
}

// Version 2 is a document without definitions: kubectl asks for it about Lists, finds nothing to
// check their items against, and leaves that to us.
net::Response OpenApiV2(const Ask& ask) {
  constexpr std::string_view kProto = "proto-openapi.spec.v2";
  if (ask.Header("accept").find(kProto) == std::string::npos) {
    return JsonAnswer(
        R"({"swagger":"2.0","info":{"title":"Quadra","version":"v1.37.1"},"paths":{},"definitions":{}})",
        "application/json");
  }
  constexpr std::string_view kDocument =
      "\x0a\x03"
      "2.0"
      "\x12\x11\x0a\x06Quadra\x12\x07v1.37.1";
  return JsonAnswer(std::string(kDocument),
                    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
}

// The first of the forms that the client names.
DiscoveryForm FormOf(std::string_view accept) {
  const std::size_t v2 = accept.find("v=v2;");
  const std::size_t v2beta1 = accept.find("v=v2beta1;");
  if (accept.find("as=APIGroupDiscoveryList") == std::string_view::npos || (v2 == v2beta1)) {
    return DiscoveryForm::kPlain;
  }
  return v2 < v2beta1 ? DiscoveryForm::kAggregatedV2 : DiscoveryForm::kAggregatedV2beta1;
}

// Below the paths of groups that are served, also what is not there is answered with a Status.
bool IsBelowGroup(const Catalog& catalog, std::string_view path) {
  constexpr std::string_view kCore = "/api/";
  constexpr std::string_view kGroups = "/apis/";
  if (!path.starts_with(kGroups)) {
    return path.starts_with(kCore);
  }
  path.remove_prefix(kGroups.size());
  const std::string_view group = path.substr(0, path.find('/'));
  return !group.empty() && catalog.Find(group) != nullptr;
}

}  // namespace

void ApiHandler::operator()(net::Request request, net::Exchange exchange) const {
  Ask ask{.request = std::move(request)};
  ask.now = backend_.clock.Now();
  ask.address = ParseAddress(ask.request.target);
  RequestWitness& witness = RequestWitness::Attend(backend_, ask, exchange);
  const bool is_open = IsOpen(ask.address.path);
  if (!is_open) {
    OrFailure<User> user = Authenticate(ask.request);
    if (!user) {
      exchange.Answer(AnswerWith(user.error(), ask));
      return;
    }
    ask.user = *std::move(user);
  }
  const bool is_below_group = IsBelowGroup(backend_.catalog, ask.address.path);
  std::optional<ResourcePath> where = std::move(ask.address.resource);
  if (is_below_group && where) {
    ask.where = *std::move(where);
    ServeResource(std::move(ask), witness, std::move(exchange));
  } else if (!is_open && !FindRoom(backend_, ask, KindOf(ask.request), witness, exchange)) {
    return;
  } else if (!ServePlain(ask, witness, exchange)) {
    exchange.Answer(is_below_group ? AnswerWith(NoSuchResource(), ask)
                                   : net::PlainText(404, "404 page not found"));
  }
}

void ApiHandler::ServeResource(Ask ask, RequestWitness& witness, net::Exchange exchange) const {
  const OrFailure<Verb> verb = Resolve(backend_.catalog, ask);
  if (!verb) {
    exchange.Answer(AnswerWith(verb.error(), ask));
    return;
  }
  witness.Counts(LabelsOf(ask, *verb));
  if (*verb != Verb::kWatch && !FindRoom(backend_, ask, KindOf(ask.request), witness, exchange)) {
    return;
  }
  OrFailure<Representation> representation = Negotiate(ask.Header("accept"));
  if (!representation) {
    exchange.Answer(AnswerWith(representation.error(), ask));
    return;
  }
  if (representation->shape == Representation::Shape::kTable && !HasTable(ask)) {
    exchange.Answer(AnswerWith(NotAcceptable(kMediaTypes), ask));
    return;
  }
  if (*verb == Verb::kWatch && representation->IsMetadataOf(/*list=*/true)) {
    exchange.Answer(AnswerWith(NotThatMetadata(/*is_list=*/false, "watch"), ask));
    return;
  }
  if (*verb == Verb::kWatch && representation->encoding == Encoding::kYaml) {
    exchange.Answer(AnswerWith(NotAcceptable(kWatchMediaTypes), ask));
    return;
  }
  ask.representation = *std::move(representation);
  if (std::string warning = DeprecationOf(ask.kind()); !warning.empty()) {
    ask.warnings.push_back(std::move(warning));
  }
  const VerbFunction serve = FunctionFor(*verb, ask.shown_kind());
  serve(backend_, std::move(ask), std::move(exchange));
}

bool ApiHandler::ServePlain(const Ask& ask, RequestWitness& witness,
                            net::Exchange& exchange) const {
  std::string_view path = ask.address.path;
  if (const RequestLabels labels = LabelsOfPlain(path); !labels.verb.empty()) {
    witness.Counts(labels);
  }
  if (path == "/version" || path == "/version/") {
    exchange.Answer(IsRead(ask.request) ? JsonAnswer(VersionBody(kBuild), "application/json")
                                        : AnswerWith(MethodNotAllowed(), ask));
    return true;
  }
  if (IsOpen(path)) {
    exchange.Answer(AnswerHealth(backend_, path, ask.address.query));
    return true;
  }
  path.remove_suffix(path.size() > 1 && path.ends_with('/') ? 1 : 0);
  if (path == "/metrics") {
    exchange.Answer(MetricsAnswer(backend_.telemetry.registry));
    return true;
  }
  if (path == "/openapi/v2") {
    exchange.Answer(OpenApiV2(ask));
    return true;
  }
  if (path.starts_with(kOpenApi)) {
    return ServeOpenApi(path.substr(kOpenApi.size()), ask, exchange);
  }
  if (ServeExplanation(backend_, ask, exchange)) {
    return true;
  }
  const DiscoveryForm form = FormOf(ask.Header("accept"));
  for (const DiscoveryForm each : {form, DiscoveryForm::kPlain}) {
    if (const std::string* body = backend_.discovery.Find(path, each)) {
      exchange.Answer(IsRead(ask.request) ? JsonAnswer(*body, MediaTypeOf(each))
                                          : AnswerWith(MethodNotAllowed(), ask));
      return true;
    }
  }
  return false;
}

bool ApiHandler::ServeOpenApi(std::string_view path, const Ask& ask,
                              net::Exchange& exchange) const {
  if (path.empty()) {
    exchange.Answer(JsonAnswer(backend_.openapi.Index(), "application/json"));
    return true;
  }
  const OpenApiDocument* document = backend_.openapi.Find(path.substr(1));
  if (document == nullptr) {
    return false;
  }
  const bool zipped = TakesGzip(ask);
  net::Response response = JsonAnswer(zipped ? document->gzip : document->json, "application/json");
  response.headers.Add("etag", "\"" + document->hash + "\"");
  if (zipped) {
    response.headers.Add("content-encoding", "gzip");
  }
  exchange.Answer(std::move(response));
  return true;
}

}  // namespace quadra::apiserver
