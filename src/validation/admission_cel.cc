#include "selector/selector.h"
#include "validation/validate.h"

namespace quadra::validation {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{16} << 20;

class AdmissionCheck : public CelCheck {
 public:
  CelVerdict Compile(std::string_view expression, CelUse use,
                     const FeatureGates& gates) const override {
    const auto profile = selector::Profile::New(gates.Enabled(Gate::kDRAConsumableCapacity),
                                                gates.Enabled(Gate::kDRAListTypeAttributes));
    const auto compiled = cache_.Get(
        expression, profile,
        use == CelUse::kSelector ? selector::Use::kSelector : selector::Use::kDerivedAttribute);
    if (const selector::CompileError* error = compiled->error()) {
      return {.problem = error->message, .internal = error->internal};
    }
    return {.max_cost = compiled->EstimateCost()};
  }

 private:
  selector::Language language_;
  mutable selector::ExpressionCache cache_{language_, kCacheBytes};
};

}  // namespace

const CelCheck& AdmissionCel() {
  static const AdmissionCheck check;
  return check;
}

}  // namespace quadra::validation
