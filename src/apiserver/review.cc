// Reviews: questions about who may do what, which are answered and not stored. Until roles come,
// whoever is let in may do everything.
#include <array>

#include "apiserver/body.h"
#include "apiserver/encode.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"
#include "apiserver/verbs.h"

namespace quadra::apiserver {
namespace {

api::Value TextList(const std::vector<std::string>& texts) {
  api::Value::Items items;
  for (const std::string& text : texts) {
    items.emplace_back(text);
  }
  return api::Value(std::move(items));
}

void AnswerAccess(const User& /*user*/, api::Object& review) {
  Reach(review, {"status", "allowed"}).Set(true);
}

// One rule for resources and one for paths: everything.
void AnswerRules(const User& /*user*/, api::Object& review) {
  AddItem(review, {"status", "resourceRules"}, [](const Member& member) {
    for (const std::string_view name : {"verbs", "apiGroups", "resources"}) {
      member(name) = TextList({"*"});
    }
  });
  AddItem(review, {"status", "nonResourceRules"}, [](const Member& member) {
    for (const std::string_view name : {"verbs", "nonResourceURLs"}) {
      member(name) = TextList({"*"});
    }
  });
  Reach(review, {"status", "incomplete"}).Set(false);
}

// No token is known yet.
void AnswerToken(const User& /*user*/, api::Object& review) {
  Reach(review, {"status", "user"}).Make<api::Value::Members>();
  Reach(review, {"status", "error"}).Set(std::string("[invalid bearer token]"));
}

void AnswerSelf(const User& user, api::Object& review) {
  Reach(review, {"status", "userInfo", "username"}).Set(user.name);
  Reach(review, {"status", "userInfo", "groups"}) = TextList(user.groups);
  if (!user.uid.empty()) {
    Reach(review, {"status", "userInfo", "uid"}).Set(user.uid);
  }
  for (const auto& [key, values] : user.extra) {
    Reach(review, {"status", "userInfo", "extra"}).AddEntry(key) = TextList(values);
  }
}

struct ReviewRow {
  std::string_view kind;
  void (*answer)(const User& user, api::Object& review);
};
constexpr std::array kReviewRows = {
    ReviewRow{"SelfSubjectAccessReview", AnswerAccess},
    ReviewRow{"SubjectAccessReview", AnswerAccess},
    ReviewRow{"LocalSubjectAccessReview", AnswerAccess},
    ReviewRow{"SelfSubjectRulesReview", AnswerRules},
    ReviewRow{"TokenReview", AnswerToken},
    ReviewRow{"SelfSubjectReview", AnswerSelf},
};

const ReviewRow* ReviewRowOf(const api::KindSchema& kind) {
  const auto* found = std::ranges::find(kReviewRows, kind.kind, &ReviewRow::kind);
  return found == kReviewRows.end() ? nullptr : found;
}

OrFailure<api::Object> ReadReview(Ask& ask) {
  const OrFailure<WriteOptions> options = ReadWriteOptions(ask.address.query, "CreateOptions");
  if (!options) {
    return Fail(options.error());
  }
  const OrFailure<Encoding> encoding = EncodingOfBody(ask.Header("content-type"));
  if (!encoding) {
    return Fail(encoding.error());
  }
  OrFailure<Body> body =
      ReadBody(ask.request.body, *encoding, ask.kind(), options->field_validation);
  if (!body) {
    return Fail(std::move(body).error());
  }
  ask.warnings = std::move(body->warnings);
  return std::move(body->object);
}

}  // namespace

bool IsReview(const api::KindSchema& kind) { return ReviewRowOf(kind) != nullptr; }

void Review(const Backend& /*backend*/, Ask ask, net::Exchange exchange) {
  OrFailure<api::Object> review = ReadReview(ask);
  if (!review) {
    exchange.Answer(AnswerWith(review.error(), ask));
    return;
  }
  ReviewRowOf(ask.kind())->answer(ask.user, *review);
  exchange.Answer(AnswerWith(201, EncodeObject(*review, ask.representation.encoding), ask));
}

}  // namespace quadra::apiserver
