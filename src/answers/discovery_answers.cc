// Our half of conformance/discovery: the body at a path, in a form.
#include <string>

#include "apiserver/views.h"
#include "json/value.h"

namespace quadra::answers {

using apiserver::Catalog;
using apiserver::Discovery;
using apiserver::DiscoveryForm;

// The question is {"path": …, "aggregated": bool}.
std::string AnswerDiscovery(std::string_view question) {
  static const Catalog catalog(api::Registry().All());
  static const Discovery discovery(catalog, {.server_address = "10.10.10.10:8050"});
  const json::Value asked = json::ParseValue(question).value_or(json::Value());
  const bool aggregated = asked.Get("aggregated") == json::Value(true);
  const std::string* const body =
      discovery.Find(asked.Get("path").string(),
                     aggregated ? DiscoveryForm::kAggregatedV2 : DiscoveryForm::kPlain);
  return body == nullptr ? "null" : *body;
}

}  // namespace quadra::answers
