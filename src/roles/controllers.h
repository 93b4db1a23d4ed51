// Controllers: which controllers there are, by kube-controller-manager's names, and which of them a
// process is to run. A door of this folder.
//
//   QUADRA_TRY(const std::vector<const ControllerRow*> chosen,
//              ChooseControllers({"*", "-garbage-collector-controller"}));
//
// Pure; a table. A new controller is a row.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "claims/controller.h"
#include "claims/eviction.h"
#include "client/role.h"
#include "lifecycle/lifecycle.h"

namespace quadra::roles {

// What a command line says of single controllers.
struct ControllerSettings {
  claims::ClaimControllerOptions claims;
  lifecycle::NodeLifecycleOptions nodes;
  lifecycle::PodCollectionOptions pods;
  lifecycle::RootCaPublisherOptions root_ca;
};

struct ControllerRow {
  std::string_view name;   // garbage-collector-controller
  std::string_view alias;  // garbagecollector: as it was called before 1.28; empty: none
  // Null: upstream has it, we do not, so it can only be switched off.
  std::unique_ptr<client::Controller> (*make)(client::ControllerContext&,
                                              const ControllerSettings&) = nullptr;
};

// In the order in which they are started.
std::span<const ControllerRow> AllControllers();

// `words` as --controllers has them: *, NAME, -NAME; the first that names a controller counts, *
// stands for those that none names. Errors have upstream's words, and the nearest name.
Result<std::vector<const ControllerRow*>> ChooseControllers(const std::vector<std::string>& words);

using ControllerMaker =
    std::function<std::unique_ptr<client::Controller>(client::ControllerContext& context)>;
// How to make them, in their order.
std::vector<ControllerMaker> MakersOf(const std::vector<const ControllerRow*>& rows,
                                      const ControllerSettings& settings);

}  // namespace quadra::roles
