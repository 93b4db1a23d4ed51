#include "client/exec_plugin.h"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "client/program.h"
#include "json/value.h"
#include "net/certificates.h"

namespace quadra::client {
namespace {

constexpr std::string_view kV1 = "client.authentication.k8s.io/v1";

// A plugin that is a line of shell.
ExecPlugin Shell(const std::string& line) {
  return {.api_version = std::string(kV1),
          .command = "sh",
          .arguments = {"-c", line},
          .environment = {},
          .install_hint = {},
          .cluster_config = {},
          .interactive = ExecPlugin::Interactive::kNever};
}

std::string Status(const std::string& members, std::string_view version = kV1) {
  return R"({"kind":"ExecCredential","apiVersion":")" + std::string(version) + R"(","status":{)" +
         members + "}}";
}

Result<PluginAnswer> Ask(const ExecPlugin& plugin, const ClusterAccess& access = {}) {
  const std::atomic<bool> never = false;
  return AskPlugin(plugin, access, never);
}

TEST(ExecPlugin, GivesATokenUntilATime) {
  const auto answer = Ask(Shell(
      "echo '" + Status(R"("token":"t","expirationTimestamp":"2026-08-01T12:18:00Z")") + "'"));
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(answer->token, "t");
  EXPECT_EQ(FormatSeconds(answer->expires.value_or(Time())), "2026-08-01T12:18:00Z");
  EXPECT_FALSE(answer->certificate);
}

TEST(ExecPlugin, SeesItsVariablesOursAndTheCluster) {
  ExecPlugin plugin =
      Shell(R"(printf '{"kind":"ExecCredential","apiVersion":"%s","status":{"token":"%s"}}' )"
            R"x("$VERSION" "$GIVEN $(echo $KUBERNETES_EXEC_INFO | tr -d '"')")x");
  plugin.environment = {{"GIVEN", "first"}, {"VERSION", std::string(kV1)}};
  plugin.provide_cluster_info = true;
  plugin.cluster_config = R"({"audience":"a"})";
  const auto answer = Ask(plugin, {.server = "https://s:6443",
                                   .authorities = "pem",
                                   .server_name = "kubernetes",
                                   .proxy = "http://p:1"});
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(answer->token,
            "first "
            "{kind:ExecCredential,apiVersion:client.authentication.k8s.io/"
            "v1,spec:{cluster:"
            "{server:https://"
            "s:6443,tls-server-name:kubernetes,certificate-authority-data:cGVt,"
            "proxy-url:http://p:1,config:{audience:a}},interactive:false}}");
}

TEST(ExecPlugin, SaysWhatWentWrong) {
  ExecPlugin absent = Shell("");
  absent.command = "no-such-plugin";
  absent.install_hint = "Install it\nwith \x1b[1mcare";
  ExecPlugin slow = Shell("sleep 600 & sleep 600");
  slow.patience = std::chrono::milliseconds(50);
  ExecPlugin old = Shell("true");
  old.api_version = "client.authentication.k8s.io/v1alpha1";
  ExecPlugin nameless = Shell("true");
  nameless.command.clear();
  struct Row {
    std::string name;
    ExecPlugin plugin;
    std::string message;
  };
  const std::vector<Row> rows = {
      {"absent", absent, "exec: executable no-such-plugin not found; Install it with  [1mcare"},
      {"slow", slow,
       "exec: executable sh did not answer in 0.05 s and was ended; run it by "
       "hand and see what it "
       "waits for"},
      {"old version", old,
       R"(exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"; write )"
       "client.authentication.k8s.io/v1"},
      {"nameless", nameless, "command must be specified to use exec authentication plugin"},
      {"status", Shell("exit 3"),
       "exec: executable sh failed with exit code 3; see what it said above"},
      {"signal", Shell("kill -9 $$"), "exec: executable sh was ended by signal 9"},
      {"garbage", Shell("echo please log in"),
       "exec: executable sh: decoding stdout: 14 bytes that are no JSON "
       "object; let it print an "
       "ExecCredential, and nothing else, on stdout"},
      {"nothing", Shell("true"),
       "exec: executable sh: decoding stdout: 0 bytes that are no JSON object; "
       "let it print an "
       "ExecCredential, and nothing else, on stdout"},
      {"too much", Shell("yes"),
       "exec: executable sh printed more than 1048576 bytes and was ended"},
      {"another kind", Shell("echo '{\"kind\":\"Pod\"}'"),
       "exec: executable sh: printed an object that is no ExecCredential"},
  };
  for (const Row& row : rows) {
    const auto answer = Ask(row.plugin);
    ASSERT_FALSE(answer) << row.name;
    EXPECT_EQ(answer.error().ToString(), row.message) << row.name;
  }
}

TEST(ExecPlugin, RefusesAnswersThatMakeNoSense) {
  struct Row {
    std::string output;
    std::string message;
  };
  const std::vector<Row> rows = {
      {Status(R"("token":"t")", "client.authentication.k8s.io/v1beta1"),
       "exec plugin is configured to use API version "
       "client.authentication.k8s.io/v1, plugin "
       "returned version client.authentication.k8s.io/v1beta1"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
       "exec plugin didn't return a status field"},
      {Status(""), "exec plugin didn't return a token or cert/key pair"},
      {Status(R"("clientKeyData":"k")"), "exec plugin returned only certificate or key, not both"},
      {Status(R"("clientCertificateData":"c","clientKeyData":"k")"),
       "failed parsing client key/certificate: the certificate is no PEM "
       "certificate"},
      {Status(R"("token":"t","expirationTimestamp":"tomorrow")"),
       "exec plugin returned an expirationTimestamp that is no time of RFC "
       "3339"},
  };
  for (const Row& row : rows) {
    const auto answer = ReadPluginAnswer(row.output, kV1);
    ASSERT_FALSE(answer) << row.output;
    EXPECT_TRUE(answer.error().ToString().starts_with(row.message)) << answer.error().ToString();
  }
}

TEST(ExecPlugin, GivesACertificate) {
  const Time now = SystemClock().Now();
  const net::Credential authority = *net::MakeAuthority("test", now);
  const net::Credential ann = *net::IssueClient(authority, {"ann", {}}, now);
  json::Value status{json::Value::Object{}};
  status.Set("clientCertificateData", json::Value(ann.certificate));
  status.Set("clientKeyData", json::Value(ann.key));
  const std::string text = json::ToJson(status);
  const auto answer = ReadPluginAnswer(Status(text.substr(1, text.size() - 2)), kV1);
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(answer->certificate.value_or(net::Credential()).certificate, ann.certificate);
  EXPECT_TRUE(answer->Shows(*answer));
  EXPECT_FALSE(answer->Shows({.token = "t"}));
}

TEST(Program, EndsWhenNobodyWantsItAnyMore) {
  const std::atomic<bool> cancelled = true;
  const Ran ran = RunProgram({.command = "sleep", .arguments = {"600"}}, cancelled);
  EXPECT_EQ(ran.end, Ran::End::kCancelled);
}

}  // namespace
}  // namespace quadra::client
