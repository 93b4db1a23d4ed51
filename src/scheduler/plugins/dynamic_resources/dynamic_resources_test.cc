// What upstream's own tests of this plugin expect, scenario by scenario: statuses and what becomes of
// claims and of the pod's status. Not here: PodGroups, a filter that the caller cancels, the clock of
// the filter, and what is switched off that cannot be any more (all of DRA, admin access, lists of
// alternatives).

#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

#include <string>

#include <gtest/gtest.h>

#include "scheduler/plugins/dynamic_resources/trial_for_tests.h"

namespace quadra::scheduler {
namespace {

struct Scenario {
  std::string name;
  std::string script;
  std::string answer;
};
void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

const std::string kOne = "node worker\nclass my-class\nslice worker instance-1\n";
const std::string kOnePod = "claim c\npod c\n";
const std::string kGets = "c: worker/instance-1=req-1 on worker for my-pod timed protected\n";
const std::string kTakes = "holds c: worker/instance-1=req-1\n" + kGets;
const std::string kAllocated = "claim c\ngive c worker/instance-1=req-1 on worker\n";
const std::string kCannot =
    "filter worker UnschedulableAndUnresolvable: cannot allocate all claims\n"
    "postfilter Unschedulable\n";
const std::string kFreed =
    "filter worker UnschedulableAndUnresolvable: resourceclaim not available on the node\n"
    "postfilter Unschedulable: deallocation of ResourceClaim completed\n"
    "c: - protected\n";
const std::string kNoSuchKey =
    "CEL runtime error: no such key: healthy. consider using CEL optional chaining (.? followed by "
    "orValue()) or guarding the check with has() for optional fields\n";
const std::string kTemplate =
    R"({"spec":{"resourceClaims":[{"name":"entry-1","resourceClaimTemplateName":"t"}]}})";
const std::string kTemplateDone =
    R"({"spec":{"resourceClaims":[{"name":"entry-1","resourceClaimTemplateName":"t"}]},)"
    R"("status":{"resourceClaimStatuses":[{"name":"entry-1","resourceClaimName":"c"}]}})";
const std::string kBroken =
    R"([{"cel":{"expression":"device.attributes[\"some-driver\"].healthy"}}])";
const std::string kHealthy = R"({"attributes":{"healthy":{"bool":true}}})";
std::string Exactly(const std::string& members) {
  return R"({"spec":{"devices":{"requests":[{"name":"req-1","exactly":{"deviceClassName":"my-class",)"
         R"("allocationMode":"ExactCount","count":1,)" +
         members + "}}]}}}";
}
std::string Alternatives(const std::string& list) {
  return R"({"spec":{"devices":{"requests":[)" + list + "]}}}";
}
std::string Alternative(const std::string& name, int count, const std::string& more = "",
                        const std::string& of_class = "my-class") {
  return R"({"name":")" + name + R"(","deviceClassName":")" + of_class +
         R"(","allocationMode":"ExactCount","count":)" + std::to_string(count) + more + "}";
}
std::string Request(const std::string& name, const std::string& alternatives) {
  return R"({"name":")" + name + R"(","firstAvailable":[)" + alternatives + "]}";
}

