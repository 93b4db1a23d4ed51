// Representation: in which form a client wants its answer: encoding and shape, as its Accept header
// says; and in which form its body is.
//
//   application/json;as=Table;v=v1;g=meta.k8s.io,application/json   →  a table in JSON
//
// Pure, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/failure.h"

namespace quadra::apiserver {

enum class Encoding : std::uint8_t { kJson, kYaml, kProtobuf };

std::string_view MediaTypeOf(Encoding encoding);

// All that we have, as refusals list them; and of watches.
inline constexpr std::string_view kMediaTypes =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
inline constexpr std::string_view kWatchMediaTypes =
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

struct Representation {
  enum class Shape : std::uint8_t { kObject, kTable, kPartialMetadata };

  Encoding encoding = Encoding::kJson;
  Shape shape = Shape::kObject;
  std::string shape_version = "v1";  // of meta.k8s.io, for tables and partial metadata
  bool of_list = false;              // kPartialMetadata: asked for by the name of its lists
  bool pretty = false;

  // Whether what is asked for is the metadata of a list, or of an object.
  bool IsMetadataOf(bool list) const { return shape == Shape::kPartialMetadata && of_list == list; }

  friend bool operator==(const Representation&, const Representation&) = default;
};

// The first that `accept` names, best quality first, and that we have; an absent header takes
// anything. Fails with NotAcceptable.
OrFailure<Representation> Negotiate(std::string_view accept);

// Of a body by its Content-Type; an absent one is JSON. Fails with UnsupportedMediaType.
OrFailure<Encoding> EncodingOfBody(std::string_view content_type);

}  // namespace quadra::apiserver
