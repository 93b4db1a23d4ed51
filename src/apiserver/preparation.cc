#include "apiserver/preparation.h"

#include <charconv>
#include <optional>
#include <string>

#include "apiserver/stored_form.h"
#include "apiserver/tree.h"
#include "validation/judge.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

bool HaveSameTemplate(const api::Object& a, const api::Object& b) {
  static const api::Value nil;
  const api::Value* in_a = Look(a, {"spec", "template"});
  const api::Value* in_b = Look(b, {"spec", "template"});
  std::size_t hint = 0;
  const api::Field* spec = api::FindField(*a.kind->fields, "spec", hint);
  const api::Field* field = api::FindField(*spec->type->fields, "template", hint = 0);
  return api::Equal(*field->type, in_a == nullptr ? nil : *in_a, in_b == nullptr ? nil : *in_b);
}

// Where there is an entry of that key already it stays.
void AddText(api::Value& map, std::string_view key, const std::string& text) {
  api::Value& entry = map.AddEntry(key);
  if (entry.is_nil()) {
    entry.Set(text);
  }
}

void SetTemplateGeneration(api::Object& daemons, std::int64_t generation) {
  api::ObjectMeta meta = MetaOf(daemons);
  meta.annotations[kTemplateGeneration] = std::to_string(generation);
  SetMeta(daemons, meta);
}

std::int64_t TemplateGenerationOf(const api::Object& daemons) {
  const api::ObjectMeta meta = MetaOf(daemons);
  const std::string* text = meta.annotations.Find(kTemplateGeneration);
  std::int64_t generation = 0;
  if (text != nullptr) {
    std::from_chars(text->data(), text->data() + text->size(), generation);
  }
  return generation;
}

void SetOne(api::Value& list, std::string text) {
  list.Set(api::Value::Items{api::Value(std::move(text))});
}

}  // namespace

void BeginGeneration(api::Object& object) {
  api::ObjectMeta meta = MetaOf(object);
  meta.generation = 1;
  SetMeta(object, meta);
}

void CountGeneration(api::Object& object, const api::Object& standing) {
  api::ObjectMeta meta = MetaOf(object);
  meta.generation =
      MetaOf(standing).generation + (validation::ChangesContent(object, standing) ? 1 : 0);
  SetMeta(object, meta);
}

void CountAnnotations(api::Object& object, const api::Object& standing) {
  api::ObjectMeta meta = MetaOf(object);
  const api::ObjectMeta old = MetaOf(standing);
  if (meta.annotations != old.annotations && meta.generation == old.generation) {
    ++meta.generation;
    SetMeta(object, meta);
  }
}

void KeepLabels(api::Object& object, const api::Object& standing) {
  api::ObjectMeta meta = MetaOf(object);
  meta.labels = MetaOf(standing).labels;
  SetMeta(object, meta);
}

void KeepMetadata(api::Object& object, const api::Object& standing) {
  api::ObjectMeta meta = MetaOf(standing);
  meta.resource_version = MetaOf(object).resource_version;
  SetMeta(object, meta);
}

void BeginPhase(api::Object& object) {
  Reach(object, {"status", "phase"}).Set(std::string("Pending"));
}

void BeginVolume(api::Object& volume) {
  BeginPhase(volume);
  if (const std::optional<Time> made = MetaOf(volume).creation_timestamp) {
    Reach(volume, {"status", "lastPhaseTransitionTime"}).Set(*made);
  }
}

void SelectByUid(api::Object& job) {
  const api::Value* manual = Look(job, {"spec", "manualSelector"});
  const bool* chosen = manual == nullptr ? nullptr : manual->As<bool>();
  if (chosen != nullptr && *chosen) {
    return;
  }
  api::ObjectMeta meta = MetaOf(job);
  api::Value& labels = Reach(job, {"spec", "template", "metadata", "labels"});
  for (const std::string_view key : {"job-name", "batch.kubernetes.io/job-name"}) {
    AddText(labels, key, meta.name);
  }
  for (const std::string_view key : {"controller-uid", "batch.kubernetes.io/controller-uid"}) {
    AddText(labels, key, meta.uid);
  }
  AddText(Reach(job, {"spec", "selector", "matchLabels"}), "batch.kubernetes.io/controller-uid",
          meta.uid);
  if (meta.labels.empty()) {
    Reach(job, {"metadata", "labels"}) =
        api::Value(*Look(job, {"spec", "template", "metadata", "labels"}));
  }
}

void BeginTemplateGeneration(api::Object& daemons) {
  BeginGeneration(daemons);
  SetTemplateGeneration(daemons, 1);
}

void CountTemplateGeneration(api::Object& daemons, const api::Object& standing) {
  SetTemplateGeneration(
      daemons, TemplateGenerationOf(standing) + (HaveSameTemplate(daemons, standing) ? 0 : 1));
}

void ListAddresses(api::Object& service) {
  if (TextAt(service, {"spec", "type"}) == "ExternalName") {
    return;
  }
  const std::string address = TextAt(service, {"spec", "clusterIP"});
  if (!address.empty() && ItemsAt(service.root, {"spec", "clusterIPs"}).empty()) {
    SetOne(Reach(service, {"spec", "clusterIPs"}), address);
  }
  if (ItemsAt(service.root, {"spec", "ipFamilies"}).empty()) {
    SetOne(Reach(service, {"spec", "ipFamilies"}),
           address.find(':') == std::string::npos ? "IPv4" : "IPv6");
  }
  if (TextAt(service, {"spec", "ipFamilyPolicy"}).empty()) {
    Reach(service, {"spec", "ipFamilyPolicy"}).Set(std::string("SingleStack"));
  }
}

}  // namespace quadra::apiserver
