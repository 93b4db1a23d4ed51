#include "selector/expression.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "selector/device_type.h"

namespace quadra::selector {
namespace {

constexpr std::string_view kSemverType = "kubernetes.Semver";

bool IsScalarResult(cel::Type type) {
  using cel::TypeKind;
  switch (type->kind) {
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kString:
    case TypeKind::kAny:
    case TypeKind::kDyn:
      return true;
    default:
      return type->name == kSemverType;
  }
}

// What is wrong with the type of an expression's result; empty if nothing is.
std::string CheckDerivedType(cel::Type type, bool lists) {
  const bool fits = IsScalarResult(type) || (lists && type->kind == cel::TypeKind::kList &&
                                             IsScalarResult(type->parameters[0]));
  if (fits) {
    return "";
  }
  return fmt::format(
      "must evaluate to a primitive scalar (string, integer, boolean, semver){}, not {}",
      lists ? " or a list of these scalars" : "", cel::DeclaredName(type));
}

std::string CheckResultType(cel::Type type, const Profile& profile, Use use) {
  if (use == Use::kDerivedAttribute) {
    return CheckDerivedType(type, HasListAttributes(profile));
  }
  const bool fits =
      type->kind == cel::TypeKind::kBool || type->kind == AttributeType(profile)->kind;
  return fits ? ""
              : fmt::format("must evaluate to bool or the unknown type, not {}",
                            cel::DeclaredName(type));
}

CompileError FromIssues(std::string_view text, std::vector<cel::Issue> issues, bool syntax) {
  std::string message = "compilation failed: " + cel::FormatIssues(text, issues);
  return {.message = std::move(message), .issues = std::move(issues), .syntax = syntax};
}

// Gates do not act on stored expressions, so their profiles share one environment.
std::size_t EnvironmentNumber(const Profile& profile) {
  if (profile.stored) {
    return 0;
  }
  return 1 + (profile.consumable_capacity ? 1 : 0) + (profile.list_attributes ? 2 : 0);
}

}  // namespace

Expression::Expression(std::string text, Profile profile, Use use)
    : text_(std::move(text)), profile_(profile), use_(use) {}

std::uint64_t Expression::EstimateCost() const {
  return cel::EstimateCost(*checked_, DeviceSizes(profile_)).max;
}

std::size_t Expression::bytes() const {
  std::size_t bytes = sizeof *this + text_.size();
  if (error_ != nullptr) {
    return bytes + error_->message.size();
  }
  const cel::Ast& ast = *checked_->ast;
  return bytes + (program_ != nullptr ? program_->bytes() : 0) +
         ast.nodes.size() * (sizeof(cel::Node) + sizeof(cel::Type) + sizeof(cel::Reference));
}

Language::Language(const TimeZones* zones) : columns_(std::make_unique<Columns>()), zones_(zones) {}
Language::~Language() = default;

const cel::Environment& Language::EnvironmentOf(const Profile& profile) const {
  const MutexLock lock(mutex_);
  std::unique_ptr<const cel::Environment>& environment = environments_[EnvironmentNumber(profile)];
  if (environment == nullptr) {
    environment = MakeEnvironment(profile);
  }
  return *environment;
}

std::shared_ptr<const Expression> Language::Compile(std::string_view text, const Profile& profile,
                                                    Use use) const {
  auto expression = std::make_shared<Expression>(std::string(text), profile, use);
  const auto refuse = [&](CompileError error) {
    expression->error_ = std::make_unique<const CompileError>(std::move(error));
    return expression;
  };
  const cel::Environment& environment = EnvironmentOf(profile);
  cel::ParseOutcome parsed = cel::Parse(environment, text);
  if (parsed.ast == nullptr) {
    return refuse(FromIssues(text, std::move(parsed.issues), true));
  }
  cel::CheckOutcome checked = cel::Check(environment, std::move(parsed.ast));
  if (checked.checked == nullptr) {
    return refuse(FromIssues(text, std::move(checked.issues), false));
  }
  if (std::string problem = CheckResultType(checked.checked->output(), profile, use);
      !problem.empty()) {
    return refuse({.message = std::move(problem), .issues = {}});
  }
  expression->checked_ = std::move(checked.checked);
  ColumnLinker linker(*columns_);
  Result<cel::Program> program =
      cel::Program::Create(expression->checked_, expression->checked_->ast->root, &linker, zones_);
  if (!program) {
    return refuse({.message = "program instantiation failed: " + program.error().message,
                   .issues = {},
                   .internal = true});
  }
  expression->program_ = std::make_unique<const cel::Program>(*std::move(program));
  return expression;
}

}  // namespace quadra::selector
