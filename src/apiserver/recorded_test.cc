// What kube-apiserver answered to requests, most of them malformed (conformance/requests), asked of
// ours: status code, reason and causes.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

std::string TextOf(const json::Value& line, std::string_view member) {
  const json::Value& value = line.Get(member);
  return value.kind() == json::Kind::kString ? value.string() : "";
}

// Type, field and message, as the recording spells them; of patches the message is in our own words.
std::string Said(const json::Value& cause) {
  const std::string field = TextOf(cause, "field");
  const std::string type = TextOf(cause, "reason");
  return field == "patch" ? fmt::format("{} patch", type)
                          : fmt::format("{} {}: {}", type, field, TextOf(cause, "message"));
}

// Code, reason and sorted causes, one a line.
std::string Summary(std::int64_t code, const std::string& reason, std::vector<std::string> causes) {
  std::ranges::sort(causes);
  return fmt::format("{} {}\n{}", code, reason, fmt::join(causes, "\n"));
}

std::string Expected(const json::Value& line) {
  std::vector<std::string> causes;
  if (const json::Value& recorded = line.Get("causes"); recorded.kind() == json::Kind::kArray) {
    std::ranges::transform(recorded.items(), std::back_inserter(causes),
                           [](const json::Value& cause) { return cause.string(); });
  }
  return Summary(std::strtoll(line.Get("code").number().c_str(), nullptr, 10),
                 TextOf(line, "reason"), std::move(causes));
}

// Bodies that are no Status say nothing more than their code.
std::string Answered(const net::Response& response) {
  const std::string body = response.body == nullptr ? "" : *response.body;
  const bool yaml = response.headers.Find("content-type") == "application/yaml";
  const Result<json::Value> status = json::ParseValue(yaml ? *json::YamlToJson(body) : body);
  if (!status || TextOf(*status, "kind") != "Status") {
    return Summary(response.status, "", {});
  }
  std::vector<std::string> causes;
  const json::Value& details = status->Get("details");
  if (details.kind() == json::Kind::kObject && details.Get("causes").kind() == json::Kind::kArray) {
    std::ranges::transform(details.Get("causes").items(), std::back_inserter(causes), Said);
  }
  return Summary(response.status, TextOf(*status, "reason"), std::move(causes));
}

net::Response AskAgain(TestServer& server, const json::Value& line) {
  net::Headers headers;
  if (const json::Value& recorded = line.Get("headers"); recorded.kind() == json::Kind::kObject) {
    for (const json::Value::Member& header : recorded.members()) {
      headers.Add(header.key, header.value.string());
    }
  }
  return server.AskAsIs(TextOf(line, "method"), TextOf(line, "target"), TextOf(line, "body"),
                        std::move(headers));
}

TEST(Recorded, AnswersAreUpstreams) {
  TestServer server;
  std::ifstream recording(QUADRA_SOURCE_DIR "/tests/server/requests@kubernetes-v1.37.1.jsonl");
  std::size_t asked = 0;
  for (std::string text; std::getline(recording, text); ++asked) {
    const Result<json::Value> line = json::ParseValue(text);
    ASSERT_TRUE(line) << text;
    EXPECT_EQ(Answered(AskAgain(server, *line)), Expected(*line))
        << "line " << asked + 1 << ": " << text;
  }
  EXPECT_GT(asked, 1000U);
}

}  // namespace
}  // namespace quadra::apiserver
