#include "validation/field_error.h"

#include <gtest/gtest.h>

#include "validation/path.h"

namespace quadra::validation {
namespace {

TEST(Path, PrintsNamesIndicesAndKeys) {
  const Path spec("spec");
  const Path devices = spec.Child("devices");
  const Path device = devices.Index(3);
  const Path nowhere = device.Child("");
  EXPECT_EQ(spec.ToString(), "spec");
  EXPECT_EQ(device.ToString(), "spec.devices[3]");
  EXPECT_EQ(device.Child("capacity", "a.b/c").ToString(), "spec.devices[3].capacity[a.b/c]");
  EXPECT_EQ(nowhere.Child("name").ToString(), "spec.devices[3].name");
  EXPECT_EQ(Path("").ToString(), "");
}

TEST(ErrorList, WritesMessagesAsTheServerDoes) {
  ErrorList errors;
  const Path path("p");
  const std::string_view colours[] = {"blue", "red"};
  errors.Required(path);
  errors.Required(path, "say why");
  errors.Invalid(path, "x<y", "no");
  errors.Invalid(path, Named("x<y"), "no");
  errors.Invalid(path, Null(), "no");
  errors.NotSupported(path, Number(3), colours);
  errors.Duplicate(path, "x");
  errors.NotFound(path, Quoted("x"));
  errors.Forbidden(path, "");
  errors.TooLong(path, 1);
  errors.TooLongCharacters(path, 63);
  errors.TooMany(path, 9, 8);
  errors.InternalError(path, "broken");
  const std::string_view expected[] = {"Required value",
                                       "Required value: say why",
                                       "Invalid value: \"x<y\": no",
                                       "Invalid value: \"x\\u003cy\": no",
                                       "Invalid value: null: no",
                                       "Unsupported value: 3: supported values: \"blue\", \"red\"",
                                       "Duplicate value: \"x\"",
                                       "Not found: \"x\"",
                                       "Forbidden",
                                       "Too long: may not be more than 1 byte",
                                       "Too long: may not be more than 63 characters",
                                       "Too many: 9: must have at most 8 items",
                                       "Internal error: broken"};
  ASSERT_EQ(errors.size(), std::size(expected));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_EQ(errors.errors()[i].message, expected[i]);
    EXPECT_EQ(errors.errors()[i].field, "p");
  }
}

// A hand-written error at `field`, and a declarative one at `declared`: is the former superseded?
struct Pair {
  std::string_view what, field, origin;
  bool covered;
  std::string_view declared, declared_origin;
  bool beta;
  bool superseded;
};

TEST(Combine, DropsWhatABetaRuleRepeats) {
  const Pair rows[] = {
      {"same field and origin", "spec.a", "o", true, "spec.a", "o", true, true},
      {"not marked covered", "spec.a", "o", false, "spec.a", "o", true, false},
      {"the rule is standard", "spec.a", "o", true, "spec.a", "o", false, false},
      {"other origin", "spec.a", "o", true, "spec.a", "q", true, false},
      {"Invalid needs an origin", "spec.a", "", true, "spec.a", "", true, false},
      {"v1beta1 device", "spec.devices[1].taints", "o", true, "spec.devices[1].basic.taints", "o",
       true, true},
      {"v1beta1 request", "spec.devices.requests[0].exactly.count", "o", true,
       "spec.devices.requests[0].count", "o", true, true},
      {"v1beta1 template", "spec.spec.devices.requests[0].exactly.selectors", "o", true,
       "spec.spec.devices.requests[0].selectors", "o", true, true},
  };
  for (const Pair& row : rows) {
    ErrorList hand_written, declarative;
    hand_written.Invalid(Path(row.field), "x", "hand").WithOrigin(row.origin).covered = row.covered;
    declarative.Invalid(Path(row.declared), "x", "rule").WithOrigin(row.declared_origin).beta =
        row.beta;
    EXPECT_EQ(Combine(hand_written, declarative, true).size(), row.superseded ? 1 : 2) << row.what;
    EXPECT_EQ(Combine(hand_written, declarative, false).size(), row.beta ? 1 : 2)
        << row.what << " beta off";
  }
}

TEST(Combine, ShowsRepeatedHandWrittenErrorsOnce) {
  ErrorList hand_written, declarative;
  hand_written.Required(Path("a"));
  hand_written.Required(Path("b"));
  hand_written.Required(Path("a"));
  declarative.Required(Path("a"));
  const std::vector<FieldError> shown = Combine(hand_written, declarative, true);
  ASSERT_EQ(shown.size(), 3);
  EXPECT_EQ(shown[0].field, "a");
  EXPECT_EQ(shown[1].field, "b");
  EXPECT_EQ(shown[2].field, "a");
}

}  // namespace
}  // namespace quadra::validation
