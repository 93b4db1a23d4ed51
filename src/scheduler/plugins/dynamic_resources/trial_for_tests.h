// DeviceTrial: the DynamicResources plugin at work on one pod, told in lines, and what it says and writes.
//
//   node worker
//   class my-class
//   slice worker instance-1
//   claim c
//   pod c
// plays PreEnqueue, PreFilter, Filter on every node, then PostFilter, or Score, Reserve and PreBind on
// the best node, and answers in lines:
//   holds default/c: worker/instance-1=req-1
//   c: worker/instance-1=req-1 on worker for my-pod
//
// Lines of the world (a word behind a name is an option; {…} is JSON that is laid over the object):
//   node NAME [{…}]                  class NAME [{…}]
//   slice NODE DEVICE,… [{… of each device}] [{… of the slice}]      driver D   (of slices from here on)
//   claim NAME [{…}]                 request req-1 of my-class, owned by the pod
//   give NAME DEVICE=REQUEST,… [on NODE] [{… of each result}]         an allocation
//   use NAME POD                     a reservation
//   flight NAME DEVICE=REQUEST,…     an allocation in flight
//   pod CLAIM,… [{…}]                my-pod, with uid 1234; CLAIM may be - (none)
//   gate NAME=true                   args {…}
// and of the play:
//   before CHANGE NAME               the server's claim changes before PreBind: clear, protect, unprotect
//   refuse METHOD PART TEXT          requests whose path has PART in it are answered with 400
//   stop                             Unreserve instead of PreBind
//   undo                             Unreserve after PreBind
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/object.h"
#include "base/check.h"
#include "base/random.h"
#include "client/client_for_tests.h"
#include "json/documents.h"
#include "net/client.h"
#include "placement/pod_claims.h"
#include "scheduler/devices/devices.h"
#include "scheduler/framework/cache.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/node_info.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {

// An object of this kind, from the JSON of its members in braces.
template <typename T>
T ObjectFrom(std::string_view kind, const std::string& json) {
  const bool is_core = kind == "Node" || kind == "Pod";
  api::Decoded<T> object =
      api::DecodeJson<T>(fmt::format(R"({{"apiVersion":"{}","kind":"{}",{})",
                                     is_core ? "v1" : "resource.k8s.io/v1", kind, json.substr(1)));
  QUADRA_CHECK(object.has_value(), json.c_str());
  return *std::move(object);
}

// JSON laid over JSON, as a merge patch does it.
inline void LayOver(json::Value& under, const json::Value& over) {
  if (over.kind() != json::Kind::kObject || under.kind() != json::Kind::kObject) {
    under = over;
    return;
  }
  for (const json::Value::Member& member : over.members()) {
    if (member.value.is_null()) {
      under.Erase(member.key);
    } else if (json::Value* const there = under.Find(member.key)) {
      LayOver(*there, member.value);
    } else {
      under.Set(member.key, member.value);
    }
  }
}

// The claims that a server has, with what it does to them.
class ClaimServer {
 public:
  explicit ClaimServer(std::function<void(ClaimPtr)> told) : told_(std::move(told)) {}

