// Our half of conformance/quantity: everything a quantity shows, for two texts, what arithmetic
// makes of them, and a JSON value.
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>

#include "json/value.h"
#include "json/writer.h"
#include "quantity/quantity.h"

namespace quadra::answers {
namespace {

using quantity::Quantity;

struct Question {
  std::string a, b, json;
  std::int64_t factor = 0;
  std::int32_t scale = 0;
};

template <typename Number>
Number ReadNumber(json::Reader& reader) {
  const std::string_view text = reader.NumberText();
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Question ReadQuestion(std::string_view text) {
  Question question;
  json::Reader reader(text);
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "a") {
      question.a = reader.String();
    } else if (key == "b") {
      question.b = reader.String();
    } else if (key == "json") {
      question.json = reader.SkipRaw();
    } else if (key == "factor") {
      question.factor = ReadNumber<std::int64_t>(reader);
    } else {
      question.scale = ReadNumber<std::int32_t>(reader);
    }
  }
  return question;
}

constexpr std::array<std::string_view, 4> kFormatNames = {"", "DecimalExponent", "BinarySI",
                                                          "DecimalSI"};

std::string Hexadecimal(double number) {
  std::array<char, 16> digits{};
  const auto end =
      std::to_chars(digits.begin(), digits.end(), std::bit_cast<std::uint64_t>(number), 16).ptr;
  return {digits.begin(), end};
}

std::string Describe(const Quantity& quantity) {
  const auto integer = quantity.AsInt64();
  std::string out = quantity.ToString();
  for (const std::string& part :
       {std::string(kFormatNames[static_cast<std::size_t>(quantity.format())]),
        integer ? std::to_string(*integer) : "none", std::to_string(quantity.Value()),
        std::to_string(quantity.MilliValue()), std::to_string(quantity.Sign()),
        Hexadecimal(quantity.AsApproximateDouble())}) {
    out.append(" ").append(part);
  }
  return out;
}

std::string Describe(const Result<Quantity>& result) {
  return result ? Describe(*result) : "error: " + result.error().message;
}

// A copy of `quantity` after `change`.
template <typename Change>
std::string After(Quantity quantity, Change change) {
  change(quantity);
  return Describe(quantity);
}

// The same where `change` has a verdict of its own.
template <typename Change>
std::string Judged(Quantity quantity, Change change) {
  const bool verdict = change(quantity);
  return std::string(verdict ? "true " : "false ") + Describe(quantity);
}

void WritePair(json::Writer& writer, const Quantity& a, const Quantity& b,
               const Question& question) {
  writer.Key("cmp");
  writer.Int(a.Cmp(b));
  writer.Key("cmpInt64");
  writer.Int(a.CmpInt64(question.factor));
  writer.Member("compared", After(a, [&](Quantity& q) {
                  if (q.IsDecimal() != b.IsDecimal()) {
                    q.ToDecimal();
                  }
                }));
  writer.Member("add", After(a, [&](Quantity& q) { q.Add(b); }));
  writer.Member("sub", After(a, [&](Quantity& q) { q.Sub(b); }));
  writer.Member("there and back", After(a, [&](Quantity& q) {
                  q.Sub(b);
                  q.Neg();
                  q.Add(a);
                }));
  writer.Member("mul", Judged(a, [&](Quantity& q) { return q.Mul(question.factor); }));
  writer.Member("neg", After(a, [](Quantity& q) { q.Neg(); }));
  writer.Member("roundUp", Judged(a, [&](Quantity& q) { return q.RoundUp(question.scale); }));
  writer.Member("scaled", std::to_string(a.ScaledValue(question.scale)));
}

}  // namespace

std::string AnswerQuantity(std::string_view text) {
  const Question question = ReadQuestion(text);
  const auto a = Quantity::Parse(question.a);
  const auto b = Quantity::Parse(question.b);
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  writer.Member("a", Describe(a));
  writer.Member("b", Describe(b));
  writer.Member("json", Describe(Quantity::ParseJson(question.json)));
  if (a && b) {
    WritePair(writer, *a, *b, question);
  }
  writer.EndObject();
  return out;
}

}  // namespace quadra::answers
