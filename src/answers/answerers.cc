#include <array>
#include <string>

#include "answers/peer.h"

namespace quadra::answers {

std::string AnswerAllocate(std::string_view question);
std::string AnswerQuantity(std::string_view question);
std::string AnswerCelSpec(std::string_view question);
std::string AnswerCompile(std::string_view question);
std::string AnswerConvert(std::string_view question);
std::string AnswerDeclarations(std::string_view question);
std::string AnswerDecode(std::string_view question);
std::string AnswerDiscovery(std::string_view question);
std::string AnswerExplain(std::string_view question);
std::string AnswerGolden(std::string_view question);
std::string AnswerJsonPath(std::string_view question);
std::string AnswerOpenApi(std::string_view question);
std::string AnswerPatch(std::string_view question);
std::string AnswerPrinters(std::string_view question);
std::string AnswerQuery(std::string_view question);
std::string AnswerSelect(std::string_view question);
std::string AnswerSemver(std::string_view question);
std::string AnswerStored(std::string_view question);
std::string AnswerValidate(std::string_view question);
std::string AnswerYaml(std::string_view question);

namespace {

std::string Echo(std::string_view question) { return std::string(question); }

constexpr std::array kAnswerers = {
    Answerer{"echo", Echo},
    Answerer{"allocate", AnswerAllocate},
    Answerer{"quantity", AnswerQuantity},
    Answerer{"semver", AnswerSemver},
    Answerer{"celspec", AnswerCelSpec},
    Answerer{"compile", AnswerCompile},
    Answerer{"convert", AnswerConvert},
    Answerer{"declarations", AnswerDeclarations},
    Answerer{"decode", AnswerDecode},
    Answerer{"discovery", AnswerDiscovery},
    Answerer{"explain", AnswerExplain},
    Answerer{"golden", AnswerGolden},
    Answerer{"jsonpath", AnswerJsonPath},
    Answerer{"openapi", AnswerOpenApi},
    Answerer{"patch", AnswerPatch},
    Answerer{"printers", AnswerPrinters},
    Answerer{"query", AnswerQuery},
    Answerer{"select", AnswerSelect},
    Answerer{"stored", AnswerStored},
    Answerer{"validate", AnswerValidate},
    Answerer{"pods", AnswerValidate},
    Answerer{"yaml", AnswerYaml},
};

}  // namespace

std::span<const Answerer> Answerers() { return kAnswerers; }

}  // namespace quadra::answers