std::vector<Scenario> Plain() {
  return {
      {"empty", "node worker\npod -", "prefilter Skip\n"},
      {"empty-with-extended-resources-enabled", "node worker\ngate DRAExtendedResource=true\npod -",
       "prefilter Skip\n"},
      {"claim-reference", "node worker\n" + kAllocated + "claim other\npod c", kGets},
      {"claim-template", "node worker\n" + kAllocated + "claim other\npod - " + kTemplateDone,
       kGets},
      {"missing-claim", "node worker\n" + kAllocated + "pod - " + kTemplate,
       "preenqueue UnschedulableAndUnresolvable: pod \"default/my-pod\": ResourceClaim not created "
       "yet\n"},
      {"deleted-claim",
       R"(node worker
          claim c {"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}}
          pod - )" +
           kTemplateDone,
       "preenqueue UnschedulableAndUnresolvable: resourceclaim \"c\" is being deleted\n"},
      {"wrong-claim",
       R"(node worker
          claim c {"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"my-pod","uid":"1234123","controller":true}]}}
          pod - )" +
           kTemplateDone,
       "preenqueue UnschedulableAndUnresolvable: ResourceClaim default/c was not created for Pod "
       "default/my-pod (Pod is not owner)\n"},
      {"no-resources", "node worker\nclass my-class\n" + kOnePod, kCannot},
      {"with-resources", kOne + kOnePod, kTakes},
      {"with-resources-has-finalizer",
       kOne + R"(claim c {"metadata":{"finalizers":["resource.kubernetes.io/delete-protection"]}}
                 pod c)",
       kTakes},
      {"with-resources-finalizer-gets-removed",
       kOne + R"(claim c {"metadata":{"finalizers":["resource.kubernetes.io/delete-protection"]}}
                 pod c
                 before unprotect c)",
       kTakes},
      {"with-resources-finalizer-gets-added", kOne + kOnePod + "before protect c", kTakes},
      {"skip-bind", kOne + kOnePod + "stop", "holds c: worker/instance-1=req-1\n"},
      {"exhausted-resources-in-informer-cache",
       kOne + "claim other\ngive other worker/instance-1=req-1 on worker\n" + kOnePod, kCannot},
      {"exhausted-resources-in-flight-claim",
       kOne + "claim other\nflight other worker/instance-1=req-1\n" + kOnePod, kCannot},
      {"other-resources-in-flight-claim",
       kOne + "claim other\nflight other worker/instance-1-other=req-1\n" + kOnePod, kTakes},
      {"tainted-device-disabled",
       R"(node worker
          class my-class
          gate DRADeviceTaints=false
          gate DRADeviceTaintRules=false
          slice worker instance-1 {"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]}
       )" + kOnePod,
       kTakes},
      {"tainted-device-enabled",
       R"(node worker
          class my-class
          slice worker instance-1 {"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]}
       )" + kOnePod,
       kCannot},
      {"request-admin-access-with-DRAAdminAccess-featuregate",
       kOne + "claim other\ngive other worker/instance-1=req-1 on worker\nclaim c " +
           Exactly(R"("adminAccess":true)") + "\npod c",
       "holds c: worker/instance-1=req-1 admin\n"
       "c: worker/instance-1=req-1 admin on worker for my-pod timed protected\n"},
      {"structured-ignore-allocated-admin-access",
       kOne + "claim other\ngive other worker/instance-1=req-1 on worker {\"adminAccess\":true}\n" +
           kOnePod,
       kTakes},
      {"claim-parameters-CEL-runtime-error",
       kOne + "claim c " + Exactly("\"selectors\":" + kBroken) + "\npod c",
       "filter worker Error: claim default/c: selector #0 on device "
       "some-driver/worker/instance-1: " +
           kNoSuchKey},
      {"class-parameters-CEL-runtime-error",
       "node worker\nclass my-class {\"spec\":{\"selectors\":" + kBroken +
           "}}\nslice worker instance-1\n" + kOnePod,
       "filter worker Error: class my-class: selector #0 on device "
       "some-driver/worker/instance-1: " +
           kNoSuchKey},
      {"CEL-runtime-error-for-one-of-two-nodes",
       kOne + "node worker-2\nslice worker-2 instance-1 " + kHealthy + "\nclaim c " +
           Exactly("\"selectors\":" + kBroken) + "\npod c",
       "filter worker Error: claim default/c: selector #0 on device "
       "some-driver/worker/instance-1: " +
           kNoSuchKey},
      {"CEL-runtime-error-for-one-of-three-nodes",
       kOne + "node worker-2\nslice worker-2 instance-1 " + kHealthy +
           "\nnode worker-3\nslice worker-3 instance-1 " + kHealthy + "\nclaim c " +
           Exactly("\"selectors\":" + kBroken) + "\npod c",
       "filter worker Error: claim default/c: selector #0 on device "
       "some-driver/worker/instance-1: " +
           kNoSuchKey},
      {"missing-class", "node worker\n" + kOnePod,
       "prefilter UnschedulableAndUnresolvable: request req-1: device class my-class does not "
       "exist\npostfilter Unschedulable\n"},
      {"wrong-topology", "node worker\nclaim c\ngive c - on elsewhere\npod c", kFreed},
      {"good-topology", "node worker\nclaim c\ngive c - on worker\npod c",
       "c:  on worker for my-pod timed protected\n"},
      {"allocated-skip-node-operations-missing-feature",
       R"(node worker
          claim c
          give c worker/instance-1=req-1 on worker {"skipNodeOperations":["All"]}
          pod c)",
       kFreed},
      {"allocated-skip-node-operations-with-feature",
       R"(node worker {"status":{"declaredFeatures":["DRAOptionalNodeOperations"]}}
          claim c
          give c worker/instance-1=req-1 on worker {"skipNodeOperations":["All"]}
          pod c)",
       kGets},
      {"bind-failure", "node worker\n" + kAllocated + "pod c\nundo",
       kGets + "undone\nc: worker/instance-1=req-1 on worker timed protected\n"},
      {"bind-failure-preserves-inflight-until-unreserve",
       kOne + kOnePod + "refuse PUT resourceclaims claim bind error\nundo",
       "holds c: worker/instance-1=req-1\n"
       "prebind Error: add finalizer to claim default/c: claim bind error\n"
       "holds c: worker/instance-1=req-1\n"
       "undone\n"},
      {"reserved-okay", "node worker\n" + kAllocated + "use c my-pod\npod c", ""},
      {"claim-with-request-with-unknown-device-class",
       R"(node worker
          claim c {"spec":{"devices":{"requests":[{"name":"req-1","exactly":{"deviceClassName":"does-not-exist"}}]}}}
          pod c)",
       "prefilter UnschedulableAndUnresolvable: request req-1: device class does-not-exist does "
       "not "
       "exist\npostfilter Unschedulable\n"},
  };
}

