#include "api/registry.h"

#include <array>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "api/object.h"

namespace quadra::api {
namespace {

// example.com/v1 Widget and its list, as a definition read at run time would make them: every part
// lives in one object that the kinds keep alive.
struct WidgetTables {
  Type text{TypeKind::kString};
  Type number{TypeKind::kInt64};
  Type texts{TypeKind::kList, &text};
  std::array<Field, 2> spec_fields{
      Field{.json = "size", .go_name = "Size", .type = &number, .omit_empty = true},
      Field{.json = "tags", .go_name = "Tags", .type = &texts, .omit_empty = true}};
  Struct spec{
      .name = "v1.WidgetSpec", .openapi = "com.example.v1.WidgetSpec", .fields = spec_fields};
  Type spec_type{TypeKind::kStruct, nullptr, &spec};
  Type meta_type{TypeKind::kStruct, nullptr,
                 FindStruct("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")};
  std::array<Field, 4> fields{
      Field{.json = "apiVersion", .go_name = "APIVersion", .type = &text, .omit_empty = true},
      Field{.json = "kind", .go_name = "Kind", .type = &text, .omit_empty = true},
      Field{.json = "metadata", .go_name = "ObjectMeta", .type = &meta_type},
      Field{.json = "spec", .go_name = "Spec", .type = &spec_type}};
  Struct whole{.name = "v1.Widget", .openapi = "com.example.v1.Widget", .fields = fields};
  Type widget_type{TypeKind::kStruct, nullptr, &whole};
  Type widgets{TypeKind::kList, &widget_type};
  Type list_meta_type{TypeKind::kStruct, nullptr,
                      FindStruct("io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta")};
  std::array<Field, 4> list_fields{
      Field{.json = "apiVersion", .go_name = "APIVersion", .type = &text, .omit_empty = true},
      Field{.json = "kind", .go_name = "Kind", .type = &text, .omit_empty = true},
      Field{.json = "metadata", .go_name = "ListMeta", .type = &list_meta_type},
      Field{.json = "items", .go_name = "Items", .type = &widgets}};
  Struct list{
      .name = "v1.WidgetList", .openapi = "com.example.v1.WidgetList", .fields = list_fields};
  KindSchema widget_kind{.group = "example.com",
                         .version = "v1",
                         .kind = "Widget",
                         .plural = "widgets",
                         .namespaced = true,
                         .fields = &whole};
  KindSchema list_kind{
      .group = "example.com", .version = "v1", .kind = "WidgetList", .fields = &list};
};

Registry WithWidgets() {
  const auto tables = std::make_shared<const WidgetTables>();
  const auto one = Registry().With({tables, &tables->widget_kind});
  return *one->With({tables, &tables->list_kind});
}

constexpr std::string_view kWidget =
    R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},)"
    R"("spec":{"size":3,"tags":["a"]}})";

TEST(Registry, KnowsAddedKindsBesideGeneratedOnes) {
  const Registry known = WithWidgets();
  EXPECT_EQ(known.Find("v1", "Pod"), FindKind("v1", "Pod"));
  ASSERT_NE(known.Find("example.com/v1", "Widget"), nullptr);
  EXPECT_EQ(known.Find("example.com/v1", "Widget")->plural, "widgets");
  EXPECT_EQ(known.Find("example.com/v2", "Widget"), nullptr);
  EXPECT_EQ(known.All().size(), AllKinds().size() + 2);
  EXPECT_EQ(known.All().size(), Registry().All().size() + 2) << "the one before knows as much";
}

TEST(Registry, AddedKindsDecodeStrictlyAndEncode) {
  const Registry known = WithWidgets();
  const auto widget = DecodeJson(kWidget, {.registry = &known});
  ASSERT_TRUE(widget) << widget.error().message;
  EXPECT_EQ(EncodeJson(*widget), kWidget);

  struct Row {
    std::string_view spec;
    std::string_view error;
  };
  for (const Row& row : {Row{R"({"size":1,"color":"red"})", R"(unknown field "spec.color")"},
                         Row{R"({"tags":["a"],"tags":["b"]})", R"(duplicate field "spec.tags")"}}) {
    const std::string text =
        R"({"apiVersion":"example.com/v1","kind":"Widget","spec":)" + std::string(row.spec) + "}";
    const auto wrong = DecodeJson(text, {.registry = &known});
    ASSERT_FALSE(wrong) << text;
    EXPECT_NE(wrong.error().message.find(row.error), std::string::npos) << wrong.error().message;
  }
  EXPECT_FALSE(DecodeJson(kWidget)) << "who does not bring the registry does not know the kind";
}

TEST(Registry, AddedKindsComeInLists) {
  const Registry known = WithWidgets();
  const std::string text =
      R"({"apiVersion":"example.com/v1","kind":"WidgetList","metadata":{},"items":[)" +
      std::string(kWidget) + "]}";
  const auto list = DecodeJson(text, {.registry = &known});
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(EncodeJson(*list), text);
}

TEST(Registry, RefusesWhatIsKnownOrIncomplete) {
  const Registry known = WithWidgets();
  const auto tables = std::make_shared<const WidgetTables>();
  EXPECT_EQ(known.With({tables, &tables->widget_kind}).error().message,
            "example.com/v1 Widget is known already");
  EXPECT_FALSE(known.With(std::make_shared<const KindSchema>()));
}

TEST(Registry, ObjectsOutliveTheRegistryTheyWereReadWith) {
  const auto tables = std::make_shared<const WidgetTables>();
  Result<Registry> known = Registry().With({tables, &tables->widget_kind});
  const auto widget = DecodeJson(kWidget, {.registry = &*known});
  *known = Registry();
  EXPECT_EQ(EncodeJson(*widget), kWidget) << "the tables are kept here";
}

}  // namespace
}  // namespace quadra::api
