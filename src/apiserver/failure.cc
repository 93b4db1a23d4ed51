#include "apiserver/failure.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/go_text.h"
#include "json/writer.h"

namespace quadra::apiserver {
namespace {

Failure About(int code, std::string reason, const ResourceName& resource, std::string_view name,
              std::string message) {
  Failure failure;
  failure.code = code;
  failure.reason = std::move(reason);
  failure.message = std::move(message);
  failure.name = name;
  failure.group = resource.group;
  failure.kind = resource.plural;
  return failure;
}

Failure PlainFailure(int code, std::string reason, std::string message) {
  return About(code, std::move(reason), {}, "", std::move(message));
}

// As Go's aggregate prints errors: the only one as it is, several in brackets, none twice.
std::string Aggregate(const std::vector<validation::FieldError>& errors) {
  std::vector<std::string> texts;
  std::set<std::string> seen;
  for (const validation::FieldError& error : errors) {
    std::string text =
        error.field.empty() ? error.message : fmt::format("{}: {}", error.field, error.message);
    if (seen.insert(text).second) {
      texts.push_back(std::move(text));
    }
  }
  return texts.size() == 1 ? texts.front() : fmt::format("[{}]", fmt::join(texts, ", "));
}

void WriteCauses(json::Writer& writer, const std::vector<Cause>& causes) {
  if (causes.empty()) {
    return;
  }
  writer.Key("causes");
  writer.BeginArray();
  for (const Cause& cause : causes) {
    writer.BeginObject();
    writer.MemberIfAny("reason", cause.reason);
    writer.MemberIfAny("message", cause.message);
    writer.MemberIfAny("field", cause.field);
    writer.EndObject();
  }
  writer.EndArray();
}

bool HasDetails(const Failure& failure) {
  return !failure.name.empty() || !failure.group.empty() || !failure.kind.empty() ||
         !failure.uid.empty() || !failure.causes.empty() || failure.retry_after_seconds > 0 ||
         failure.has_empty_details;
}

void WriteDetails(json::Writer& writer, const Failure& failure) {
  writer.Key("details");
  writer.BeginObject();
  writer.MemberIfAny("name", failure.name);
  writer.MemberIfAny("group", failure.group);
  writer.MemberIfAny("kind", failure.kind);
  writer.MemberIfAny("uid", failure.uid);
  WriteCauses(writer, failure.causes);
  if (failure.retry_after_seconds > 0) {
    writer.Key("retryAfterSeconds");
    writer.Int(failure.retry_after_seconds);
  }
  writer.EndObject();
}

}  // namespace

std::string ResourceName::ToString() const {
  return group.empty() ? std::string(plural) : fmt::format("{}.{}", plural, group);
}

Failure BadRequest(std::string message) {
  return PlainFailure(400, "BadRequest", std::move(message));
}

Failure Unauthorized() { return PlainFailure(401, "Unauthorized", "Unauthorized"); }

Failure Forbidden(const ResourceName& resource, std::string_view name, std::string_view why) {
  const std::string what =
      name.empty() ? resource.ToString() : fmt::format("{} {}", resource.ToString(), GoQuote(name));
  return About(403, "Forbidden", resource, name, fmt::format("{} is forbidden: {}", what, why));
}

Failure NotFound(const ResourceName& resource, std::string_view name) {
  return About(404, "NotFound", resource, name,
               fmt::format("{} {} not found", resource.ToString(), GoQuote(name)));
}

Failure NoSuchResource() {
  Failure failure =
      PlainFailure(404, "NotFound", "the server could not find the requested resource");
  failure.has_empty_details = true;
  return failure;
}

Failure MethodNotAllowed() {
  return PlainFailure(405, "MethodNotAllowed",
                      "the server does not allow this method on the requested resource");
}

Failure NotAcceptable(std::string_view supported) {
  return PlainFailure(406, "NotAcceptable",
                      fmt::format("only the following media types are accepted: {}", supported));
}

Failure NotThatMetadata(bool is_list, std::string_view type) {
  return PlainFailure(
      406, "NotAcceptable",
      fmt::format("you requested PartialObjectMetadata{}, but the requested object is {} "
                  "list ({})",
                  is_list ? "" : "List", is_list ? "a" : "not a", type));
}

Failure UnsupportedMediaType(std::string_view supported) {
  return PlainFailure(
      415, "UnsupportedMediaType",
      fmt::format("the body of the request was in an unknown format - accepted media "
                  "types include: {}",
                  supported));
}

Failure AlreadyExists(const ResourceName& resource, std::string_view name) {
  return About(409, "AlreadyExists", resource, name,
               fmt::format("{} {} already exists", resource.ToString(), GoQuote(name)));
}

Failure Conflict(const ResourceName& resource, std::string_view name, std::string_view why) {
  return About(409, "Conflict", resource, name,
               fmt::format("Operation cannot be fulfilled on {} {}: {}", resource.ToString(),
                           GoQuote(name), why));
}

Failure Modified(const ResourceName& resource, std::string_view name) {
  return Conflict(resource, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

Failure Expired(std::string message) { return PlainFailure(410, "Expired", std::move(message)); }

Failure TooLarge(std::string message) {
  return PlainFailure(413, "RequestEntityTooLarge",
                      "Request entity too large: " + std::move(message));
}

Failure Invalid(std::string_view group, std::string_view kind, std::string_view name,
                const std::vector<validation::FieldError>& errors) {
  Failure failure = About(422, "Invalid", {.group = group, .plural = kind}, name,
                          fmt::format("{} {} is invalid: {}", ResourceName{group, kind}.ToString(),
                                      GoQuote(name), Aggregate(errors)));
  for (const validation::FieldError& error : errors) {
    failure.causes.push_back({.reason = std::string(validation::ErrorTypeName(error.type)),
                              .message = error.message,
                              .field = error.field});
  }
  return failure;
}

Failure Internal(std::string_view why) {
  Failure failure =
      PlainFailure(500, "InternalError", fmt::format("Internal error occurred: {}", why));
  failure.causes.push_back({.reason = "", .message = std::string(why), .field = ""});
  return failure;
}

Failure Unavailable(std::string message) {
  return PlainFailure(503, "ServiceUnavailable", std::move(message));
}

Failure TooManyRequests(std::string message) {
  Failure failure =
      PlainFailure(429, "TooManyRequests", "Too many requests: " + std::move(message));
  failure.retry_after_seconds = 1;
  return failure;
}

Failure NoUniqueName(Failure taken) {
  taken.message += ", the server was not able to generate a unique name for the object";
  taken.retry_after_seconds = 1;
  return taken;
}

Failure TooLargeVersion(std::uint64_t asked, std::uint64_t current) {
  Failure failure = PlainFailure(
      504, "Timeout",
      fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current));
  failure.retry_after_seconds = 1;
  failure.causes.push_back(
      {.reason = "ResourceVersionTooLarge", .message = "Too large resource version", .field = ""});
  return failure;
}

std::string EncodeStatus(const Failure& failure) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.MemberIfAny("kind", "Status");
  writer.MemberIfAny("apiVersion", "v1");
  writer.Key("metadata");
  writer.BeginObject();
  writer.MemberIfAny("continue", failure.continue_token);
  writer.EndObject();
  writer.MemberIfAny("status", "Failure");
  writer.MemberIfAny("message", failure.message);
  writer.MemberIfAny("reason", failure.reason);
  if (HasDetails(failure)) {
    WriteDetails(writer, failure);
  }
  writer.Key("code");
  writer.Int(failure.code);
  writer.EndObject();
  return text;
}

}  // namespace quadra::apiserver
