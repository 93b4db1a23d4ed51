#include "apiserver/partial_metadata.h"

#include <gtest/gtest.h>

namespace quadra::apiserver {
namespace {

TEST(PartialMetadata, KeepsMetadataAsWritten) {
  struct Row {
    std::string_view object, metadata;
  };
  const Row rows[] = {
      {R"({"kind":"Pod","metadata":{"name":"a","labels":{"b":"c"}},"spec":{}})",
       R"({"name":"a","labels":{"b":"c"}})"},
      {R"({"metadata":{"name":"a"}})", R"({"name":"a"})"},
      {R"({"spec":{"metadata":{"name":"inner"}}})", "{}"},
      {"{}", "{}"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(PartialMetadata(row.object).value(),
              std::string(R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)") +
                  R"("metadata":)" + std::string(row.metadata) + "}");
  }
}

TEST(PartialMetadata, RefusesWhatIsNoObject) {
  for (const std::string_view text : {"", "[]", "{", R"({"metadata":)", "{} {}"}) {
    EXPECT_FALSE(PartialMetadata(text).has_value()) << text;
    EXPECT_FALSE(PartialMetadataList(std::span(&text, 1), {}).has_value()) << text;
  }
}

TEST(PartialMetadata, ListsWithTheListsOwnMetadata) {
  const std::string_view objects[] = {R"({"metadata":{"name":"a"}})",
                                      R"({"metadata":{"name":"b"}})"};
  EXPECT_EQ(PartialMetadataList(
                objects, {.resource_version = "7", .continue_token = "next", .remaining_items = 3},
                kMetaV1beta1)
                .value(),
            R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1beta1",)"
            R"("metadata":{"resourceVersion":"7","continue":"next","remainingItemCount":3},)"
            R"("items":[{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1",)"
            R"("metadata":{"name":"a"}},{"kind":"PartialObjectMetadata",)"
            R"("apiVersion":"meta.k8s.io/v1beta1","metadata":{"name":"b"}}]})");
  EXPECT_EQ(PartialMetadataList({}, {}).value(),
            R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",)"
            R"("metadata":{},"items":null})");
}

}  // namespace
}  // namespace quadra::apiserver
