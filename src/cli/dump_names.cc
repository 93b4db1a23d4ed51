#include "cli/dump_names.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include "api/object.h"
#include "cli/inputs.h"
#include "offline/workload.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kLong = "--filename";
constexpr std::string_view kShort = "-f";

void AddFiles(std::string_view joined, std::vector<std::string>& files) {
  while (!joined.empty()) {
    const std::size_t end = std::min(joined.find(','), joined.size());
    if (end > 0 && joined.substr(0, end) != "-") {
      files.emplace_back(joined.substr(0, end));
    }
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
}

// What is behind the flag in its own word: -fx, -f=x, --filename=x.
std::string_view Attached(std::string_view word) {
  if (word.starts_with(kLong)) {
    word.remove_prefix(kLong.size());
  } else if (word.starts_with(kShort)) {
    word.remove_prefix(kShort.size());
  } else {
    return "";
  }
  return word.starts_with('=') ? word.substr(1) : word;
}

std::vector<std::string> FilesIn(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < words.size(); ++i) {
    AddFiles(Attached(words[i]), files);
    if (words[i] == kLong || words[i] == kShort) {
      const std::size_t value = i + 1 < words.size() && words[i + 1] == "=" ? i + 2 : i + 1;
      AddFiles(value < words.size() ? words[value] : "", files);
    }
  }
  return files;
}

// As the verb wants it: pod/train; empty where it is of no use to it.
std::string WordToName(const api::Identity& identity, bool for_fit) {
  if (identity.kind == "Pod") {
    return identity.Title();
  }
  if (!for_fit) {
    return identity.kind == "ResourceClaim" ? "claim/" + identity.name : "";
  }
  if (identity.kind == "ResourceClaimTemplate") {
    return "template/" + identity.name;
  }
  return offline::IsWorkload(identity.api_version, identity.kind) ? identity.Title() : "";
}

bool IsPlain(std::string_view word) {
  return std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/';
  });
}

}  // namespace

std::vector<std::string> DumpNames(const std::vector<std::string>& words, Console& console) {
  const bool for_fit = std::ranges::find(words, "fit") != words.end();
  std::set<std::string> names;
  std::ostringstream unheard;  // complaints do not belong into a line that is being typed
  Console quiet{console.in, console.out, unheard};
  ReadFiles(FilesIn(words), false, quiet, [&](const json::Manifest& manifest) {
    const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
    const std::string word = identity ? WordToName(*identity, for_fit) : "";
    if (!word.empty() && IsPlain(word)) {
      names.insert(word);
    }
  });
  return {names.begin(), names.end()};
}

}  // namespace quadra::cli
