#include "client/exec_plugin.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "api/vocabulary.h"
#include "base/base64.h"
#include "base/go_text.h"
#include "client/program.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::client {
namespace {

constexpr std::array<std::string_view, 2> kVersions = {"client.authentication.k8s.io/v1",
                                                       "client.authentication.k8s.io/v1beta1"};

tl::unexpected<Error> Wrong(std::string message, std::string remedy = {}) {
  return Fail(
      {.kind = ErrorKind::kUnreadable, .message = std::move(message), .remedy = std::move(remedy)});
}

Status Check(const ExecPlugin& plugin) {
  if (plugin.command.empty()) {
    return Fail(ErrorKind::kInvalid, "command must be specified to use exec authentication plugin");
  }
  if (std::ranges::find(kVersions, plugin.api_version) == kVersions.end()) {
    return Fail(
        {.kind = ErrorKind::kUnsupported,
         .message = fmt::format("exec plugin: invalid apiVersion {}", GoQuote(plugin.api_version)),
         .remedy = fmt::format("write {}", kVersions[0])});
  }
  return {};
}

Result<bool> IsInteractive(const ExecPlugin& plugin) {
  const bool terminal = isatty(STDIN_FILENO) == 1;
  if (plugin.interactive == ExecPlugin::Interactive::kAlways && !terminal) {
    return Wrong(
        "exec plugin cannot support interactive mode: standard input "
        "is not a terminal");
  }
  return plugin.interactive != ExecPlugin::Interactive::kNever && terminal;
}

// ---- What it is asked.

void WriteCluster(json::Writer& writer, const ExecPlugin& plugin, const ClusterAccess& access) {
  writer.Key("cluster");
  writer.BeginObject();
  writer.MemberIfAny("server", access.server);
  writer.MemberIfAny("tls-server-name", access.server_name);
  if (access.insecure) {
    writer.Key("insecure-skip-tls-verify");
    writer.Bool(true);
  }
  std::string authorities;
  AppendBase64(authorities, access.authorities);
  writer.MemberIfAny("certificate-authority-data", authorities);
  writer.MemberIfAny("proxy-url", access.proxy);
  writer.Key("config");
  writer.Raw(plugin.cluster_config.empty() ? "null" : plugin.cluster_config);
  writer.EndObject();
}

// ---- What became of it.

// On one line, and without what steers terminals.
std::string Harmless(std::string_view text) {
  constexpr char kDelete = 0x7F;
  std::string harmless;
  for (const char byte : text) {
    const bool control = (byte >= 0 && byte < ' ') || byte == kDelete;
    harmless += control ? ' ' : byte;
  }
  return harmless;
}

Error NotStarted(const ExecPlugin& plugin, int why) {
  const bool absent = why == ENOENT || why == ENOTDIR;
  return {.kind = ErrorKind::kUnreadable,
          .message = absent ? fmt::format("exec: executable {} not found", plugin.command)
                            : fmt::format("exec: executable {} cannot be started: {}",
                                          plugin.command, std::generic_category().message(why)),
          .remedy = absent && plugin.install_hint.empty() ? "install it, or put it into $PATH"
                                                          : Harmless(plugin.install_hint)};
}

Status Judge(const ExecPlugin& plugin, const Ran& ran) {
  switch (ran.end) {
    case Ran::End::kExited:
      return ran.number == 0 ? Status()
                             : Wrong(fmt::format("exec: executable {} failed with exit code {}",
                                                 plugin.command, ran.number),
                                     "see what it said above");
    case Ran::End::kSignalled:
      return Wrong(
          fmt::format("exec: executable {} was ended by signal {}", plugin.command, ran.number));
    case Ran::End::kNotStarted:
      return Fail(NotStarted(plugin, ran.number));
    case Ran::End::kTooSlow:
      return Wrong(
          fmt::format("exec: executable {} did not answer in {} s and was ended", plugin.command,
                      std::chrono::duration<double>(plugin.patience).count()),
          "run it by hand and see what it waits for");
    case Ran::End::kTooMuch:
      return Wrong(fmt::format("exec: executable {} printed more than {} bytes and was ended",
                               plugin.command, kMostOutput));
    case Ran::End::kCancelled:
      return Wrong(
          fmt::format("exec: executable {} was ended, since we are ending", plugin.command));
  }
  return {};
}

// ---- What it answered.

Status CheckVersion(const json::Value& answer, std::string_view wanted) {
  const std::string version = answer.Get("apiVersion").text();
  if (answer.Get("kind").text() != "ExecCredential") {
    return Wrong("printed an object that is no ExecCredential");
  }
  if (version != wanted) {
    return Wrong(
        fmt::format("exec plugin is configured to use API version {}, plugin returned "
                    "version {}",
                    wanted, version));
  }
  return {};
}

Result<std::optional<Time>> ReadExpiry(const json::Value& status) {
  const json::Value& timestamp = status.Get("expirationTimestamp");
  if (timestamp.is_null()) {
    return std::nullopt;
  }
  const std::optional<Time> expires = api::ParseTime(timestamp.text());
  if (!expires) {
    return Wrong(
        "exec plugin returned an expirationTimestamp that is no time "
        "of RFC 3339");
  }
  return expires;
}

Result<std::optional<net::Credential>> ReadCertificate(const json::Value& status) {
  net::Credential credential{.certificate = status.Get("clientCertificateData").text(),
                             .key = status.Get("clientKeyData").text()};
  if (credential.certificate.empty() && credential.key.empty()) {
    return std::nullopt;
  }
  if (credential.certificate.empty() || credential.key.empty()) {
    return Wrong("exec plugin returned only certificate or key, not both");
  }
  if (const Status usable = net::CheckCredential(credential); !usable) {
    return Wrong("failed parsing client key/certificate: " + usable.error().message);
  }
  return credential;
}

}  // namespace

