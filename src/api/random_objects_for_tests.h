// Random objects of any kind, as JSON, drawn from the schema tables: every field that a kind has
// gets its turn, so a test that holds for these holds for fields nobody thought of. For tests only.
//
//   SeededRandom random(1);
//   const std::string pod = RandomObjects(random, {.leave_out = {"claims"}}).Json(*FindKind("v1",
//   "Pod"));
//
// What is drawn has the right types, not sensible values: names are letters, amounts small.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/schema.h"
#include "base/random.h"
#include "json/writer.h"

namespace quadra::api {

struct RandomOptions {
  std::vector<std::string_view> leave_out;  // names of fields, anywhere
  std::uint64_t percent = 60;               // how often a field is given
};

class RandomObjects {
 public:
  explicit RandomObjects(Random& random, RandomOptions options = {})
      : random_(random), options_(std::move(options)) {}

  // With the kind's header and, where `metadata` is given, that.
  std::string Json(const KindSchema& kind, std::string_view metadata = {}) {
    std::string out;
    json::Writer writer(out);
    writer.BeginObject();
    WriteHeader(kind, writer);
    for (const Field& field : kind.fields->fields) {
      if (field.json == "metadata" && !metadata.empty()) {
        writer.Key(field.json);
        writer.Raw(metadata);
      } else if (field.json != "kind" && field.json != "apiVersion") {
        WriteField(field, writer);
      }
    }
    writer.EndObject();
    return out;
  }

 private:
  static constexpr int kDeepest = 14;  // schemas contain schemas

  static void WriteHeader(const KindSchema& kind, json::Writer& writer) {
    writer.Key("kind");
    writer.String(kind.kind);
    writer.Key("apiVersion");
    writer.String(kind.group.empty() ? std::string(kind.version)
                                     : fmt::format("{}/{}", kind.group, kind.version));
  }

  bool Chance(std::uint64_t percent) { return random_.Below(100) < percent; }
  template <std::size_t kSize>
  std::string_view Pick(const std::array<std::string_view, kSize>& choices) {
    return choices[random_.Below(kSize)];
  }

  void WriteField(const Field& field, json::Writer& writer) {
    if (std::ranges::find(options_.leave_out, field.json) == options_.leave_out.end() &&
        depth_ < kDeepest && Chance(options_.percent)) {
      writer.Key(field.json);
      Write(*field.type, writer);
    }
  }

  void WriteStruct(const Struct& schema, json::Writer& writer) {
    ++depth_;
    writer.BeginObject();
    for (const Field& field : schema.fields) {
      WriteField(field, writer);
    }
    writer.EndObject();
    --depth_;
  }

  void WriteList(const Type& element, json::Writer& writer) {
    writer.BeginArray();
    for (std::uint64_t left = random_.Below(3); left > 0; --left) {
      Write(element, writer);
    }
    writer.EndArray();
  }

  void WriteMap(const Type& element, json::Writer& writer) {
    writer.BeginObject();
    for (const std::string_view key : {"cpu", "example.com/a", "memory"}) {
      if (Chance(50)) {
        writer.Key(key);
        Write(element, writer);
      }
    }
    writer.EndObject();
  }

  void Write(const Type& type, json::Writer& writer) {
    static constexpr std::array<std::string_view, 5> kTexts = {"a", "b-1", "c.example.com", "",
                                                               "\"<é>\n"};
    static constexpr std::array<std::string_view, 6> kAmounts = {"1", "250m",  "2Gi",
                                                                 "0", "1.5Mi", "3k"};
    static constexpr std::array<std::string_view, 2> kTimes = {"2026-01-02T03:04:05Z",
                                                               "1999-12-31T23:59:59Z"};
    switch (type.kind) {
      case TypeKind::kString:
        return writer.String(Pick(kTexts));
      case TypeKind::kBool:
        return writer.Bool(Chance(50));
      case TypeKind::kInt32:
      case TypeKind::kInt64:
        return writer.Int(static_cast<std::int64_t>(random_.Below(1000)));
      case TypeKind::kDouble:
        return writer.Raw("1.5");
      case TypeKind::kBytes:
        return writer.String("YWJj");
      case TypeKind::kQuantity:
        return writer.String(Pick(kAmounts));
      case TypeKind::kTime:
        return writer.String(Pick(kTimes));
      case TypeKind::kMicroTime:
        return writer.String("2026-01-02T03:04:05.123456Z");
      case TypeKind::kIntOrString:
        return Chance(50) ? writer.Int(8080) : writer.String("http");
      case TypeKind::kRawExtension:
      case TypeKind::kFieldsV1:
      case TypeKind::kJson:
        return writer.Raw(R"({"z":1,"a":[null,1.50]})");
      case TypeKind::kStruct:
        return WriteStruct(*type.fields, writer);
      case TypeKind::kList:
        return WriteList(*type.element, writer);
      case TypeKind::kMap:
        return WriteMap(*type.element, writer);
      case TypeKind::kSchemaOrArray:
      case TypeKind::kSchemaOrBool:
      case TypeKind::kSchemaOrStrings:
        return WriteStruct(*type.fields, writer);
    }
  }

  Random& random_;
  RandomOptions options_;
  int depth_ = 0;
};

}  // namespace quadra::api