std::vector<Scenario> OfAlternatives() {
  const std::string healthy_first =
      Alternative("subreq-1", 1, ",\"selectors\":" + kBroken) + "," + Alternative("subreq-2", 1);
  const std::string two_or_one = Alternative("subreq-1", 2) + "," + Alternative("subreq-2", 1);
  const std::string first = "req-1/subreq-1";
  return {
      {"claim-with-prioritized-list-unknown-device-class",
       "node worker\nclaim c " +
           Alternatives(Request("req-1", Alternative("subreq-1", 1, "", "does-not-exist"))) +
           "\npod c",
       "prefilter UnschedulableAndUnresolvable: request req-1/subreq-1: device class "
       "does-not-exist "
       "does not exist\npostfilter Unschedulable\n"},
      {"claim-with-prioritized-list",
       kOne + "claim c " + Alternatives(Request("req-1", Alternative("subreq-1", 1))) + "\npod c",
       "holds c: worker/instance-1=req-1/subreq-1\n"
       "c: worker/instance-1=req-1/subreq-1 on worker for my-pod timed protected\n"},
      {"single-claim-prioritized-list-scoring",
       "node worker\nnode worker-2\nclass my-class\nslice worker instance-1 " + kHealthy +
           "\nslice worker-2 instance-1 {\"attributes\":{\"healthy\":{\"bool\":false}}}\nclaim c " +
           Alternatives(Request("req-1", healthy_first)) + "\npod c",
       "score worker 8 -> 100\nscore worker-2 7 -> 87\n"
       "holds c: worker/instance-1=req-1/subreq-1\n"
       "c: worker/instance-1=req-1/subreq-1 on worker for my-pod timed protected\n"},
      {"multiple-claims-prioritized-list-scoring",
       R"(node worker
          node worker-2
          node worker-3
          class my-class
          slice worker instance-1,instance-2,instance-3,instance-4
          slice worker-2 instance-1,instance-2
          slice worker-3 instance-1
          claim c )" +
           Alternatives(Request("req-1", Alternative("subreq-1", 1))) + "\nclaim d " +
           Alternatives(Request(
               "req-1", Alternative("subreq-1", 4) + "," + Alternative("subreq-2", 3) + "," +
                            Alternative("subreq-3", 2) + "," + Alternative("subreq-4", 1))) +
           "\npod c,d",
       "filter worker-3 UnschedulableAndUnresolvable: cannot allocate all claims\n"
       "score worker 15 -> 100\nscore worker-2 13 -> 86\n"
       "holds c: worker/instance-1=req-1/subreq-1\n"
       "holds d: worker/instance-2=req-1/subreq-2, worker/instance-3=req-1/subreq-2, "
       "worker/instance-4=req-1/subreq-2\n"
       "c: worker/instance-1=req-1/subreq-1 on worker for my-pod timed protected\n"
       "d: worker/instance-2=req-1/subreq-2, worker/instance-3=req-1/subreq-2, "
       "worker/instance-4=req-1/subreq-2 on worker for my-pod timed protected\n"},
      {"multiple-requests-prioritized-list-scoring",
       R"(node worker
          node worker-2
          node worker-3
          class my-class
          slice worker instance-1,instance-2,instance-3,instance-4
          slice worker-2 instance-1,instance-2,instance-3
          slice worker-3 instance-1,instance-2
          claim c )" +
           Alternatives(Request("req-1", two_or_one) + "," + Request("req-2", two_or_one)) +
           "\npod c",
       "score worker 16 -> 100\nscore worker-2 15 -> 93\nscore worker-3 14 -> 87\n"
       "holds c: worker/instance-1=req-1/subreq-1, worker/instance-2=req-1/subreq-1, "
       "worker/instance-3=req-2/subreq-1, worker/instance-4=req-2/subreq-1\n"
       "c: worker/instance-1=req-1/subreq-1, worker/instance-2=req-1/subreq-1, "
       "worker/instance-3=req-2/subreq-1, worker/instance-4=req-2/subreq-1 on worker for my-pod "
       "timed protected\n"},
  };
}

