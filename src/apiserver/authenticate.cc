#include "apiserver/authenticate.h"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/address.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kExtra = "impersonate-extra-";
constexpr std::string_view kAccount = "system:serviceaccount:";
constexpr std::string_view kAuthenticated = "system:authenticated";
constexpr std::string_view kCredentialId = "authentication.kubernetes.io/credential-id";
constexpr std::string_view kUnauthenticated = "system:unauthenticated";

// Impersonate-Extra-Scopes: view → scopes: [view]
void AddExtra(const net::Header& header, User& user) {
  const std::string key = Unescape(header.name.substr(kExtra.size()), false)
                              .value_or(header.name.substr(kExtra.size()));
  for (auto& [name, values] : user.extra) {
    if (name == key) {
      values.push_back(header.value);
      return;
    }
  }
  user.extra.push_back({key, {header.value}});
}

// Those of a service account, where none are asked for; and who is anonymous is not authenticated.
void AddOwnGroups(User& user) {
  if (user.groups.empty() && user.name.starts_with(kAccount)) {
    const std::string_view rest = std::string_view(user.name).substr(kAccount.size());
    user.groups = {"system:serviceaccounts",
                   fmt::format("system:serviceaccounts:{}", rest.substr(0, rest.find(':')))};
  }
  const std::string_view last = user.name == "system:anonymous" ? kUnauthenticated : kAuthenticated;
  if (std::ranges::find(user.groups, last) == user.groups.end()) {
    user.groups.emplace_back(last);
  }
}

// The user that the headers name; nothing where they name none.
OrFailure<std::optional<User>> Impersonated(const net::Headers& headers) {
  User user;
  bool asked = false;
  for (const net::Header& header : headers) {
    if (header.name == "impersonate-user") {
      user.name = header.value;
      if (header.value.empty()) {
        continue;  // upstream passes over it
      }
    } else if (header.name == "impersonate-group") {
      user.groups.push_back(header.value);
    } else if (header.name == "impersonate-uid") {
      user.uid = header.value;
    } else if (header.name.starts_with(kExtra)) {
      AddExtra(header, user);
    } else {
      continue;
    }
    asked = true;
  }
  if (!asked) {
    return std::optional<User>();
  }
  if (user.name.empty()) {
    return Fail(BadRequest("requested groups, uid or extra without impersonating a user"));
  }
  AddOwnGroups(user);
  return std::optional(std::move(user));
}

}  // namespace

OrFailure<User> Authenticate(const net::Request& request) {
  const std::optional<net::Identity>& shown = request.peer->identity;
  if (!shown || shown->common_name.empty()) {
    return Fail(Unauthorized());
  }
  User user{.name = shown->common_name, .groups = shown->organizations};
  user.groups.emplace_back(kAuthenticated);
  if (const std::string& fingerprint = request.peer->fingerprint; !fingerprint.empty()) {
    user.extra = {{std::string(kCredentialId), {"X509SHA256=" + fingerprint}}};
  }
  return Impersonated(request.headers).map([&](std::optional<User> other) {
    return std::move(other).value_or(std::move(user));
  });
}

}  // namespace quadra::apiserver
