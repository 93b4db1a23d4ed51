#include "cel/declarations.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"

namespace quadra::cel {
namespace {

struct Simple {
  std::string_view text;
  Type type;
};

Type FindSimple(std::string_view text) {
  static const std::array simple_types = {
      Simple{"dyn", types::kDyn},       Simple{"any", types::kAny},
      Simple{"bool", types::kBool},     Simple{"int", types::kInt},
      Simple{"uint", types::kUint},     Simple{"double", types::kDouble},
      Simple{"string", types::kString}, Simple{"bytes", types::kBytes},
      Simple{"null", types::kNull},     Simple{"timestamp", types::kTimestamp},
      Simple{"type", types::kTypeType}, Simple{"duration", types::kDuration},
  };
  for (const Simple& simple : simple_types) {
    if (simple.text == text) {
      return simple.type;
    }
  }
  return nullptr;
}

// Reads "map(K, list(V)), int" from left to right.
class TypeReader {
 public:
  TypeReader(TypeArena& arena, std::string_view text) : arena_(arena), rest_(text) {}

  std::vector<Type> ReadAll() {
    std::vector<Type> types;
    while (!rest_.empty()) {
      types.push_back(ReadOne());
      Skip(", ");
    }
    return types;
  }

  Type ReadOne() {
    const std::string_view name = rest_.substr(0, rest_.find_first_of("(),"));
    rest_.remove_prefix(name.size());
    std::vector<Type> parameters;
    if (Skip("(")) {
      do {
        parameters.push_back(ReadOne());
      } while (Skip(", "));
      QUADRA_CHECK(Skip(")"), "declarations are written by hand and tested");
    }
    return Named(name, parameters);
  }

 private:
  bool Skip(std::string_view text) {
    if (!rest_.starts_with(text)) {
      return false;
    }
    rest_.remove_prefix(text.size());
    return true;
  }

  Type Named(std::string_view name, const std::vector<Type>& parameters) {
    if (name == "list") {
      return arena_.List(parameters.at(0));
    }
    if (name == "map") {
      return arena_.Map(parameters.at(0), parameters.at(1));
    }
    if (name == "optional_type") {
      return arena_.Optional(parameters.at(0));
    }
    if (name == "type" && !parameters.empty()) {
      return arena_.TypeOf(parameters[0]);
    }
    return Plain(name);
  }

  Type Plain(std::string_view name) {
    if (const Type simple = FindSimple(name)) {
      return simple;
    }
    if (name.size() == 1) {
      return arena_.Param(name);
    }
    return name.starts_with("net.") ? arena_.Opaque(name) : arena_.Object(name);
  }

  TypeArena& arena_;
  std::string_view rest_;
};

}  // namespace

Type ReadType(TypeArena& arena, std::string_view text) { return TypeReader(arena, text).ReadOne(); }

void Declare(Environment& environment, const Row& row) {
  environment.Add(row.function,
                  Overload{.id = std::string(row.id),
                           .member = row.style == kMember,
                           .parameters = TypeReader(environment.types, row.parameters).ReadAll(),
                           .result = ReadType(environment.types, row.result),
                           .behaviour = row.behaviour});
}

void Declare(Environment& environment, std::span<const Row> rows) {
  for (const Row& row : rows) {
    Declare(environment, row);
  }
}

}  // namespace quadra::cel