std::string Asks(const std::string& requests) {
  return R"(pod - {"spec":{"containers":[)" + requests + "]}}";
}
std::string Container(const std::string& name, const std::string& requests) {
  return R"({"name":")" + name + R"(","image":"i","resources":{"requests":{)" + requests + "}}}";
}

std::vector<Scenario> OfExtendedResources() {
  const std::string gpu_class =
      "class my-class {\"spec\":{\"extendedResourceName\":\"example.com/gpu\"}}\n";
  const std::string gpu_world = "node worker\n" + gpu_class + "slice worker instance-1\n";
  const std::string wants_gpu = Asks(Container("a", R"("example.com/gpu":"1")"));
  const std::string offers = R"(node worker {"status":{"allocatable":{"example.com/gpu":"1"}}})";
  const std::string offers_none =
      R"(node worker {"status":{"allocatable":{"example.com/gpu":"0"}}})";
  const std::string request = "worker/instance-1=container-0-request-0";
  const std::string holds = "holds <extended-resources>: " + request + "\n";
  const std::string made =
      "my-pod-extended-resources-0: " + request + " on worker for my-pod timed protected\n";
  const auto told = [](const std::string& mappings) {
    return R"(pod {"extendedResourceClaimStatus":{"requestMappings":[)" + mappings +
           R"(],"resourceClaimName":"my-pod-extended-resources-0"}})" + "\n";
  };
  const auto mapping = [](const std::string& container, const std::string& resource,
                          const std::string& name) {
    return R"({"containerName":")" + container + R"(","resourceName":")" + resource +
           R"(","requestName":")" + name + R"("})";
  };
  const std::string told_gpu = told(mapping("a", "example.com/gpu", "container-0-request-0"));
  const std::string left =
      R"(claim my-pod-extended-resources-0 {"metadata":{"annotations":{"resource.kubernetes.io/extended-resource-claim":"true"}},"spec":{"devices":{"requests":[{"name":"container-0-request-0","exactly":{"deviceClassName":"my-class","allocationMode":"ExactCount","count":1}}]}}}
)";
  const std::string deleted =
      "filter worker UnschedulableAndUnresolvable: cannot schedule extended resource claim\n"
      "postfilter Unschedulable: deletion of ResourceClaim completed\n"
      "my-pod-extended-resources-0: gone\n";
  const std::string implicit = R"("deviceclass.resource.kubernetes.io/my-class":"1")";
  const std::string implicit_name = "deviceclass.resource.kubernetes.io/my-class";
  const std::string large =
      "node worker\n" + gpu_class + "slice worker instance-1,instance-2,instance-3,instance-4\n";
  return {
      {"extended-resource-name-with-node-resource", offers + "\n" + gpu_class + wants_gpu, ""},
      {"extended-resource-one-device-plugin-one-dra",
       offers + "\n" + gpu_class +
           "class my-class2 {\"spec\":{\"extendedResourceName\":\"example.com/gpu2\"}}\n"
           "slice worker instance-1\n" +
           Asks(Container("a", R"("example.com/gpu":"1","example.com/gpu2":"1")")),
       "holds <extended-resources>: worker/instance-1=container-0-request-1\n"
       "my-pod-extended-resources-0: worker/instance-1=container-0-request-1 on worker for my-pod "
       "timed protected\n" +
           told(mapping("a", "example.com/gpu2", "container-0-request-1"))},
      {"extended-resource-name-with-zero-allocatable",
       offers_none + "\n" + gpu_class + "slice worker instance-1\n" + wants_gpu,
       holds + made + told_gpu},
      {"non-DRA-extended-resource-name-with-zero-allocatable",
       offers_none + "\nclass my-class\nslice worker instance-1\n" + wants_gpu, "prefilter Skip\n"},
      {"extended-resource-name-no-resource", "node worker\n" + gpu_class + wants_gpu, kCannot},
      {"extended-resource-name-with-resources", gpu_world + wants_gpu, holds + made + told_gpu},
      {"implicit-extended-resource-name-with-resources",
       large + Asks(Container("a", implicit + R"(,"example.com/gpu":"2")")),
       "holds <extended-resources>: worker/instance-1=container-0-request-0, "
       "worker/instance-2=container-0-request-1, worker/instance-3=container-0-request-1\n"
       "my-pod-extended-resources-0: worker/instance-1=container-0-request-0, "
       "worker/instance-2=container-0-request-1, worker/instance-3=container-0-request-1 on worker "
       "for my-pod timed protected\n" +
           told(mapping("a", implicit_name, "container-0-request-0") + "," +
                mapping("a", "example.com/gpu", "container-0-request-1"))},
      {"implicit-extended-resource-name-two-containers-with-resources",
       large + Asks(Container("a", implicit) + "," + Container("b", R"("example.com/gpu":"2")")),
       "holds <extended-resources>: worker/instance-1=container-0-request-0, "
       "worker/instance-2=container-1-request-0, worker/instance-3=container-1-request-0\n"
       "my-pod-extended-resources-0: worker/instance-1=container-0-request-0, "
       "worker/instance-2=container-1-request-0, worker/instance-3=container-1-request-0 on worker "
       "for my-pod timed protected\n" +
           told(mapping("a", implicit_name, "container-0-request-0") + "," +
                mapping("b", "example.com/gpu", "container-1-request-0"))},
      {"extended-resource-name-with-resources-fail-patch",
       gpu_world + wants_gpu + "\nrefuse PATCH pods patch error",
       holds +
           "prebind Error: update pod default/my-pod ExtendedResourceClaimStatus: patch error\n" +
           made + "holds my-pod-extended-resources-0: " + request + "\n"},
      {"extended-resource-name-with-resources-has-claim",
       gpu_world + left + "give my-pod-extended-resources-0 " + request + " on worker\n" +
           wants_gpu,
       deleted},
      {"extended-resource-name-with-resources-delete-claim",
       gpu_world + left +
           "give my-pod-extended-resources-0 worker-2/instance-1=container-0-request-0 on "
           "worker-2\n" +
           wants_gpu,
       deleted},
      {"extended-resource-name-bind-failure", gpu_world + wants_gpu + "\nundo",
       holds + made + told_gpu + "undone\nmy-pod-extended-resources-0: gone\n"},
      {"extended-resource-name-skip-bind", gpu_world + wants_gpu + "\nstop", holds},
      {"extended-resource-name-claim-creation-failure",
       gpu_world + wants_gpu + "\nrefuse POST resourceclaims claim creation errors\nundo",
       holds +
           "prebind Error: create claim for extended resources default/: claim creation errors\n" +
           holds + "undone\n"},
  };
}

