#include "cli/last_attempt.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/vocabulary.h"
#include "cli/age.h"
#include "cli/line.h"
#include "json/value.h"

namespace quadra::cli {
namespace {

constexpr std::size_t kMostRefusals = 5;

std::string NumberOf(const json::Value& from, std::string_view name) {
  const json::Value& number = from.Get(name);
  return number.kind() == json::Kind::kNumber ? number.number() : "";
}

std::vector<json::Value> ListOf(const json::Value& from, std::string_view name) {
  const json::Value& list = from.Get(name);
  return list.kind() == json::Kind::kArray ? list.items() : std::vector<json::Value>();
}

std::string AgoOf(const json::Value& attempt, Time now) {
  const std::optional<Time> at = api::ParseTime(attempt.Get("at").text());
  return at ? fmt::format(", {} ago", AgeOf(at, now)) : "";
}

// "3 nodes", with the number as it came.
void Count(const json::Value& attempt, std::string_view name, std::string_view words,
           std::vector<std::string>& counts) {
  if (const std::string number = NumberOf(attempt, name); !number.empty()) {
    counts.push_back(fmt::format(fmt::runtime(words), number));
  }
}

std::string CountsOf(const json::Value& attempt) {
  std::vector<std::string> counts;
  Count(attempt, "nodes", "nodes {}", counts);
  Count(attempt, "evaluated", "looked at {}", counts);
  Count(attempt, "feasible", "fit {}", counts);
  Count(attempt, "evaluations", "selectors evaluated {}", counts);
  Count(attempt, "steps", "steps {}", counts);
  Count(attempt, "milliseconds", "milliseconds {}", counts);
  return fmt::format("{}", fmt::join(counts, ", "));
}

std::string RefusalOf(const json::Value& refused) {
  const std::string& why = refused.Get("why").text();
  const std::string& example = refused.Get("example").text();
  return fmt::format("  {} {}: {}{}{}\n", NumberOf(refused, "nodes"), refused.Get("plugin").text(),
                     refused.Get("reason").text(), why.empty() ? "" : fmt::format(" [{}]", why),
                     example.empty() ? "" : fmt::format(" (e.g. {})", example));
}

std::string WhereOf(const json::Value& attempt) {
  const std::string& node = attempt.Get("node").text();
  const std::string& nominated = attempt.Get("nominatedNode").text();
  std::string where = node.empty() ? "" : fmt::format("  node: {}\n", node);
  where += nominated.empty() ? "" : fmt::format("  nominated: {}\n", nominated);
  std::vector<std::string> devices;
  for (const json::Value& device : ListOf(attempt, "devices")) {
    devices.push_back(device.text());
  }
  return where + (devices.empty() ? "" : fmt::format("  devices: {}\n", fmt::join(devices, ", ")));
}

}  // namespace

std::string LastAttemptText(std::string_view json, Time now) {
  const Result<json::Value> attempt = json::ParseValue(json);
  if (!attempt) {
    return "";
  }
  const std::string number = NumberOf(*attempt, "attempt");
  std::string text = fmt::format("Last attempt of the scheduler{}{}: {}\n",
                                 number.empty() ? "" : fmt::format(" (attempt {})", number),
                                 AgoOf(*attempt, now), attempt->Get("result").text());
  if (const std::string& message = attempt->Get("message").text(); !message.empty()) {
    text += fmt::format("  {}\n", message);
  }
  text += WhereOf(*attempt);
  if (const std::string counts = CountsOf(*attempt); !counts.empty()) {
    text += fmt::format("  {}\n", counts);
  }
  const std::vector<json::Value> refused = ListOf(*attempt, "refused");
  for (std::size_t i = 0; i < std::min(refused.size(), kMostRefusals); ++i) {
    text += RefusalOf(refused[i]);
  }
  if (refused.size() > kMostRefusals) {
    text += fmt::format("  and {} more reasons\n", refused.size() - kMostRefusals);
  }
  return text;
}

void PrintLastAttempt(live::Session& session, const std::string& ns, const std::string& pod,
                      Console& console) {
  const auto said = session.Run<client::Answer<std::string>>([&](client::Api& api) {
    return live::Waited(api.Fetch("GET", fmt::format("/quadra/explain/{}/{}", ns, pod)));
  });
  if (said) {
    console.out << "\n" << LastAttemptText(*said, SystemClock().Now());
    return;
  }
  const bool knows_none = said.error().message.find("remembers no attempt") != std::string::npos;
  PrintLine(console.err,
            fmt::format("note: the above is computed from the cluster as it is now; {}",
                        knows_none ? said.error().message
                                   : "its server cannot say what its scheduler tried last"));
}

}  // namespace quadra::cli
