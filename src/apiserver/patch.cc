#include "patch/patch.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/body.h"
#include "apiserver/encode.h"
#include "apiserver/owners.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"
#include "apiserver/rewriting.h"
#include "apiserver/stored_form.h"
#include "apiserver/subresource.h"
#include "apiserver/verbs.h"
#include "base/check.h"
#include "json/value.h"

namespace quadra::apiserver {
namespace {

std::string_view ReasonOf(patch::StatusClass status) {
  switch (status) {
    case patch::StatusClass::kBadRequest:
      return "BadRequest";
    case patch::StatusClass::kTooLarge:
      return "RequestEntityTooLarge";
    case patch::StatusClass::kUnsupportedMediaType:
      return "UnsupportedMediaType";
    case patch::StatusClass::kInvalid:
      return "Invalid";
    case patch::StatusClass::kInternalError:
      return "";
  }
  return "";
}

Failure PatchFailure(const patch::Refused& refused) {
  Failure failure;
  failure.code = static_cast<int>(refused.status);
  failure.reason = ReasonOf(refused.status);
  failure.message = refused.Message();
  return failure;
}

// What the address shows, as the request's version spells it.
json::Value TreeOf(const Ask& ask, const api::Object& standing) {
  Result<json::Value> tree = json::ParseValue(api::EncodeJson(ViewOf(ask, standing)));
  QUADRA_CHECK(tree.has_value(), "what we encode is JSON");
  return *std::move(tree);
}

// Of a patch that leaves behind what is no object of its kind.
Failure Unusable(const json::Value& patched, std::string_view why) {
  validation::ErrorList errors;
  errors.Invalid(validation::Path("patch"), json::ToJson(patched), why);
  return Invalid("", "", "", errors.errors());
}

// Upstream reads what a strategic merge patch leaves into a struct of the kind, whatever kind it names.
OkOrFailure MakeFit(json::Value& merged, const api::KindSchema& kind) {
  for (json::Value::Member& member : merged.members()) {
    if (member.key == "kind" && member.value.kind() == json::Kind::kString) {
      member.value = json::Value(std::string(kind.kind));
    } else if (member.key == "apiVersion" && member.value.kind() == json::Kind::kString) {
      member.value = json::Value(api::ApiVersionOf(kind));
    }
  }
  const std::string misfit = patch::FitToSchema(merged, *kind.fields);
  return misfit.empty() ? OkOrFailure() : OkOrFailure(Fail(Unusable(merged, misfit)));
}

OrFailure<api::Object> Decode(const patch::Patched& patched, const api::KindSchema& kind,
                              FieldValidation validation, Ask& ask) {
  OrFailure<Body> body =
      ReadBody(json::ToJson(patched.object), Encoding::kJson, kind, FieldValidation::kWarn);
  if (!body) {
    return Fail(Unusable(patched.object, body.error().message));
  }
  std::vector<std::string> remarks = patched.remarks;
  remarks.insert(remarks.end(), body->warnings.begin(), body->warnings.end());
  if (validation == FieldValidation::kStrict && !remarks.empty()) {
    return Fail(Unusable(patched.object,
                         fmt::format("strict decoding error: {}", fmt::join(remarks, ", "))));
  }
  if (validation == FieldValidation::kWarn) {
    ask.AddWarnings(remarks);
  }
  ask.AddWarnings(body->notes);
  DropRepeatedOwners(body->object, kRepeatedOwnersLeft, ask.warnings);
  api::ObjectMeta meta = MetaOf(body->object);
  if (OkOrFailure named = CheckName(meta, ask.path()); !named) {
    return Fail(std::move(named).error());
  }
  meta.ns = ask.kind().namespaced ? ask.path().ns : "";  // whatever the patch made of it
  SetMeta(body->object, meta);
  return std::move(body->object);
}

OrFailure<patch::Type> TypeOf(const Ask& ask) {
  constexpr std::array kAccepted = {patch::Type::kJson, patch::Type::kMerge,
                                    patch::Type::kStrategicMerge};
  if (const std::optional<patch::Type> type = patch::FindType(ask.Header("content-type"))) {
    return *type;
  }
  std::array<std::string_view, kAccepted.size()> accepted;
  std::ranges::transform(kAccepted, accepted.begin(), patch::MediaType);
  return Fail(PatchFailure(patch::UnsupportedMediaType(accepted)));
}

OrFailure<patch::Patch> ReadPatch(patch::Type type, const Ask& ask, const WriteOptions& options) {
  tl::expected<patch::Patch, patch::Refused> patch = patch::Patch::Read(
      type, ask.request.body, {.strict = options.field_validation != FieldValidation::kIgnore});
  return patch ? OrFailure<patch::Patch>(*std::move(patch)) : Fail(PatchFailure(patch.error()));
}

}  // namespace

void Patch(const Backend& backend, Ask ask, net::Exchange exchange) {
  const OrFailure<patch::Type> type = TypeOf(ask);  // before the options: they depend on it
  if (!type) {
    exchange.Answer(AnswerWith(type.error(), ask));
    return;
  }
  const OrFailure<WriteOptions> options = ReadWriteOptions(ask.address.query, "PatchOptions");
  if (!options) {
    exchange.Answer(AnswerWith(options.error(), ask));
    return;
  }
  OrFailure<patch::Patch> patch = ReadPatch(*type, ask, *options);
  if (!patch) {
    exchange.Answer(AnswerWith(patch.error(), ask));
    return;
  }
  const PendingPtr pending = MakePending(std::move(ask), std::move(exchange));
  Rewrite(backend, pending, *options,
          [patch = *std::move(patch), pending, validation = options->field_validation](
              const api::Object& standing) -> OrFailure<api::Object> {
            Ask& asked = pending->ask;
            const api::KindSchema& kind = asked.shown_kind();
            auto patched = patch.ApplyTo(TreeOf(asked, standing), *kind.fields);
            if (!patched) {
              return Fail(PatchFailure(patched.error()));
            }
            if (patch.type() == patch::Type::kStrategicMerge) {
              if (OkOrFailure fits = MakeFit(patched->object, kind); !fits) {
                return Fail(std::move(fits).error());
              }
            }
            OrFailure<api::Object> sent = Decode(*patched, kind, validation, asked);
            return sent ? Merge(asked, *std::move(sent), standing) : sent;
          });
}

}  // namespace quadra::apiserver