  api::ResourceClaim* Find(const std::string& name) {
    const auto found = claims_.find(name);
    return found == claims_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, api::ResourceClaim>& all() const { return claims_; }
  // A new revision of it.
  void Put(api::ResourceClaim claim) {
    claim.metadata.resource_version = std::to_string(++revision_);
    const std::string name = claim.metadata.name;
    claims_.insert_or_assign(name, std::move(claim));
    if (tells) {
      told_(std::make_shared<const api::ResourceClaim>(claims_.at(name)));
    }
  }

  net::Response Serve(const net::Request& request) {
    writes += request.method == "GET" ? 0 : 1;
    for (const auto& [method, part, text] : refusals) {
      if (request.method == method && request.target.find(part) != std::string::npos) {
        return client::Json(400, client::StatusJson(400, "BadRequest", text));
      }
    }
    const std::string_view target = request.target;
    const std::string_view path = target.substr(0, target.find('?'));
    if (path.find("/pods/") != std::string_view::npos) {
      patches.push_back(Body(request));
      return client::Json(200, R"({"kind":"Pod","apiVersion":"v1"})");
    }
    const bool is_status = path.ends_with("/status");
    std::string_view name = path.substr(path.find("resourceclaims") + 14);
    name = name.substr(0, name.size() - (is_status ? 7 : 0));
    return name.empty() ? Create(request)
                        : ServeOne(request, std::string(name.substr(1)), is_status);
  }

  bool tells = false;  // watchers, of what is written
  struct Refusal {
    std::string method;
    std::string part;
    std::string text;
  };
  std::vector<Refusal> refusals;
  std::vector<std::string> patches;  // of pods' statuses
  int writes = 0;

 private:
  static std::string Body(const net::Request& request) { return request.body; }
  static net::Response Show(int status, const api::ResourceClaim& claim) {
    return client::Json(status, api::EncodeJson(claim));
  }
  static api::ResourceClaim Read(const net::Request& request) {
    api::Decoded<api::ResourceClaim> claim = api::DecodeJson<api::ResourceClaim>(Body(request));
    QUADRA_CHECK(claim.has_value(), "we write what can be read");
    return *std::move(claim);
  }

  net::Response Create(const net::Request& request) {
    api::ResourceClaim claim = Read(request);
    claim.metadata.name = claim.metadata.generate_name + std::to_string(made_++);
    claim.metadata.uid = "made-" + claim.metadata.name;
    const std::string name = claim.metadata.name;
    Put(std::move(claim));
    return Show(201, claims_.at(name));
  }

  net::Response ServeOne(const net::Request& request, const std::string& name, bool is_status) {
    api::ResourceClaim* const claim = Find(name);
    if (claim == nullptr) {
      return client::Json(404, client::StatusJson(404, "NotFound", "not found"));
    }
    if (request.method == "GET") {
      return Show(200, *claim);
    }
    if (request.method == "DELETE") {
      claims_.erase(name);
      return client::Json(200, R"({"kind":"Status","status":"Success"})");
    }
    if (request.method == "PATCH") {
      claim->status.reserved_for.EraseIf([&](const auto& user) {
        return Body(request).find("\"" + user.uid + "\"") != std::string::npos;
      });
      Put(*claim);
      return Show(200, *Find(name));
    }
    api::ResourceClaim written = Read(request);
    if (written.metadata.resource_version != claim->metadata.resource_version) {
      return client::Json(409, client::StatusJson(409, "Conflict", "it has changed"));
    }
    api::ResourceClaim now = *claim;
    if (is_status) {
      now.status = written.status;
    } else {
      now.metadata.finalizers = written.metadata.finalizers;
    }
    Put(std::move(now));
    return Show(200, *Find(name));
  }

  const std::function<void(ClaimPtr)> told_;
  std::map<std::string, api::ResourceClaim> claims_;
  int revision_ = 0;
  int made_ = 0;
};

class DeviceTrial {
 public:
  explicit DeviceTrial(bool strict = true) : strict_(strict) {}

  // The answer's lines.
  std::string Play(const std::string& script) {
    std::istringstream lines(script);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      if (std::string verb; words >> verb) {
        Read(verb, words, line);
      }
    }
    Begin();
    PlayPod();
    return out_;
  }

  int writes() const { return server_.writes; }

 private:
  using Words = std::istringstream;