std::vector<Scenario> OfBinding() {
  const std::string conditions =
      R"({"bindingConditions":["condition"],"bindingFailureConditions":["failed"]})";
  const std::string timed_out = R"({"allocationTimestamp":"2000-01-01T00:00:00Z"})";
  const std::string soon = R"({"allocationTimestamp":"2019-12-19T23:50:10Z"})";
  const auto fabric = [](const std::string& device) {
    return "slice worker " + device +
           R"( {"bindsToNode":true,"bindingConditions":["condition"],"bindingFailureConditions":["failed"]})"
           R"( {"spec":{"nodeName":null,"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["worker"]}]}]}}})"
           "\n";
  };
  const auto status = [](const std::string& driver, const std::string& device,
                         const std::string& conditions_list) {
    return R"({"status":{"devices":[{"driver":")" + driver + R"(","pool":"worker","device":")" +
           device + R"(","conditions":[)" + conditions_list + "]}]}}";
  };
  const auto condition = [](const std::string& type, const std::string& value,
                            const std::string& more = "") {
    return R"({"type":")" + type + R"(","status":")" + value +
           R"(","reason":"r","message":"m","lastTransitionTime":"2026-01-01T00:00:00Z")" + more +
           "}";
  };
  const std::string done = condition("condition", "True") + "," + condition("failed", "False");
  const std::string failed = condition("condition", "False") + "," + condition("failed", "True");
  const std::string timeout = R"(args {"bindingTimeout":"1s"})"
                              "\n";
  const std::string bound = "claim c " + status("some-driver", "instance-1", done) +
                            "\ngive c worker/instance-1=req-1 on worker " + conditions + " " +
                            R"({"allocationTimestamp":"2019-12-20T00:00:00Z"})" + "\n";
  const std::string after =
      "holds c: worker/instance-1=req-1\n"
      "prebind Error: device binding timeout";
  return {
      {"timeout_disabled",
       kOne + "gate DRASchedulerFilterTimeout=false\nargs {\"filterTimeout\":\"1ns\"}\n" + kOnePod,
       kTakes},
      {"timeout_zero", kOne + "args {\"filterTimeout\":\"0s\"}\n" + kOnePod, kTakes},
      {"dont-add-allocation-timestamp", kOne + "gate DRADeviceBindingConditions=false\n" + kOnePod,
       "holds c: worker/instance-1=req-1\n"
       "c: worker/instance-1=req-1 on worker for my-pod protected\n"},
      {"add-allocation-timestamp", kOne + kOnePod, kTakes},
      {"add-allocation-timestamp-failure", "node worker\n" + kAllocated + "pod c\nbefore clear c",
       "prebind Error: claim default/c got deallocated elsewhere in the meantime\n"},
      {"bind-claim-with-binding-conditions",
       "node worker\nclass my-class\n" + fabric("instance-1") + timeout + kOnePod,
       after + ": context deadline exceeded\n" + kGets + "holds c: worker/instance-1=req-1\n"},
      {"bind-failure-concurrent-deallocation",
       "node worker\nclass my-class\n" + fabric("instance-1") + timeout + kOnePod + "undo",
       after + ": context deadline exceeded\n" + kGets +
           "holds c: worker/instance-1=req-1\n"
           "undone\nc: worker/instance-1=req-1 on worker timed protected\n"},
      {"bound-claim-with-succeeded-binding-conditions", "node worker\n" + bound + "pod c", kGets},
      {"bound-claim-with-failed-binding",
       "node worker\nslice worker instance-1\nclaim c " +
           status("some-driver", "instance-1", failed) +
           "\ngive c worker/instance-1=req-1 on worker " + conditions + "\npod c",
       kFreed},
      {"bound-claim-with-timed-out-binding",
       "node worker\nclaim c " + status("some-driver", "instance-1", "") +
           "\ngive c worker/instance-1=req-1 on worker " + conditions + " " + timed_out + "\npod c",
       kFreed},
      {"prebind-fail-with-binding-timeout",
       "node worker\nclaim c " + status("some-driver", "instance-1", "") +
           "\ngive c worker/instance-1=req-1 on worker " + conditions + " " + soon + "\npod c",
       "prebind Error: device binding timeout: claim=c\n" + kGets},
      {"bound-claim-with-mixed-binding-conditions",
       "node worker\nclaim c " +
           status("some-driver", "instance-1",
                  condition("condition1", "True") + "," + condition("condition2", "False")) +
           "\ngive c worker/instance-1=req-1 on worker " + conditions + " " + timed_out + "\npod c",
       kFreed},
      {"bound-claim-without-binding-conditions",
       "node worker\n" + kAllocated + "claim other\npod - " + kTemplateDone, kGets},
      {"multi-claims-binding-conditions-all-success",
       "node worker\nclass my-class\n" + fabric("instance-1") + "driver some-driver-2\n" +
           fabric("instance-2") + "driver some-driver\n" + bound +
           "driver some-driver-2\nclaim d " + status("some-driver-2", "instance-2", done) +
           "\ngive d worker/instance-2=req-2 on worker " + conditions + "\npod c,d",
       kGets + "d: worker/instance-2=req-2 on worker for my-pod timed protected\n"},
      {"multi-claims-binding-conditions-one-fail",
       "node worker\nclass my-class\n" + fabric("instance-1") + "driver some-driver-2\n" +
           fabric("instance-2") + "driver some-driver\n" + bound +
           "driver some-driver-2\nclaim d " + status("some-driver-2", "instance-2", failed) +
           "\ngive d worker/instance-2=req-2 on worker " + conditions + "\npod c,d",
       "filter worker UnschedulableAndUnresolvable: resourceclaim not available on the node\n"
       "postfilter Unschedulable: deallocation of ResourceClaim completed\n"
       "d: - protected\n"},
  };
}

