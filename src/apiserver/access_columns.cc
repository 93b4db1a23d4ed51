#include <vector>

#include <fmt/format.h>

#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

Cell Role(const RowSource& row) {
  return fmt::format("{}/{}", TextAt(row.object, "roleRef.kind"),
                     TextAt(row.object, "roleRef.name"));
}

// The subjects of a kind, one comma and a blank apart.
template <typename Show>
std::string Subjects(const RowSource& row, std::string_view kind, Show show) {
  std::vector<std::string> names;
  for (const Value& subject : ItemsAt(row.object, "subjects")) {
    if (TextAt(subject, "kind") == kind) {
      names.push_back(show(subject));
    }
  }
  return Joined(names, ", ");
}

std::string NameOfSubject(const Value& subject) { return TextAt(subject, "name"); }

Cell Users(const RowSource& row) { return Subjects(row, "User", NameOfSubject); }
Cell Groups(const RowSource& row) { return Subjects(row, "Group", NameOfSubject); }
Cell ServiceAccounts(const RowSource& row) {
  return Subjects(row, "ServiceAccount", [](const Value& subject) {
    return fmt::format("{}/{}", TextAt(subject, "namespace"), TextAt(subject, "name"));
  });
}

constexpr ComputedColumn kAccessColumns[] = {
    {"<role>", Role, "The role that is given, as kind and name."},
    {"<users>", Users, "The users that it is given to."},
    {"<groups>", Groups, "The groups that it is given to."},
    {"<service-accounts>", ServiceAccounts, "The service accounts that it is given to."},
};

}  // namespace

std::span<const ComputedColumn> AccessColumns() { return kAccessColumns; }

}  // namespace quadra::apiserver
