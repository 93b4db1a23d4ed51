#include "apiserver/request_options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/go_text.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "validation/validate.h"

namespace quadra::apiserver {
namespace {

using validation::ErrorList;
using Match = ListOptions::Match;

constexpr std::string_view kMetaGroup = "meta.k8s.io";

// A whole number as Go's strconv reads it; anything else fails with its words.
template <typename Number>
OrFailure<Number> ReadNumber(std::string_view text, std::string_view function) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    return number;
  }
  return Fail(BadRequest(fmt::format(
      "strconv.{}: parsing {}: {}", function, GoQuote(text),
      error == std::errc::result_out_of_range ? "value out of range" : "invalid syntax")));
}

void CheckFieldManager(std::string_view manager, ErrorList& errors) {
  constexpr std::size_t kMostBytes = 128;
  const validation::Path path("fieldManager");
  if (manager.size() > kMostBytes) {
    errors.TooLong(path, kMostBytes);
  }
  for (std::size_t at = 0; at < manager.size();) {
    const Rune rune = DecodeRune(manager.substr(at));
    if (!IsPrintable(rune.code)) {
      errors.Invalid(path, manager,
                     fmt::format("invalid character U+{:04X} (at position {})",
                                 static_cast<unsigned>(rune.code), at));
    }
    at += rune.size;
  }
}

FieldValidation ReadFieldValidation(std::string_view value, ErrorList& errors) {
  constexpr std::array<std::string_view, 4> kAllowed = {"", "Ignore", "Strict", "Warn"};
  if (value == "Ignore") {
    return FieldValidation::kIgnore;
  }
  if (value == "Strict") {
    return FieldValidation::kStrict;
  }
  if (!value.empty() && value != "Warn") {
    errors.NotSupported(validation::Path("fieldValidation"), validation::Quoted(value), kAllowed);
  }
  return FieldValidation::kWarn;
}