bool PluginAnswer::Shows(const PluginAnswer& other) const {
  const auto pem = [](const PluginAnswer& answer) {
    return answer.certificate ? answer.certificate->certificate + answer.certificate->key : "";
  };
  return token == other.token && pem(*this) == pem(other);
}

std::string QuestionFor(const ExecPlugin& plugin, const ClusterAccess& access, bool interactive) {
  std::string question;
  json::Writer writer(question);
  writer.BeginObject();
  writer.MemberIfAny("kind", "ExecCredential");
  writer.MemberIfAny("apiVersion", plugin.api_version);
  writer.Key("spec");
  writer.BeginObject();
  if (plugin.provide_cluster_info) {
    WriteCluster(writer, plugin, access);
  }
  writer.Key("interactive");
  writer.Bool(interactive);
  writer.EndObject();
  writer.EndObject();
  return question;
}

Result<PluginAnswer> ReadPluginAnswer(std::string_view output, std::string_view api_version) {
  const Result<json::Value> answer = json::ParseValue(output);
  if (!answer || answer->kind() != json::Kind::kObject) {
    return Wrong(fmt::format("decoding stdout: {} bytes that are no JSON object", output.size()),
                 "let it print an ExecCredential, and nothing else, on stdout");
  }
  QUADRA_RETURN_IF_ERROR(CheckVersion(*answer, api_version));
  const json::Value& status = answer->Get("status");
  if (status.is_null()) {
    return Wrong("exec plugin didn't return a status field");
  }
  PluginAnswer read{.token = status.Get("token").text()};
  QUADRA_TRY(read.certificate, ReadCertificate(status));
  QUADRA_TRY(read.expires, ReadExpiry(status));
  if (read.token.empty() && !read.certificate) {
    return Wrong("exec plugin didn't return a token or cert/key pair");
  }
  return read;
}

Result<PluginAnswer> AskPlugin(const ExecPlugin& plugin, const ClusterAccess& access,
                               const std::atomic<bool>& cancelled) {
  QUADRA_RETURN_IF_ERROR(Check(plugin));
  QUADRA_TRY(const bool interactive, IsInteractive(plugin));
  Program program{.command = plugin.command,
                  .arguments = plugin.arguments,
                  .environment = plugin.environment,
                  .interactive = interactive,
                  .patience = plugin.patience};
  program.environment.emplace_back("KUBERNETES_EXEC_INFO",
                                   QuestionFor(plugin, access, interactive));
  const Ran ran = RunProgram(program, cancelled);
  QUADRA_RETURN_IF_ERROR(Judge(plugin, ran));
  Result<PluginAnswer> answer = ReadPluginAnswer(ran.output, plugin.api_version);
  if (!answer) {
    answer.error().message =
        fmt::format("exec: executable {}: {}", plugin.command, answer.error().message);
  }
  return answer;
}

}  // namespace quadra::client