std::vector<Scenario> OfNodeAllocatable() {
  const std::string world =
      "gate DRANodeAllocatableResources=true\nclass my-class\n"
      R"(node worker {"status":{"allocatable":{"cpu":"10","memory":"10Gi"}}})"
      "\n";
  const std::string refers =
      R"(pod c {"spec":{"containers":[{"name":"c1","image":"i","resources":{"claims":[{"name":"entry-1"}]}}]}})";
  const auto device = [](const std::string& resources) {
    return "slice worker instance-1 {\"nodeAllocatableResources\":{" + resources + "}}\n";
  };
  const auto maps = [](const std::string& resource, const std::string& amount) {
    return "\"" + resource + R"(":{"mapping":{"deviceMultiplier":")" + amount + "\"}}";
  };
  const auto costs = [](const std::string& resource, const std::string& amount) {
    return "\"" + resource + R"(":{"overhead":{"perPod":")" + amount + "\"}}";
  };
  const auto told = [](const std::string& containers, const std::string& members) {
    return R"(pod {"nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"c")" +
           (containers.empty() ? "" : R"(,"containers":[")" + containers + "\"]") + "," + members +
           "}]}\n";
  };
  const std::string cpus =
      R"(slice worker numa-0 {"allowMultipleAllocations":true,"capacity":{"example.com/cpus":{"value":"10"}},"nodeAllocatableResources":{"cpu":{"mapping":{"capacityKey":"example.com/cpus"}})";
  const auto some_cpus = [](const std::string& amount) {
    return "claim c " +
           Exactly(R"("capacity":{"requests":{"example.com/cpus":")" + amount + "\"}}") + "\n";
  };
  const std::string takes_cpus =
      "holds c: worker/numa-0=req-1 shared\n"
      "c: worker/numa-0=req-1 shared on worker for my-pod timed protected\n";
  const std::string one_cpu = R"("mapping":[{"name":"cpu","quantity":"1"}])";
  const std::string cpu_and_memory =
      R"("mapping":[{"name":"cpu","quantity":"1"},{"name":"memory","quantity":"1Gi"}])";
  const std::string not_shared =
      "filter worker UnschedulableAndUnresolvable: node allocatable resource claim c has a mapped "
      "device and cannot be shared across pods\npostfilter Unschedulable\n";
  return {
      {"node-allocatable-resource-multiplier",
       world + device(maps("cpu", "1") + "," + maps("memory", "1Gi")) + "claim c\n" + refers,
       kTakes + told("c1", cpu_and_memory)},
      {"node-allocatable-mapping-and-overhead-in-same-device",
       world + device(maps("cpu", "1") + "," + costs("memory", "100")) + "claim c\n" + refers,
       kTakes + told("c1", one_cpu + R"(,"overhead":[{"name":"memory","perPod":"100"}])")},
      {"node-allocatable-resource-capacitykey", world + cpus + "}}\n" + some_cpus("1") + refers,
       takes_cpus + told("c1", one_cpu)},
      {"node-allocatable-resource-capacitykey-and-multiplier",
       world + cpus + "," + maps("memory", "1Gi") + "}}\n" + some_cpus("1") + refers,
       takes_cpus + told("c1", cpu_and_memory)},
      {"node-allocatable-resource-insufficient-resources-with-multiplier",
       world + device(maps("cpu", "11")) + "claim c\n" + refers,
       "filter worker UnschedulableAndUnresolvable: Insufficient cpu\npostfilter Unschedulable\n"},
      {"node-allocatable-resource-insufficient-with-capacityKey",
       world + cpus + "}}\n" + some_cpus("11") + refers, kCannot},
      {"node-allocatable-direct-mapped-sharing-rejected",
       world + device(maps("cpu", "1")) + kAllocated + "use c other\n" + refers, not_shared},
      {"node-allocatable-mapping-and-overhead-sharing-rejected",
       world + device(R"("cpu":{"mapping":{"deviceMultiplier":"1"},"overhead":{"perPod":"100"}})") +
           kAllocated + "use c other\n" + refers,
       not_shared},
      {"node-allocatable-overhead-only-sharing-allowed",
       world + device(costs("memory", "100")) + kAllocated + refers,
       kGets + told("c1", R"("overhead":[{"name":"memory","perPod":"100"}])")},
      {"node-allocatable-unreferenced-claim-direct-mapped",
       world + device(maps("cpu", "1")) + kAllocated + "pod c", kGets + told("", one_cpu)},
      {"node-allocatable-unreferenced-claim-overhead",
       world + device(costs("memory", "1Gi")) + kAllocated + "pod c",
       kGets + told("", R"("overhead":[{"name":"memory","perPod":"1Gi"}])")},
  };
}

class UpstreamScenarioTest : public testing::TestWithParam<Scenario> {};

TEST_P(UpstreamScenarioTest, SaysAndWritesWhatUpstreamDoes) {
  DeviceTrial trial;
  EXPECT_EQ(trial.Play(GetParam().script), GetParam().answer);
}

constexpr auto kNameOf = [](const testing::TestParamInfo<Scenario>& info) {
  std::string name;
  for (const char letter : info.param.name) {
    name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  }
  return name;
};
INSTANTIATE_TEST_SUITE_P(Plain, UpstreamScenarioTest, testing::ValuesIn(Plain()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Alternatives, UpstreamScenarioTest, testing::ValuesIn(OfAlternatives()),
                         kNameOf);
INSTANTIATE_TEST_SUITE_P(ExtendedResources, UpstreamScenarioTest,
                         testing::ValuesIn(OfExtendedResources()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Binding, UpstreamScenarioTest, testing::ValuesIn(OfBinding()), kNameOf);
INSTANTIATE_TEST_SUITE_P(NodeAllocatable, UpstreamScenarioTest,
                         testing::ValuesIn(OfNodeAllocatable()), kNameOf);

// Whether others use it matters where its devices are.
TEST(NodeAllocatableSharingTest, IsRefusedWhereTheDevicesAre) {
  DeviceTrial trial;
  EXPECT_EQ(
      trial.Play("gate DRANodeAllocatableResources=true\nclass my-class\nnode worker\n"
                 R"(node worker-2 {"status":{"allocatable":{"cpu":"10"}}})"
                 "\nslice worker instance-1 "
                 R"({"nodeAllocatableResources":{"cpu":{"mapping":{"deviceMultiplier":"1"}}}})"
                 "\n" +
                 kAllocated + "use c other\npod c"),
      "filter worker UnschedulableAndUnresolvable: node allocatable resource claim c has a mapped "
      "device and cannot be shared across pods\n"
      "filter worker-2 UnschedulableAndUnresolvable: resourceclaim not available on the node\n"
      "postfilter Unschedulable\n");
}

}  // namespace
}  // namespace quadra::scheduler
