// Formats of the API (api/formats.h) as upstream's hand-written rules check them: `Check...` report
// what is wrong at a path, with the origin that lets declarative rules supersede them. Declarative
// rules over the same formats are in declarative.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/vocabulary.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

// Whether declarative rules repeat a hand-written check.
enum class Covered : std::uint8_t { kNo, kYes };

void CheckDnsLabel(ErrorList& errors, const Path& path, std::string_view value);
void CheckDnsSubdomain(ErrorList& errors, const Path& path, std::string_view value);
void CheckDriverName(ErrorList& errors, const Path& path, std::string_view value,
                     Covered covered = Covered::kNo);
void CheckPoolName(ErrorList& errors, const Path& path, std::string_view value);
void CheckNodeName(ErrorList& errors, const Path& path, std::string_view value);
void CheckLabelKey(ErrorList& errors, const Path& path, std::string_view value);
void CheckLabelValue(ErrorList& errors, const Path& path, std::string_view value);
// A C identifier, optionally behind `domain/`. Two slashes pass, as upstream.
void CheckQualifiedName(ErrorList& errors, const Path& path, std::string_view value);
// The same with a mandatory domain.
void CheckFullyQualifiedName(ErrorList& errors, const Path& path, std::string_view value);

// A map key as paths show it: longer ones lose their middle to "...".
std::string ShortenedKey(std::string_view key, std::size_t max);

}  // namespace quadra::validation
