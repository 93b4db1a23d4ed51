// RepeatedKeys: notes on keys that stand twice in objects, for verbs that read them all the same.
//
//   RepeatedKeys twice(console);
//   … twice.Note(manifest, identity) …   // for each object that was taken
//   return Worst(read, twice.Finish());
#pragma once

#include "api/object.h"
#include "cli/capped_notes.h"
#include "cli/exit_code.h"
#include "cli/verb.h"
#include "json/documents.h"

namespace quadra::cli {

class RepeatedKeys {
 public:
  // The console must outlive this.
  explicit RepeatedKeys(Console& console) : notes_(console, "fields stand twice") {}

  // A key that stands twice says two things, of which the API server would have kept one.
  void Note(const json::Manifest& manifest, const api::Identity& identity);
  // kPartial where there was one: half of what the object says was not read.
  ExitCode Finish();

 private:
  CappedNotes notes_;
};

}  // namespace quadra::cli
