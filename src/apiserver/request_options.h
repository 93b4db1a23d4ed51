// RequestOptions: the parameters of writes, lists and watches, read and judged as upstream does.
//
// Pure, thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "api/vocabulary.h"
#include "apiserver/address.h"
#include "apiserver/body.h"
#include "apiserver/failure.h"
#include "store/store.h"

namespace quadra::apiserver {

// Nothing where it is unset. Fails with Invalid.
OrFailure<std::optional<store::Revision>> ReadVersion(std::string_view text);

struct WriteOptions {
  bool dry_run = false;
  std::string field_manager;
  FieldValidation field_validation = FieldValidation::kWarn;
};

// `kind` is what upstream calls them in its answer: CreateOptions, UpdateOptions, PatchOptions.
OrFailure<WriteOptions> ReadWriteOptions(const Query& query, std::string_view kind);

// A dry run is All or none.
void CheckDryRun(const std::vector<std::string_view>& values, validation::ErrorList& errors);

struct ListOptions {
  enum class Match : std::uint8_t { kUnset, kExact, kNotOlderThan };

  api::LabelSelector labels;
  api::FieldSelector fields;     // whose fields the kind may not offer
  std::string resource_version;  // as sent; `version` as a number
  Match match = Match::kUnset;
  std::uint64_t limit = 0;  // 0: none
  std::string continue_token;

  bool watch = false;
  bool bookmarks = false;
  std::optional<bool> send_initial_events;
  std::optional<std::chrono::seconds> timeout;

  // Nothing where it is unset.
  std::optional<store::Revision> version;
};

// Fails with BadRequest or Invalid.
OrFailure<ListOptions> ReadListOptions(const Query& query);

}  // namespace quadra::apiserver