void CheckListMatch(const ListOptions& options, std::string_view match, ErrorList& errors) {
  constexpr std::array<std::string_view, 3> kAllowed = {"Exact", "NotOlderThan", ""};
  const validation::Path path("resourceVersionMatch");
  if (!match.empty() && options.resource_version.empty()) {
    errors.Forbidden(path, "resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (!match.empty() && !options.continue_token.empty()) {
    errors.Forbidden(path, "resourceVersionMatch is forbidden when continue is provided");
  }
  if (!match.empty() && match != "Exact" && match != "NotOlderThan") {
    errors.NotSupported(path, validation::Quoted(match), kAllowed);
  }
  if (match == "Exact" && options.resource_version == "0") {
    errors.Forbidden(path, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  if (options.send_initial_events) {
    errors.Forbidden(validation::Path("sendInitialEvents"),
                     "sendInitialEvents is forbidden for list");
  }
}

void CheckWatchMatch(const ListOptions& options, std::string_view match, ErrorList& errors) {
  constexpr std::array<std::string_view, 1> kAllowed = {"NotOlderThan"};
  const validation::Path path("resourceVersionMatch");
  if (options.send_initial_events && match != "NotOlderThan") {
    errors.Forbidden(path,
                     "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (!match.empty() && !options.send_initial_events) {
    errors.Forbidden(
        path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (!match.empty() && match != "NotOlderThan") {
    errors.NotSupported(path, validation::Quoted(match), kAllowed);
  }
  if (!match.empty() && !options.continue_token.empty()) {
    errors.Forbidden(path, "resourceVersionMatch is forbidden when continue is provided");
  }
}

OkOrFailure ReadNumbers(const Query& query, ListOptions& options) {
  if (query.Has("limit")) {
    const OrFailure<std::int64_t> number = ReadNumber<std::int64_t>(query.Get("limit"), "ParseInt");
    if (!number) {
      return Fail(number.error());
    }
    options.limit = *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
  }
  if (query.Has("timeoutSeconds")) {
    const OrFailure<std::int64_t> number =
        ReadNumber<std::int64_t>(query.Get("timeoutSeconds"), "ParseInt");
    if (!number) {
      return Fail(number.error());
    }
    options.timeout = std::chrono::seconds(*number);
  }
  return {};
}

OkOrFailure ReadSelectors(const Query& query, ListOptions& options) {
  Result<api::LabelSelector> labels = api::LabelSelector::Parse(query.Get("labelSelector"));
  if (!labels) {
    return Fail(BadRequest(labels.error().message));
  }
  Result<api::FieldSelector> fields = api::FieldSelector::Parse(query.Get("fieldSelector"));
  if (!fields) {
    return Fail(BadRequest(fields.error().message));
  }
  options.labels = *std::move(labels);
  options.fields = *std::move(fields);
  return {};
}

}  // namespace

void CheckDryRun(const std::vector<std::string_view>& values, ErrorList& errors) {
  constexpr std::array<std::string_view, 1> kAllowed = {"All"};
  const auto is_all = [&](std::string_view value) { return value == kAllowed.front(); };
  if (std::ranges::all_of(values, is_all)) {
    return;
  }
  std::string list;
  for (const std::string_view value : values) {
    list += fmt::format("{}{}", list.empty() ? "" : ",", GoQuote(value));
  }
  errors.NotSupported(validation::Path("dryRun"), validation::Json("[" + list + "]"), kAllowed);
}

OrFailure<std::optional<store::Revision>> ReadVersion(std::string_view text) {
  if (text.empty()) {
    return std::optional<store::Revision>();
  }
  const OrFailure<store::Revision> version = ReadNumber<store::Revision>(text, "ParseUint");
  if (version) {
    return std::optional(*version);
  }
  ErrorList errors;
  errors.Invalid(validation::Path("resourceVersion"), text, version.error().message);
  const validation::FieldError& error = errors.errors().front();
  return Fail(
      BadRequest(fmt::format("invalid resource version: {}: {}", error.field, error.message)));
}

OrFailure<WriteOptions> ReadWriteOptions(const Query& query, std::string_view kind) {
  ErrorList errors;
  if (kind == "PatchOptions" && query.Has("force")) {
    errors.Forbidden(validation::Path("force"), "may not be specified for non-apply patch");
  }
  CheckFieldManager(query.Get("fieldManager"), errors);
  CheckDryRun(query.All("dryRun"), errors);
  const FieldValidation validation = ReadFieldValidation(query.Get("fieldValidation"), errors);
  if (!errors.empty()) {
    return Fail(Invalid(kMetaGroup, kind, "", errors.errors()));
  }
  return WriteOptions{.dry_run = query.Has("dryRun"),
                      .field_manager = std::string(query.Get("fieldManager")),
                      .field_validation = validation};
}

OrFailure<ListOptions> ReadListOptions(const Query& query) {
  ListOptions options{.resource_version = std::string(query.Get("resourceVersion")),
                      .continue_token = std::string(query.Get("continue")),
                      .watch = query.IsTrue("watch"),
                      .bookmarks = query.IsTrue("allowWatchBookmarks")};
  if (query.Has("sendInitialEvents")) {
    options.send_initial_events = query.IsTrue("sendInitialEvents");
  }
  if (OkOrFailure read = ReadNumbers(query, options); !read) {
    return Fail(std::move(read).error());
  }
  if (OkOrFailure read = ReadSelectors(query, options); !read) {
    return Fail(std::move(read).error());
  }
  const std::string_view match = query.Get("resourceVersionMatch");
  options.match = match == "Exact"          ? Match::kExact
                  : match == "NotOlderThan" ? Match::kNotOlderThan
                                            : Match::kUnset;
  ErrorList errors;
  (options.watch ? CheckWatchMatch : CheckListMatch)(options, match, errors);
  if (!errors.empty()) {
    return Fail(Invalid(kMetaGroup, "ListOptions", "", errors.errors()));
  }
  const OrFailure<std::optional<store::Revision>> version = ReadVersion(options.resource_version);
  if (!version) {
    return Fail(version.error());
  }
  options.version = *version;
  return options;
}

}  // namespace quadra::apiserver
