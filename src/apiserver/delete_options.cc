#include "apiserver/delete_options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "apiserver/body.h"
#include "apiserver/request_options.h"
#include "apiserver/tree.h"
#include "base/go_text.h"

namespace quadra::apiserver {
namespace {

using validation::ErrorList;

std::optional<std::string> OptionalText(const api::Object& object,
                                        std::initializer_list<std::string_view> path) {
  const api::Value* value = Look(object, path);
  const auto* text = value == nullptr ? nullptr : value->As<std::string>();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

template <typename T>
std::optional<T> OptionalAt(const api::Object& object, std::string_view name) {
  const api::Value* value = Look(object, {name});
  const T* content = value == nullptr ? nullptr : value->As<T>();
  return content == nullptr ? std::nullopt : std::optional(*content);
}

std::vector<std::string> OptionTexts(const api::Object& object, std::string_view name) {
  const api::Value* value = Look(object, {name});
  const auto* items = value == nullptr ? nullptr : value->As<api::Value::Items>();
  std::vector<std::string> texts;
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const auto* text = (*items)[i].As<std::string>();
    texts.push_back(text == nullptr ? "" : *text);
  }
  return texts;
}

// Every group may name its own kind of them; they are all alike.
OrFailure<api::Object> DecodeBody(std::string_view bytes, Encoding encoding) {
  const api::KindSchema& kind = *api::FindKind("v1", "DeleteOptions");
  if (encoding == Encoding::kProtobuf) {
    Result<api::Object> read = api::DecodeProto(bytes, &kind);
    return read ? OrFailure<api::Object>(*std::move(read)) : Fail(BadRequest(read.error().message));
  }
  const OrFailure<std::string> json = JsonOf(bytes, encoding);
  if (!json) {
    return Fail(json.error());
  }
  api::Decoded<api::Object> read =
      api::DecodeJson(*json, {.strictness = api::Strictness::kLenient, .assumed = &kind});
  return read ? OrFailure<api::Object>(*std::move(read)) : Fail(BadRequest(read.error().message));
}

OrFailure<DeleteOptions> FromBody(const Ask& ask) {
  const OrFailure<Encoding> encoding = EncodingOfBody(ask.Header("content-type"));
  if (!encoding) {
    return Fail(encoding.error());
  }
  const OrFailure<api::Object> object = DecodeBody(ask.request.body, *encoding);
  if (!object) {
    return Fail(object.error());
  }
  if (object->kind->kind != "DeleteOptions") {
    return Fail(BadRequest("decoded object cannot be converted to DeleteOptions"));
  }
  return DeleteOptions{
      .grace_period_seconds = OptionalAt<std::int64_t>(*object, "gracePeriodSeconds"),
      .uid = OptionalText(*object, {"preconditions", "uid"}),
      .resource_version = OptionalText(*object, {"preconditions", "resourceVersion"}),
      .propagation = OptionalText(*object, {"propagationPolicy"}),
      .orphan_dependents = OptionalAt<bool>(*object, "orphanDependents"),
      .dry_runs = OptionTexts(*object, "dryRun")};
}

std::optional<std::string> OptionalText(const Query& query, std::string_view name) {
  return query.Has(name) ? std::optional(std::string(query.Get(name))) : std::nullopt;
}

// An empty precondition is none.
std::optional<std::string> Precondition(const Query& query, std::string_view name) {
  return query.Get(name).empty() ? std::nullopt : OptionalText(query, name);
}

OrFailure<DeleteOptions> FromQuery(const Query& query) {
  DeleteOptions options{.uid = Precondition(query, "uid"),
                        .resource_version = Precondition(query, "resourceVersion"),
                        .propagation = OptionalText(query, "propagationPolicy")};
  for (const std::string_view value : query.All("dryRun")) {
    options.dry_runs.emplace_back(value);
  }
  if (query.Has("gracePeriodSeconds")) {
    const std::string_view grace = query.Get("gracePeriodSeconds");
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(grace.data(), grace.data() + grace.size(), seconds);
    if (error != std::errc() || end != grace.data() + grace.size()) {
      return Fail(
          BadRequest(fmt::format("strconv.ParseInt: parsing {}: invalid syntax", GoQuote(grace))));
    }
    options.grace_period_seconds = seconds;
  }
  if (query.Has("orphanDependents")) {
    options.orphan_dependents = query.IsTrue("orphanDependents");
  }
  return options;
}

OkOrFailure CheckOptions(const DeleteOptions& options) {
  constexpr std::array<std::string_view, 4> kPolicies = {"Foreground", "Background", "Orphan",
                                                         "nil"};
  ErrorList errors;
  const validation::Path path("propagationPolicy");
  const std::string propagation = options.propagation.value_or("");
  if (options.orphan_dependents && options.propagation) {
    errors.Invalid(path, validation::Named(propagation),
                   "orphanDependents and deletionPropagation cannot be both set");
  }
  if (options.propagation && std::ranges::find(kPolicies, propagation) == kPolicies.end()) {
    errors.NotSupported(path, validation::Named(propagation), kPolicies);
  }
  CheckDryRun({options.dry_runs.begin(), options.dry_runs.end()}, errors);
  return errors.empty()
             ? OkOrFailure()
             : OkOrFailure(Fail(Invalid("meta.k8s.io", "DeleteOptions", "", errors.errors())));
}

}  // namespace

OrFailure<DeleteOptions> ReadDeleteOptions(const Ask& ask) {
  OrFailure<DeleteOptions> options =
      ask.request.body.empty() ? FromQuery(ask.address.query) : FromBody(ask);
  if (!options) {
    return options;
  }
  if (OkOrFailure checked = CheckOptions(*options); !checked) {
    return Fail(std::move(checked).error());
  }
  return options;
}

}  // namespace quadra::apiserver