  // --- Reading.
  static json::Value ParseJson(const std::string& text) {
    Result<json::Value> value = json::ParseValue(text);
    QUADRA_CHECK(value.has_value(), text.c_str());
    return *std::move(value);
  }
  // {…} groups that are left on the line, one after the other.
  static std::vector<json::Value> Rest(Words& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    std::vector<json::Value> values;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == '{' && depth++ == 0) {
        begin = i;
      } else if (rest[i] == '}' && --depth == 0) {
        values.push_back(ParseJson(rest.substr(begin, i + 1 - begin)));
      }
    }
    return values;
  }
  static std::vector<std::string> Split(const std::string& text, char by = ',') {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, by);) {
      parts.push_back(part);
    }
    return parts;
  }
  template <typename T>
  static T Make(const std::string& json, const std::vector<json::Value>& over,
                std::size_t which = 0) {
    json::Value value = ParseJson(json);
    if (which < over.size()) {
      LayOver(value, over[which]);
    }
    api::Decoded<T> object = api::DecodeJson<T>(json::ToJson(value));
    QUADRA_CHECK(object.has_value(), json.c_str());
    return *std::move(object);
  }

  void Read(const std::string& verb, Words& words, const std::string& line) {
    std::string name;
    words >> name;
    if (verb == "node") {
      nodes_.push_back(Make<api::Node>(
          fmt::format(R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{0}","labels":)"
                      R"({{"kubernetes.io/hostname":"{0}"}}}}}})",
                      name),
          Rest(words)));
    } else if (verb == "class") {
      classes_.push_back(Make<api::DeviceClass>(
          fmt::format(R"({{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass",)"
                      R"("metadata":{{"name":"{}"}},"spec":{{}}}})",
                      name),
          Rest(words)));
    } else if (verb == "driver") {
      driver_ = name;
    } else if (verb == "slice") {
      ReadSlice(name, words);
    } else if (verb == "claim") {
      ReadClaim(name, words);
    } else if (verb == "give") {
      Claim(name).status.allocation = ReadAllocation(words);
    } else if (verb == "use") {
      std::string user;
      words >> user;
      Claim(name).status.reserved_for.push_back(
          {.api_group = "", .resource = "pods", .name = user, .uid = UidOf(user)});
    } else if (verb == "flight") {
      flights_.emplace_back(name, ReadAllocation(words));
    } else if (verb == "pod") {
      ReadPod(name, words);
    } else if (verb == "gate") {
      gates_ += (gates_.empty() ? "" : ",") + name;
    } else if (verb == "args") {
      args_ = ParseJson(line.substr(line.find('{')));
    } else if (verb == "before") {
      std::string claim;
      words >> claim;
      before_prebind_.emplace_back(name, claim);
    } else if (verb == "refuse") {
      ClaimServer::Refusal refusal{.method = name};
      words >> refusal.part;
      std::getline(words >> std::ws, refusal.text);
      server_.refusals.push_back(std::move(refusal));
    } else if (verb == "stop" || verb == "undo") {
      end_ = verb;
    } else {
      QUADRA_CHECK(verb.starts_with("#"), line.c_str());
    }
  }
  static std::string UidOf(const std::string& pod) { return pod == "my-pod" ? "1234" : pod; }

  void ReadSlice(const std::string& node, Words& words) {
    std::string names;
    words >> names;
    const std::vector<json::Value> over = Rest(words);
    std::string devices;
    for (const std::string& device : Split(names)) {
      json::Value value = ParseJson(fmt::format(R"({{"name":"{}"}})", device));
      if (!over.empty()) {
        LayOver(value, over[0]);
      }
      devices += (devices.empty() ? "" : ",") + json::ToJson(value);
    }
    slices_.push_back(Make<api::ResourceSlice>(
        fmt::format(R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",)"
                    R"("metadata":{{"name":"{0}-{1}"}},"spec":{{"driver":"{1}","nodeName":"{0}",)"
                    R"("pool":{{"name":"{0}","generation":1,"resourceSliceCount":1}},)"
                    R"("devices":[{2}]}}}})",
                    node, driver_, devices),
        over, 1));
  }

  void ReadClaim(const std::string& name, Words& words) {
    claims_.push_back(Make<api::ResourceClaim>(
        fmt::format(R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":)"
                    R"({{"name":"{0}","namespace":"default","uid":"uid-{0}","ownerReferences":)"
                    R"([{{"apiVersion":"v1","kind":"Pod","name":"my-pod","uid":"1234",)"
                    R"("controller":true}}]}},"spec":{{"devices":{{"requests":[{{"name":"req-1",)"
                    R"("exactly":{{"deviceClassName":"my-class","allocationMode":"ExactCount",)"
                    R"("count":1}}}}]}}}}}})",
                    name),
        Rest(words)));
  }

  api::AllocationResult ReadAllocation(Words& words) {
    std::string results;
    words >> results;
    std::string on;
    const std::streampos place = words.tellg();
    words >> on;
    json::Value allocation = ParseJson(R"({"devices":{"results":[]}})");
    if (on == "on") {
      words >> on;
      LayOver(allocation, ParseJson(fmt::format(
                              R"({{"nodeSelector":{{"nodeSelectorTerms":[{{"matchFields":[{{"key":)"
                              R"("metadata.name","operator":"In","values":["{}"]}}]}}]}}}})",
                              on)));
    } else if (on.starts_with('{')) {
      words.clear();
      words.seekg(place);
    }
    const std::vector<json::Value> over = Rest(words);
    json::Value::Array list;
    for (const std::string& each : Split(results == "-" ? "" : results)) {
      const std::vector<std::string> parts = Split(each, '=');
      const std::vector<std::string> path = Split(parts[0], '/');
      list.push_back(
          ParseJson(fmt::format(R"({{"driver":"{}","pool":"{}","device":"{}","request":"{}"}})",
                                driver_, path[0], path[1], parts[1])));
      if (!over.empty()) {
        LayOver(list.back(), over[0]);
      }
    }
    allocation.Find("devices")->Set("results", json::Value(std::move(list)));
    if (over.size() > 1) {
      LayOver(allocation, over[1]);
    }
    const auto claim = Make<api::ResourceClaim>(
        R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","status":{"allocation":)" +
            json::ToJson(allocation) + "}}",
        {});
    return *claim.status.allocation;
  }

  void ReadPod(const std::string& names, Words& words) {
    std::string entries;
    int number = 0;
    for (const std::string& name : Split(names)) {
      if (name != "-") {
        entries += fmt::format(R"({}{{"name":"entry-{}","resourceClaimName":"{}"}})",
                               entries.empty() ? "" : ",", ++number, name);
      }
    }
    pod_ = Make<api::Pod>(
        fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"my-pod",)"
                    R"("namespace":"default","uid":"1234"}},"spec":{{"resourceClaims":[{}]}}}})",
                    entries),
        Rest(words));
  }

  api::ResourceClaim& Claim(const std::string& name) {
    for (api::ResourceClaim& claim : claims_) {
      if (claim.metadata.name == name) {
        return claim;
      }
    }
    QUADRA_CHECK(false, name.c_str());
    return claims_.front();
  }

  // --- The world.
  void Begin() {
    Result<api::FeatureGates> gates = api::FeatureGates::Parse(gates_);
    QUADRA_CHECK(gates.has_value(), gates_.c_str());
    feature_gates_ = *std::move(gates);
    devices_ = std::make_unique<Devices>(language_, feature_gates_);
    for (const api::Node& node : nodes_) {
      infos_.push_back(std::make_unique<NodeInfo>(std::make_shared<const api::Node>(node)));
      devices_->Put(node);
    }
    for (const api::DeviceClass& each : classes_) {
      devices_->Put(each);
    }
    for (const api::ResourceSlice& slice : slices_) {
      devices_->Put(slice);
    }
    for (api::ResourceClaim& claim : claims_) {
      // Whoever allocated it had it protected.
      if (claim.status.allocation) {
        placement::AddFinalizer(claim);
      }
      server_.Put(claim);
      devices_->Put(std::make_shared<const api::ResourceClaim>(*server_.Find(claim.metadata.name)));
    }
    server_.tells = !strict_;
    for (auto& [name, allocation] : flights_) {
      api::ResourceClaim decided = *server_.Find(name);
      decided.status.allocation = allocation;
      devices_->Begin(std::make_shared<const api::ResourceClaim>(std::move(decided)));
    }
    before_ = server_.all();
    handle_.emplace(
        Handle{.gates = feature_gates_,
               .snapshot = no_nodes_,
               .devices = *devices_,
               .random = random_,
               .strict = strict_,
               .api = &scripted_.api,
               .write = [this](loop::Task<void> task) { writing_.Start(std::move(task)); }});
    Result<std::unique_ptr<Plugin>> made = DynamicResources::Make(*handle_, args_);
    QUADRA_CHECK(made.has_value(), "good arguments");
    owner_ = *std::move(made);
    plugin_ = dynamic_cast<DynamicResources*>(owner_.get());
    info_ = PodInfo::Of(pod_, feature_gates_);
  }

  // --- The play.
  void Say(std::string line) { out_ += std::move(line) + "\n"; }
  void SayStatus(std::string_view where, const Status& status) {
    if (!status.ok()) {
      const std::string text = status.Message();
      Say(fmt::format("{} {}{}{}", where, NameOf(status.code()), text.empty() ? "" : ": ", text));
    }
  }

  void PlayPod() {
    const Status queued = plugin_->PreEnqueue(*info_);
    SayStatus("preenqueue", queued);
    if (!queued.ok()) {
      return;
    }
    const PreFilterResult found = plugin_->PreFilter(state_, *info_);
    SayStatus("prefilter", found.status);
    std::vector<NodeScore> fitting;
    bool broken = false;
    if (found.status.ok()) {
      broken = !Filter(fitting);
    }
    if (broken || found.status.skips()) {
      return;
    }
    if (fitting.empty()) {
      SayStatus("postfilter", plugin_->PostFilter(state_, *info_, {}).status);
      scripted_.Settle();
      return SayChanges();
    }
    Bind(BestOf(fitting));
  }

  // False where a node failed the pod.
  bool Filter(std::vector<NodeScore>& fitting) {
    for (const auto& node : infos_) {
      const Status status = plugin_->Filter(state_, *info_, *node);
      SayStatus("filter " + node->name(), status);
      if (status.code() == Code::kError) {
        return false;
      }
      if (status.ok()) {
        fitting.push_back({.node = node.get()});
      }
    }
    return true;
  }

  std::string BestOf(std::vector<NodeScore>& fitting) {
    if (fitting.size() > 1) {
      for (NodeScore& each : fitting) {
        SayStatus("score", plugin_->Score(state_, *info_, *each.node, each.score));
      }
      std::vector<NodeScore> scores = fitting;
      SayStatus("normalize", plugin_->Normalize(state_, *info_, fitting));
      for (std::size_t i = 0; i < fitting.size(); ++i) {
        Say(fmt::format("score {} {} -> {}", fitting[i].node->name(), scores[i].score,
                        fitting[i].score));
      }
    }
    return std::ranges::max_element(fitting, {}, &NodeScore::score)->node->name();
  }

  void Bind(const std::string& node) {
    api::Pod placed = pod_;
    for (auto& status : NodeAllocatableOn(state_, node)) {
      placed.status.node_allocatable_resource_claim_statuses.push_back(std::move(status));
    }
    info_ = PodInfo::Of(placed, feature_gates_);
    const Status reserved = plugin_->Reserve(state_, *info_, node);
    SayStatus("reserve", reserved);
    SayFlights();
    if (!reserved.ok() || end_ == "stop") {
      plugin_->Unreserve(state_, *info_, node);
      scripted_.Settle();
      return SayEnd();
    }
    ChangeBeforePreBind();
    SayStatus("preflight", plugin_->PreBindPreFlight(state_, *info_, node));
    SayStatus("prebind", scripted_.Run(plugin_->PreBind(state_, info_, node)));
    SayEnd();
    if (end_ == "undo") {
      plugin_->Unreserve(state_, *info_, node);
      scripted_.Settle();
      Say("undone");
      SayEnd();
    }
  }

  void ChangeBeforePreBind() {
    for (const auto& [change, name] : before_prebind_) {
      api::ResourceClaim claim = *server_.Find(name);
      if (change == "clear") {
        claim.status.allocation.reset();
      } else if (change == "protect") {
        placement::AddFinalizer(claim);
      } else if (change == "unprotect") {
        claim.metadata.finalizers.Reset();
      }
      server_.Put(std::move(claim));
    }
    before_ = server_.all();
  }

  // --- What is said of claims.
  static std::string TextOf(const std::optional<api::AllocationResult>& allocation) {
    if (!allocation) {
      return "-";
    }
    std::vector<std::string> parts;
    for (const auto& result : allocation->devices.results) {
      parts.push_back(fmt::format("{}/{}={}{}{}", result.pool, result.device, result.request,
                                  result.share_id ? " shared" : "",
                                  result.admin_access.value_or(false) ? " admin" : ""));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  static std::string TextOf(const api::ResourceClaim& claim) {
    std::string text = TextOf(claim.status.allocation);
    if (const std::string node = placement::PinnedNode(claim); !node.empty()) {
      text += " on " + node;
    }
    for (const auto& user : claim.status.reserved_for) {
      text += " for " + user.name;
    }
    if (claim.status.allocation && claim.status.allocation->allocation_timestamp) {
      text += " timed";
    }
    return text + (claim.metadata.finalizers.empty() ? "" : " protected");
  }

  // In flight, but for what was so from the beginning.
  void SayFlights() {
    for (const auto& [name, claim] : server_.all()) {
      const ClaimPtr flight = devices_->InFlight(claim);
      const bool is_new = std::ranges::find(flights_, name, [](const auto& each) {
                            return each.first;
                          }) == flights_.end();
      if (flight != nullptr && is_new) {
        Say(fmt::format("holds {}: {}", name, TextOf(flight->status.allocation)));
      }
    }
    api::ResourceClaim extended;
    extended.metadata.uid = pod_.metadata.uid + "/extended-resources";
    if (const ClaimPtr flight = devices_->InFlight(extended)) {
      Say(fmt::format("holds {}: {}", flight->metadata.name, TextOf(flight->status.allocation)));
    }
  }

  void SayChanges() {
    for (const auto& [name, claim] : server_.all()) {
      const auto before = before_.find(name);
      if (before == before_.end() || TextOf(before->second) != TextOf(claim)) {
        Say(fmt::format("{}: {}", name, TextOf(claim)));
      }
    }
    for (const auto& [name, claim] : before_) {
      if (server_.Find(name) == nullptr) {
        Say(name + ": gone");
      }
    }
    for (const std::string& patch : std::exchange(server_.patches, {})) {
      Say("pod " + json::ToJson(ParseJson(patch).Get("status")));
    }
    before_ = server_.all();
  }
  void SayEnd() {
    SayChanges();
    if (end_ != "stop") {
      SayFlights();
    } else {
      const std::string before = std::exchange(out_, "");
      SayFlights();
      out_ = before + (out_.empty() ? "" : "still " + out_);
    }
  }

  const bool strict_;
  std::string driver_ = "some-driver";
  std::vector<api::Node> nodes_;
  std::vector<api::DeviceClass> classes_;
  std::vector<api::ResourceSlice> slices_;
  std::vector<api::ResourceClaim> claims_;
  std::vector<std::pair<std::string, api::AllocationResult>> flights_;
  std::vector<std::pair<std::string, std::string>> before_prebind_;
  api::Pod pod_;
  std::string gates_;
  json::Value args_;
  std::string end_;

  SeededRandom random_{3};
  selector::Language language_;
  api::FeatureGates feature_gates_;
  Cache no_nodes_;
  std::unique_ptr<Devices> devices_;
  std::vector<std::unique_ptr<NodeInfo>> infos_;
  ClaimServer server_{[this](ClaimPtr claim) {
    scripted_.loop.Post([this, claim = std::move(claim)] { devices_->Put(claim); });
  }};
  client::Scripted scripted_{[this](const net::Request& request, net::Exchange exchange) {
    exchange.Answer(server_.Serve(request));
  }};
  std::map<std::string, api::ResourceClaim> before_;
  std::optional<Handle> handle_;
  std::unique_ptr<Plugin> owner_;
  DynamicResources* plugin_ = nullptr;
  PodInfoPtr info_;
  CycleState state_;
  loop::TaskGroup writing_;
  std::string out_;
};

}  // namespace quadra::scheduler
