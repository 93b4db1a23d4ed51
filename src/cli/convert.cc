#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include "api/object.h"
#include "base/check.h"
#include "base/go_text.h"
#include "cli/document.h"
#include "cli/inputs.h"
#include "cli/line.h"
#include "cli/verb.h"
#include "inspection/lint_objects.h"
#include "json/documents.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

constexpr std::array kConvertFlags = {
    kFilenameFlag,
    kRecursiveFlag,
    Flag{.name = "to",
         .value = "VERSION",
         .suggested = "v1 v1beta2 v1beta1",
         .help = "The version to convert to: v1, v1beta2 or v1beta1 of resource.k8s.io, or "
                 "GROUP/VERSION."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "yaml json",
         .help = "yaml (the default) prints one document an object, json one object or a List."},
};

// One run of the verb: where to, what came out, and what is to be said about it.
struct Conversion {
  std::string target;                // group/version
  std::vector<std::string> objects;  // as JSON, in the order of the input
  std::vector<std::string> notes;    // for people
  bool comments_possible = false;    // some input may have had comments
  bool broken = false;               // something could not be read or decoded
  ExitCode code = ExitCode::kYes;
};

std::string_view GroupOf(std::string_view api_version) {
  return api_version.substr(0, api_version.rfind('/'));
}

bool IsServed(std::string_view api_version) {
  return std::ranges::any_of(api::AllKinds(), [&](const api::KindSchema& kind) {
    return api_version == fmt::format("{}/{}", kind.group, kind.version);
  });
}

Result<std::string> TargetOf(const std::string& flag) {
  if (flag.empty()) {
    return Fail(ErrorKind::kUsage, "to which version? --to v1");
  }
  std::string target =
      flag.find('/') == std::string::npos ? fmt::format("{}/{}", api::kDraGroup, flag) : flag;
  if (!IsServed(target)) {
    return Fail({.kind = ErrorKind::kUsage,
                 .message = fmt::format("--to: there is no version {}", target),
                 .remedy = "versions of resource.k8s.io are v1, v1beta2 and v1beta1"});
  }
  return target;
}

void AddNote(Conversion& conversion, const json::Manifest& manifest, const api::Identity& identity,
             std::string_view field, std::string_view text) {
  conversion.notes.push_back(fmt::format("{}:{}: {} {}", manifest.file(),
                                         manifest.Locate(field).line, identity.Title(), text));
}

void NoteUndecodable(Conversion& conversion, const json::Manifest& manifest,
                     const api::Identity& identity, const api::DecodeError& error) {
  const bool unknown = error.message.starts_with("unknown field");
  const std::string hint = unknown ? inspection::FittingVersionHint(manifest.json(), identity) : "";
  AddNote(conversion, manifest, identity, error.exact,
          fmt::format("cannot be converted: {}{}", error.message, hint));
  conversion.code = Worst(conversion.code, ExitCode::kNo);
  conversion.broken = true;
}

// The object as JSON. Encoding adds an empty status where the input had none; people would wonder
// at it.
std::string WithoutAddedStatus(const api::Object& converted, const api::Object& input) {
  std::string text = api::EncodeJson(converted);
  if (!converted.kind->has_status || input.root.Member("status") != nullptr) {
    return text;
  }
  Result<json::Value> value = json::ParseValue(text);
  QUADRA_CHECK(value.has_value(), "what is encoded is valid JSON");
  value->Erase("status");
  return json::ToJson(*value);
}

void KeepAsWritten(Conversion& conversion, const json::Manifest& manifest) {
  conversion.objects.emplace_back(manifest.json());
}

// The object in the target version. What cannot be said there is noted; what is in that version
// already stays as it is written.
void ConvertObject(Conversion& conversion, const json::Manifest& manifest,
                   const api::Identity& identity) {
  api::Decoded<api::Object> object = api::DecodeJson(manifest.json());
  if (!object) {
    NoteUndecodable(conversion, manifest, identity, object.error());
    return;
  }
  for (const json::DuplicateKey& duplicate : manifest.duplicates()) {
    NoteUndecodable(
        conversion, manifest, identity,
        {.exact = duplicate.path, .message = "duplicate field " + GoQuote(duplicate.path)});
  }
  if (identity.api_version == conversion.target) {
    KeepAsWritten(conversion, manifest);
    return;
  }
  std::vector<std::string> lost;
  const Result<api::Object> converted = api::Convert(*object, conversion.target, &lost);
  QUADRA_CHECK(converted.has_value(), "the target version has this kind");
  for (const std::string& path : lost) {
    AddNote(conversion, manifest, identity, path,
            fmt::format("lost {}: {} has no place for it", path, conversion.target));
  }
  conversion.objects.push_back(WithoutAddedStatus(*converted, *object));
}

