// What the command line says of a server: --data-dir, --listen and the switches of kube-apiserver
// that we have, for every verb that starts one.
//
//   QUADRA_TRY(apiserver::ApiServerOptions options, ReadServerOptions(invocation, console));
#pragma once

#include <array>

#include "apiserver/server.h"
#include "base/result.h"
#include "cli/data_directory.h"
#include "cli/feature_gates.h"
#include "cli/verb.h"

namespace quadra::cli {

inline constexpr std::array kServerFlags = {
    kDataDirFlag,
    Flag{.name = "listen",
         .value = "HOST:PORT",
         .help =
             "Where to listen; port 0 takes any that is free. By default 127.0.0.1 and the port "
             "of the last start, or 6443, or a free one."},
    kFeatureGatesFlag,
    Flag{.name = "runtime-config",
         .value = "A=false,…",
         .suggested = "api/all= api/ga= api/beta= api/alpha= resource.k8s.io/v1beta1= "
                      "resource.k8s.io/v1beta2=",
         .help = "Which versions and resources of the API are served: api/all, api/ga, api/beta, "
                 "api/alpha, GROUP/VERSION or GROUP/VERSION/RESOURCE, each =true or =false. By "
                 "default all."},
    Flag{.name = "guard-allocations",
         .value = "BOOL",
         .choices = "true false",
         .help =
             "Whether a write that gives a claim a device which another claim holds for itself "
             "is refused with a Conflict, so that no two schedulers give one device away twice. "
             "By default true in quadra up, else false, as kube-apiserver."},
    Flag{.name = "max-requests-inflight",
         .value = "N",
         .help = "How many requests that read may be under way at once, 400 by default; 0: any "
                 "number. Watches do not count."},
    Flag{.name = "max-mutating-requests-inflight",
         .value = "N",
         .help = "How many requests that write may be under way at once, 200 by default; 0: any "
                 "number."},
    Flag{.name = "v",
         .letter = 'v',
         .value = "N",
         .help = "How much is logged on standard error: from 2 on requests that failed or were "
                 "slow, from 3 on every request. By default nothing."},
};

// `guards_by_default`: without --guard-allocations.
// Errors are of kind kUsage and name the flag. The log of the server goes to `console.err`, which
// must outlive it.
Result<apiserver::ApiServerOptions> ReadServerOptions(const Invocation& invocation,
                                                      Console& console,
                                                      bool guards_by_default = false);

}  // namespace quadra::cli
