// Our half of conformance/semver: three verdicts on each of two texts, their parts, and their
// order.
#include <string>

#include "json/value.h"
#include "json/writer.h"
#include "semver/semver.h"

namespace quadra::answers {
namespace {

using semver::Version;

void WriteVersion(json::Writer& writer, const Version& version) {
  writer.String(version.ToString());
  for (const std::uint64_t number :
       {version.major_number(), version.minor_number(), version.patch_number()}) {
    writer.Int(static_cast<std::int64_t>(number));  // as CEL shows it
  }
  writer.String(version.prerelease());
  writer.String(version.build());
}

void WriteResult(json::Writer& writer, const Result<Version>& result) {
  writer.BeginArray();
  if (result) {
    WriteVersion(writer, *result);
  } else {
    writer.String(result.error().message);
    writer.String(result.error().value);
  }
  writer.EndArray();
}

void WriteOrder(json::Writer& writer, const Result<Version>& a, const Result<Version>& b) {
  if (!a || !b) {
    writer.Null();
    return;
  }
  const auto order = *a <=> *b;
  writer.Int((order > 0) - (order < 0));
}

}  // namespace

// The question is a list of two texts.
std::string AnswerSemver(std::string_view question) {
  json::Reader reader(question);
  std::string out;
  json::Writer writer(out);
  writer.BeginArray();
  Result<Version> last = Fail(ErrorKind::kNotFound, "no text came before");
  Result<Version> last_normalized = last;
  for (bool more = reader.EnterArray(); more && reader.NextItem();) {
    const std::string_view text = reader.String();
    auto parsed = Version::Parse(text);
    auto normalized = Version::ParseNormalized(text);
    writer.Bool(semver::MatchesSpec(text));
    WriteResult(writer, parsed);
    WriteResult(writer, normalized);
    WriteOrder(writer, last, parsed);
    WriteOrder(writer, last_normalized, normalized);
    last = std::move(parsed);
    last_normalized = std::move(normalized);
  }
  writer.EndArray();
  return out;
}

}  // namespace quadra::answers