void Visit(Conversion& conversion, const json::Manifest& manifest, Console& console) {
  const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
  if (!identity) {
    PrintLine(console.err, fmt::format("error: {}:{}: {}", manifest.file(), manifest.start().line,
                                       identity.error().ToString()));
    conversion.code = ExitCode::kUsage;
    conversion.broken = true;
    return;
  }
  conversion.comments_possible |= !manifest.file().ends_with(".json");
  if (identity->group() != GroupOf(conversion.target)) {
    KeepAsWritten(conversion, manifest);
  } else if (api::FindKind(conversion.target, identity->kind) == nullptr) {
    AddNote(conversion, manifest, *identity, "",
            fmt::format("kept as {}: {} has no {}", identity->api_version, conversion.target,
                        identity->kind));
    conversion.code = Worst(conversion.code, ExitCode::kNo);
    KeepAsWritten(conversion, manifest);
  } else {
    ConvertObject(conversion, manifest, *identity);
  }
}

void PrintYaml(const std::vector<std::string>& objects, Console& console) {
  bool first = true;
  for (const std::string& object : objects) {
    const Result<json::Value> value = json::ParseValue(object);
    QUADRA_CHECK(value.has_value(), "objects are valid JSON");
    console.out << (first ? "" : "---\n") << json::ToYaml(*value);
    first = false;
  }
}

std::string Indented(std::string_view json) {
  std::string out;
  json::Writer(out, kObjectIndent).Raw(json);
  return out;
}

// As a value two levels deep in a document. Strings of JSON hold no line ends of their own.
std::string AsItem(std::string_view json) {
  std::string out;
  for (const char c : Indented(json)) {
    out += c;
    if (c == '\n') {
      out.append(std::size_t{2} * kObjectIndent, ' ');
    }
  }
  return out;
}

// Item by item, since a List of a whole cluster would not fit beside its objects.
void PrintList(const std::vector<std::string>& objects, Console& console) {
  std::string_view before =
      "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"List\",\n    \"items\": [";
  for (const std::string& object : objects) {
    console.out << before << "\n        " << AsItem(object);
    before = ",";
  }
  console.out << "\n    ]\n}\n";
}

void PrintJson(const std::vector<std::string>& objects, Console& console) {
  if (objects.size() == 1) {
    console.out << Indented(objects[0]) << '\n';
  } else {
    PrintList(objects, console);
  }
}

// Half a conversion, piped into kubectl, would be worse than none: objects are printed only when
// all could be read.
void PrintConversion(const Conversion& conversion, std::string_view format, Console& console) {
  for (const std::string& note : conversion.notes) {
    PrintLine(console.err, note);
  }
  if (conversion.broken || conversion.objects.empty()) {
    return;
  }
  if (conversion.comments_possible) {
    console.err << "note: comments and the order of keys are not kept\n";
  }
  if (format == "json") {
    PrintJson(conversion.objects, console);
  } else {
    PrintYaml(conversion.objects, console);
  }
}

ExitCode RunConvert(const Invocation& invocation, Console& console) {
  Result<std::string> target = TargetOf(invocation.Value("to"));
  if (!target) {
    return RefuseUsage(target.error(), invocation.program, &kConvertVerb, console);
  }
  Conversion conversion{.target = *std::move(target)};
  const ExitCode read = ReadInputs(invocation, console, [&](const json::Manifest& manifest) {
    Visit(conversion, manifest, console);
  });
  conversion.broken |= read != ExitCode::kYes;
  PrintConversion(conversion, invocation.Value("output"), console);
  return Worst(conversion.code, read);
}

}  // namespace

const Verb kConvertVerb{
    .name = "convert",
    .synopsis = "-f FILE… --to VERSION [-R] [-o yaml|json]",
    .summary = "rewrite manifests in another version of their API",
    .description =
        "Reads objects strictly, converts those whose group has the wanted version, and prints all "
        "of them in the "
        "order of the input; objects of other groups stay as they are. An "
        "object whose shape is not that of its version is refused. Says on standard error what "
        "the other version "
        "has no place for, and that comments are lost.",
    .examples =
        "  quadra convert -f claim.yaml --to v1\n"
        "  quadra convert -R -f manifests/ --to resource.k8s.io/v1beta1 -o json\n",
    .flags = kConvertFlags,
    .most_arguments = kManyArguments,
    .run = RunConvert,
};

}  // namespace quadra::cli
