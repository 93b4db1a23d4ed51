#include "metrics/text.h"

#include <cmath>

#include <fmt/format.h>

#include "base/go_text.h"

namespace quadra::metrics {
namespace {

// In label values quotes are escaped too.
std::string Escaped(std::string_view text, bool in_quotes) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c == '\\' || (c == '"' && in_quotes) ? "\\" : "";
      escaped += c;
    }
  }
  return escaped;
}

std::string Number(double number) {
  if (std::isinf(number)) {
    return number > 0 ? "+Inf" : "-Inf";
  }
  return std::isnan(number) ? "NaN" : GoFloat(number);
}

// a="1",b="2"
std::string LabelsOf(const FamilyOptions& family, Values values) {
  std::string labels;
  for (std::size_t i = 0; i < values.size(); ++i) {
    labels +=
        fmt::format(R"({}{}="{}")", i == 0 ? "" : ",", family.labels[i], Escaped(values[i], true));
  }
  return labels;
}

void PrintLine(std::string_view name, std::string_view suffix, std::string_view labels,
               std::string_view value, std::string& out) {
  out += labels.empty() ? fmt::format("{}{} {}\n", name, suffix, value)
                        : fmt::format("{}{}{{{}}} {}\n", name, suffix, labels, value);
}

}  // namespace

void PrintHead(const FamilyOptions& family, std::string_view type, std::string& out) {
  out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", family.name, Escaped(family.help, false),
                     family.name, type);
}

void PrintSample(const FamilyOptions& family, Values values, double sample, std::string& out) {
  PrintLine(family.name, "", LabelsOf(family, values), Number(sample), out);
}

void PrintSample(const FamilyOptions& family, Values values, const Counter& counter,
                 std::string& out) {
  PrintLine(family.name, "", LabelsOf(family, values), fmt::to_string(counter.value()), out);
}

void PrintSample(const FamilyOptions& family, Values values, const Gauge& gauge, std::string& out) {
  PrintLine(family.name, "", LabelsOf(family, values), fmt::to_string(gauge.value()), out);
}

void PrintSample(const FamilyOptions& family, Values values, const Histogram& histogram,
                 std::string& out) {
  const std::string labels = LabelsOf(family, values);
  const std::string comma = labels.empty() ? "" : ",";
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i <= histogram.bounds().size(); ++i) {
    so_far += histogram.count(i);
    const bool last = i == histogram.bounds().size();
    PrintLine(
        family.name, "_bucket",
        fmt::format(R"({}{}le="{}")", labels, comma, last ? "+Inf" : Number(histogram.bounds()[i])),
        fmt::to_string(so_far), out);
  }
  PrintLine(family.name, "_sum", labels, Number(histogram.sum()), out);
  PrintLine(family.name, "_count", labels, fmt::to_string(so_far), out);
}

}  // namespace quadra::metrics
