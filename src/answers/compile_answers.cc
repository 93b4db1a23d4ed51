// Our halves of conformance/compile and conformance/declarations: an expression as the checked tree
// or the complaints about it; the overloads that an environment declares.
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cel/checked.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::answers {
namespace {

using namespace cel;  // NOLINT(google-build-using-namespace)

struct Question {
  std::string expression;
  bool stored = false;
  bool consumable = true;
  bool lists = false;
};

// The environment of a device selector.
std::unique_ptr<Environment> MakeEnvironment(const Question& question) {
  auto environment = KubernetesEnvironment(
      {.list_includes = question.lists, .lists_after_strings = question.stored});
  TypeArena& arena = environment->types;
  const auto nested = [&](Type leaf) {
    return arena.Map(types::kString, arena.Map(types::kString, leaf));
  };
  ObjectType device{.name = "kubernetes.DRADevice"};
  device.fields = {{"driver", types::kString},
                   {"attributes", nested(question.lists ? types::kDyn : types::kAny)},
                   {"capacity", nested(arena.Object("kubernetes.Quantity"))}};
  if (question.consumable) {
    device.fields.push_back({"allowMultipleAllocations", types::kBool});
  }
  environment->objects.push_back(std::move(device));
  environment->variables.push_back({"device", arena.Object("kubernetes.DRADevice")});
  return environment;
}

// Stored expressions see all that any gate enables.
const Environment& EnvironmentFor(Question question) {
  static std::array<std::unique_ptr<Environment>, 8> environments;
  question.consumable = question.consumable || question.stored;
  question.lists = question.lists || question.stored;
  const std::size_t index =
      (question.stored ? 4 : 0) + (question.consumable ? 2 : 0) + (question.lists ? 1 : 0);
  if (environments[index] == nullptr) {
    environments[index] = MakeEnvironment(question);
  }
  return *environments[index];
}

struct ConstantText {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(std::uint64_t value) const { return fmt::format("{}u", value); }
  std::string operator()(double value) const {
    return fmt::format("{:x}d", std::bit_cast<std::uint64_t>(value));
  }
  std::string operator()(std::string_view value) const { return fmt::format("'{}'", value); }
  std::string operator()(const Bytes& value) const {
    std::string out = "b";
    for (const char c : value.text) {
      out += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
    return out;
  }
};

// Prints the tree as (position what :type =reference <overloads>).
class TreePrinter {
 public:
  explicit TreePrinter(const CheckedAst& checked) : checked_(checked), ast_(*checked.ast) {}

  std::string Print() {
    Visit(ast_.root);
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void Write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void Visit(NodeId id) {
    const Node& node = ast_.nodes[id];
    Write("({} ", node.position);
    WriteKind(id, node);
    if (node.kind != NodeKind::kConstant) {
      Write(" :{}", ToString(checked_.types[id]));
    }
    if (!checked_.references[id].name.empty()) {
      Write(" ={}", checked_.references[id].name);
    }
    std::string_view separator = " <";
    for (const OverloadIndex overload : checked_.overloads(id)) {
      Write("{}{}", std::exchange(separator, ","), checked_.environment->overloads[overload].id);
    }
    out_ += checked_.overloads(id).empty() ? ")" : ">)";
  }

  void WriteKind(NodeId id, const Node& node) {
    switch (node.kind) {
      case NodeKind::kConstant:
        out_ += std::visit(ConstantText(), ast_.constant(id));
        return;
      case NodeKind::kIdent:
        out_ += node.name;
        return;
      case NodeKind::kSelect:
        out_ += node.test_only ? "has " : "";
        Visit(ast_.child(id, 0));
        Write(".{}", node.name);
        return;
      case NodeKind::kCall:
        Write("{}{}", node.name, node.has_receiver ? " @" : "");
        return WriteChildren(id);
      case NodeKind::kList:
        out_ += "list";
        return WriteChildren(id);
      case NodeKind::kMap:
        out_ += "map";
        return WriteChildren(id);
      case NodeKind::kStruct:
        Write("struct {}", node.name);
        for (std::size_t i = 0; i < node.child_count; ++i) {
          Write(" {}", ast_.field_names[node.detail + i]);
        }
        return WriteChildren(id);
      case NodeKind::kComprehension: {
        const Comprehension& fold = ast_.comprehension(id);
        Write("fold {},{},{}", fold.iteration, fold.iteration2, fold.accumulator);
        return WriteChildren(id);
      }
    }
  }

  void WriteChildren(NodeId id) {
    for (std::size_t i = 0; i < ast_.nodes[id].child_count; ++i) {
      out_ += ast_.is_optional(id, i) ? " ?" : " ";
      Visit(ast_.child(id, i));
    }
  }

  const CheckedAst& checked_;
  const Ast& ast_;
  std::string out_;
};

std::string Answer(const Question& question) {
  const Environment& environment = EnvironmentFor(question);
  ParseOutcome parsed = Parse(environment, question.expression);
  if (parsed.ast == nullptr) {
    return fmt::format("syntax {}:{}", parsed.issues[0].line, parsed.issues[0].column);
  }
  const CheckOutcome outcome = Check(environment, std::move(parsed.ast));
  if (outcome.checked == nullptr) {
    return FormatIssues(question.expression, outcome.issues);
  }
  return TreePrinter(*outcome.checked).Print();
}

void ReadGates(json::Reader& reader, Question& question) {
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    (key == "DRAConsumableCapacity" ? question.consumable : question.lists) = reader.Bool();
  }
}

Question ReadQuestion(std::string_view text) {
  json::Reader reader(text);
  Question question;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "expression") {
      question.expression = reader.String();
    } else if (key == "env") {
      question.stored = reader.String() == "stored";
    } else {
      ReadGates(reader, question);
    }
  }
  return question;
}

std::string Describe(const Environment& environment, const Overload& overload) {
  std::string parameters;
  for (const Type parameter : overload.parameters) {
    parameters += parameters.empty() ? "" : ", ";
    parameters += ToString(parameter);
  }
  return fmt::format("{} {} {} ({}) {}{}", environment.functions[overload.function].name,
                     overload.id, overload.member ? "member" : "global", parameters,
                     ToString(overload.result),
                     overload.behaviour.Is(cel::kNonStrict) ? " non-strict" : "");
}

}  // namespace

std::string AnswerDeclarations(std::string_view question) {
  const Environment& environment = EnvironmentFor(ReadQuestion(question));
  std::map<std::string_view, const Function*> sorted;
  for (const Function& function : environment.functions) {
    sorted[function.name] = &function;
  }
  std::string out;
  json::Writer writer(out);
  writer.BeginArray();
  for (const auto& [name, function] : sorted) {
    for (const OverloadIndex overload : function->overloads) {
      writer.String(Describe(environment, environment.overloads[overload]));
    }
  }
  writer.EndArray();
  return out;
}

std::string AnswerCompile(std::string_view question) {
  std::string out;
  json::Writer writer(out);
  writer.String(Answer(ReadQuestion(question)));
  return out;
}

}  // namespace quadra::answers
