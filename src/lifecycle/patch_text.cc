#include "lifecycle/patch_text.h"

namespace quadra::lifecycle {

namespace {

void WriteTarget(json::Writer& writer, const PatchTarget& target) {
  if (!target.uid.empty()) {
    WriteMember(writer, "uid", target.uid);
  }
  if (!target.resource_version.empty()) {
    WriteMember(writer, "resourceVersion", target.resource_version);
  }
}

void WritePart(json::Writer& writer, std::string_view part,
               const std::function<void(json::Writer&)>& write) {
  writer.Key(part);
  writer.BeginObject();
  write(writer);
  writer.EndObject();
}

}  // namespace

std::string PatchText(const PatchTarget& target, std::string_view part,
                      const std::function<void(json::Writer&)>& write) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  WritePart(writer, "metadata", [&](json::Writer& into) { WriteTarget(into, target); });
  WritePart(writer, part, write);
  writer.EndObject();
  return text;
}

std::string PatchText(const PatchTarget& target,
                      const std::function<void(json::Writer&)>& write_metadata,
                      const std::function<void(json::Writer&)>& write_spec) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  WritePart(writer, "metadata", [&](json::Writer& into) {
    WriteTarget(into, target);
    write_metadata(into);
  });
  WritePart(writer, "spec", write_spec);
  writer.EndObject();
  return text;
}

void WriteMember(json::Writer& writer, std::string_view key, std::string_view text) {
  writer.Key(key);
  writer.String(text);
}

void WriteMember(json::Writer& writer, std::string_view key, Time time) {
  WriteMember(writer, key, FormatSeconds(time));
}

void WriteConditionOrder(json::Writer& writer, const std::vector<std::string_view>& types) {
  writer.Key("$setElementOrder/conditions");
  writer.BeginArray();
  for (const std::string_view type : types) {
    writer.BeginObject();
    WriteMember(writer, "type", type);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteNumber(json::Writer& writer, std::string_view key, std::int64_t number) {
  writer.Key(key);
  writer.Int(number);
}

}  // namespace quadra::lifecycle
