#include "apiserver/representation.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "api/vocabulary.h"

namespace quadra::apiserver {
namespace {

using Shape = Representation::Shape;

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  const std::size_t end = text.find_last_not_of(" \t");
  return begin == std::string_view::npos ? "" : text.substr(begin, end - begin + 1);
}

// One of the forms a client takes.
struct Clause {
  std::string_view type;  // application/json
  std::map<std::string_view, std::string_view> parameters;
  double quality = 1;

  std::string_view Parameter(std::string_view name) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? "" : found->second;
  }
};

Clause ParseClause(std::string_view text) {
  Clause clause;
  const std::vector<std::string_view> parts = api::Split(text, ';');
  clause.type = Trim(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = std::min(parts[i].find('='), parts[i].size());
    const std::string_view name = Trim(parts[i].substr(0, equals));
    const std::string_view value = Trim(parts[i].substr(std::min(equals + 1, parts[i].size())));
    if (name == "q") {
      std::from_chars(value.data(), value.data() + value.size(), clause.quality);
    } else {
      clause.parameters.emplace(name, value);
    }
  }
  return clause;
}

std::vector<Clause> ParseAccept(std::string_view accept) {
  std::vector<Clause> clauses;
  for (const std::string_view text : api::Split(accept, ',')) {
    clauses.push_back(ParseClause(text));
  }
  std::ranges::stable_sort(clauses, std::greater<>(), &Clause::quality);
  return clauses;
}

std::optional<Encoding> EncodingOf(std::string_view type) {
  if (type == "*/*" || type == "application/json") {
    return Encoding::kJson;
  }
  if (type == "application/yaml") {
    return Encoding::kYaml;
  }
  return type == "application/vnd.kubernetes.protobuf" ? std::optional(Encoding::kProtobuf)
                                                       : std::nullopt;
}

// Nothing where we do not have the shape that is asked for.
std::optional<Shape> ShapeOf(const Clause& clause, Encoding encoding) {
  const std::string_view as = clause.Parameter("as");
  const std::string_view version = clause.Parameter("v");
  if (as.empty() && version.empty() && clause.Parameter("g").empty()) {
    return Shape::kObject;
  }
  if (clause.Parameter("g") != "meta.k8s.io" || (version != "v1" && version != "v1beta1")) {
    return std::nullopt;
  }
  if (as == "Table" && encoding != Encoding::kProtobuf) {
    return Shape::kTable;
  }
  return as == "PartialObjectMetadata" || as == "PartialObjectMetadataList"
             ? std::optional(Shape::kPartialMetadata)
             : std::nullopt;
}

std::optional<Representation> RepresentationOf(const Clause& clause) {
  const std::optional<Encoding> encoding = EncodingOf(clause.type);
  const std::optional<Shape> shape = encoding ? ShapeOf(clause, *encoding) : std::nullopt;
  const std::string_view stream = clause.Parameter("stream");
  if (!shape || (!stream.empty() && stream != "watch")) {
    return std::nullopt;
  }
  Representation found{.encoding = *encoding, .shape = *shape};
  if (*shape != Shape::kObject) {
    found.shape_version = clause.Parameter("v");
  }
  found.of_list = clause.Parameter("as") == "PartialObjectMetadataList";
  found.pretty = clause.Parameter("pretty") == "1";
  return found;
}

// Pairs of names and values; the last may be empty.
bool HasGoodParameters(std::string_view media_type) {
  const std::vector<std::string_view> parts = api::Split(media_type, ';');
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool is_end = i + 1 == parts.size() && Trim(parts[i]).empty();
    if (!is_end && parts[i].find('=') == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string_view MediaTypeOf(Encoding encoding) {
  switch (encoding) {
    case Encoding::kJson:
      return "application/json";
    case Encoding::kYaml:
      return "application/yaml";
    case Encoding::kProtobuf:
      return "application/vnd.kubernetes.protobuf";
  }
  return "";
}

OrFailure<Representation> Negotiate(std::string_view accept) {
  if (Trim(accept).empty()) {
    return Representation();
  }
  for (const Clause& clause : ParseAccept(accept)) {
    if (std::optional<Representation> found = RepresentationOf(clause)) {
      return *std::move(found);
    }
  }
  return Fail(NotAcceptable(kMediaTypes));
}

OrFailure<Encoding> EncodingOfBody(std::string_view content_type) {
  if (!HasGoodParameters(content_type)) {
    return Fail(UnsupportedMediaType(kMediaTypes));
  }
  const std::string_view type = Trim(content_type.substr(0, content_type.find(';')));
  if (type.empty()) {
    return Encoding::kJson;
  }
  const std::optional<Encoding> encoding =
      type.find('*') == std::string_view::npos ? EncodingOf(api::ToLower(type)) : std::nullopt;
  return encoding ? OrFailure<Encoding>(*encoding) : Fail(UnsupportedMediaType(kMediaTypes));
}

}  // namespace quadra::apiserver
