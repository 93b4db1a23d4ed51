#include "validation/claim_config.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "json/value.h"
#include "validation/claim_limits.h"
#include "validation/formats.h"

namespace quadra::validation {
namespace {

// The first number in valid JSON that float64 cannot hold, which is all that can make Go's decoder
// refuse it.
std::string_view FirstHugeNumber(json::Reader& reader) {
  std::string_view found;
  switch (reader.Peek()) {
    case json::Kind::kNumber: {
      const std::string_view text = reader.NumberText();
      return std::isinf(std::strtod(std::string(text).c_str(), nullptr)) ? text : found;
    }
    case json::Kind::kArray:
      for (bool more = reader.EnterArray() && reader.NextItem(); more; more = reader.NextItem()) {
        const std::string_view inside = FirstHugeNumber(reader);
        found = found.empty() ? inside : found;
      }
      return found;
    case json::Kind::kObject: {
      std::string_view key;
      for (bool more = reader.EnterObject() && reader.NextKey(key); more;
           more = reader.NextKey(key)) {
        const std::string_view inside = FirstHugeNumber(reader);
        found = found.empty() ? inside : found;
      }
      return found;
    }
    case json::Kind::kNull:
    case json::Kind::kBool:
    case json::Kind::kString:
      reader.Skip();
      return found;
  }
  return found;
}

// Why Go's decoder refuses `json`, or nothing.
std::string DecodeProblem(std::string_view text) {
  json::Reader reader(text);
  const std::string huge(FirstHugeNumber(reader));
  if (const Status status = reader.Finish(); !status) {
    return status.error().message;
  }
  return huge.empty()
             ? ""
             : fmt::format("json: cannot unmarshal number {} into Go value of type float64", huge);
}

}  // namespace

void CheckOpaqueJson(ErrorList& errors, const Path& path, const api::RawJson& json, Age age) {
  if (json.text.empty()) {
    errors.Required(path);
    return;
  }
  if (age == Age::kNew && json.text.size() > kMaxOpaqueBytes) {
    errors.TooLong(path, kMaxOpaqueBytes);
    return;
  }
  if (const std::string problem = DecodeProblem(json.text); !problem.empty()) {
    errors.Invalid(path, "<value omitted>", "error parsing data as JSON: " + problem);
    return;
  }
  const json::Kind kind = json::Reader(json.text).Peek();
  if (kind == json::Kind::kNull) {
    errors.Required(path);
  } else if (kind != json::Kind::kObject) {
    errors.Invalid(path, "<value omitted>", "must be a valid JSON object");
  }
}

void CheckOpaque(ErrorList& errors, const Path& path,
                 const std::optional<api::OpaqueDeviceConfiguration>& opaque, Age age) {
  const Path here = path.Child("opaque");
  if (!opaque) {
    errors.Required(here);
    return;
  }
  CheckDriverName(errors, here.Child("driver"), opaque->driver, Covered::kYes);
  CheckOpaqueJson(errors, here.Child("parameters"), opaque->parameters, age);
}

}  // namespace quadra::validation
