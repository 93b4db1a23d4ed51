#include "store/content.h"

#include <algorithm>
#include <string>
#include <vector>

namespace quadra::store {

std::string TermKey(std::string_view term, std::string_view key) {
  std::string whole;
  whole.reserve(term.size() + 1 + key.size());
  return whole.append(term).append(1, '\0').append(key);
}

RecordPtr Content::Find(std::string_view key) const {
  const RecordPtr* found = records_.Find(key);
  return found == nullptr ? nullptr : *found;
}

RecordPtr Content::FindOther(std::string_view term, std::string_view key) const {
  const std::string from = TermKey(term, "");
  auto at = by_term_.lower_bound(std::string_view(from));
  if (at != by_term_.end() && at->second->key.text() == key) {
    ++at;
  }
  return at != by_term_.end() && at->first.text().starts_with(from) ? at->second : nullptr;
}

void Content::Put(Epoch writer, const RecordPtr& record) {
  const std::vector<std::string>& terms = record->facts->terms();
  if (const RecordPtr standing = Find(record->key.text())) {
    EraseTerms(writer, *standing, terms);
  }
  records_.Set(writer, record->key, record);
  for (const std::string& term : terms) {
    by_term_.Set(writer, Key(TermKey(term, record->key.text())), record);
  }
}

void Content::Remove(Epoch writer, const Record& record) {
  EraseTerms(writer, record, {});
  records_.Erase(writer, record.key);
}

void Content::EraseTerms(Epoch writer, const Record& record, std::span<const std::string> but) {
  for (const std::string& term : record.facts->terms()) {
    if (std::ranges::find(but, term) == but.end()) {
      by_term_.Erase(writer, std::string_view(TermKey(term, record.key.text())));
    }
  }
}

void Content::Apply(Epoch writer, const Event& event) {
  if (event.type == Event::Type::kDeleted) {
    Remove(writer, *event.previous);
  } else {
    Put(writer, event.record);
  }
}

void Content::Undo(Epoch writer, const Event& event) {
  if (event.type == Event::Type::kCreated) {
    Remove(writer, *event.record);
  } else {
    Put(writer, event.previous);
  }
}

}  // namespace quadra::store
