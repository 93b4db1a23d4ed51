// quadra_pods: a light client that makes a cluster, gives it pods, and sees when each is bound.
//
//   quadra_pods --kubeconfig FILE --shape SHAPE --nodes N --pods N [--rate N] [--limit SECONDS]
//       [NAME=PID,PID…]…
//
// SHAPE is what a pod wants: plain, template (one device by a claim from a template), selector (the
// same, by an expression), alternatives (the second of two), match (two devices of one switch).
// Every node has 8 devices. So many pods are created a second as --rate says, by default as fast as
// 32 clients can. Prints one line of JSON
// when all are bound or the limit (120 s) is over; CPU a bound pod of the processes named.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client/api.h"
#include "client/connection.h"
#include "client/role.h"
#include "load.h"
#include "loop/event_loop.h"
#include "loop/task.h"

namespace quadra::bench {
namespace {

constexpr int kClients = 32;
constexpr int kDevices = 8;  // of a node

struct Plan {
  std::string kubeconfig;
  std::string shape;
  std::size_t nodes = 0;
  std::size_t pods = 0;
  double rate = 0;
  double limit_s = 0;
  std::map<std::string, std::vector<int>> processes;
};

[[noreturn]] void End(const std::string& why) {
  std::cerr << "quadra_pods: " << why << '\n';
  std::_Exit(1);
}

template <typename T>
T OrEnd(Result<T> result) {
  if (!result) {
    End(result.error().ToString());
  }
  return *std::move(result);
}

// --- What is made.

std::string NodeText(std::size_t i) {
  return fmt::format(
      R"({{"metadata":{{"name":"node-{0:06}","labels":{{"kubernetes.io/hostname":"node-{0:06}"}}}},)"
      R"("status":{{"capacity":{{"cpu":"64","memory":"256Gi","pods":"110"}},)"
      R"("allocatable":{{"cpu":"64","memory":"256Gi","pods":"110"}},)"
      R"("conditions":[{{"type":"Ready","status":"True"}}]}}}})",
      i);
}

std::string DeviceText(int device) {
  return fmt::format(
      R"({{"name":"gpu-{0}","attributes":{{"model":{{"string":"{1}"}},"uuid":{{"string":"GPU-{0:032}"}},)"
      R"("switch":{{"int":{2}}},"driverVersion":{{"version":"550.90.7"}}}},)"
      R"("capacity":{{"memory":{{"value":"80Gi"}}}}}})",
      device, device % 2 == 0 ? "large" : "small", device / 2);
}

std::string SliceText(std::size_t i) {
  std::vector<std::string> devices;
  devices.reserve(kDevices);
  for (int device = 0; device < kDevices; ++device) {
    devices.push_back(DeviceText(device));
  }
  return fmt::format(
      R"({{"metadata":{{"name":"gpus-{0:06}"}},"spec":{{"driver":"gpu.example.com","nodeName":"node-{0:06}",)"
      R"("pool":{{"name":"node-{0:06}","generation":1,"resourceSliceCount":1}},"devices":[{1}]}}}})",
      i, fmt::join(devices, ","));
}

constexpr std::string_view kClass =
    R"({"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":)"
    R"("device.driver == 'gpu.example.com'"}}]}})";

struct Shape {
  std::string_view name;
  std::string_view devices;  // what a claim wants; empty: pods have none
};

constexpr std::array<Shape, 5> kShapes = {{
    {"plain", ""},
    {"template", R"({"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]})"},
    {"selector",
     R"cel({"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu","selectors":[)cel"
     R"cel({"cel":{"expression":"device.capacity['gpu.example.com'].memory.compareTo()cel"
     R"cel(quantity('40Gi')) >= 0 && device.attributes['gpu.example.com'].driverVersion)cel"
     R"cel(.isGreaterThan(semver('500.0.0'))"}}]}}]})cel"},
    {"alternatives",
     R"({"requests":[{"name":"gpu","firstAvailable":[{"name":"huge","deviceClassName":"gpu",)"
     R"("selectors":[{"cel":{"expression":"device.attributes['gpu.example.com'].model == 'huge'"}}]},)"
     R"({"name":"any","deviceClassName":"gpu"}]}]})"},
    {"match",
     R"({"requests":[{"name":"gpus","exactly":{"deviceClassName":"gpu","count":2}}],)"
     R"("constraints":[{"requests":["gpus"],"matchAttribute":"gpu.example.com/switch"}]})"},
}};

std::string_view DevicesText(std::string_view shape) {
  const auto* const found = std::ranges::find(kShapes, shape, &Shape::name);
  if (found == kShapes.end()) {
    End(fmt::format("no shape is called {}", shape));
  }
  return found->devices;
}

std::string PodText(const Plan& plan, std::size_t i) {
  const bool claims = plan.shape != "plain";
  return fmt::format(
      R"({{"metadata":{{"name":"pod-{:06}"}},"spec":{{"tolerations":[{{"operator":"Exists"}}],{})"
      R"("containers":[{{"name":"main","image":"app","resources":{{"requests":{{"cpu":"100m",)"
      R"("memory":"100Mi"}}{}}}}}]}}}})",
      i, claims ? R"("resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"gpus"}],)" : "",
      claims ? R"(,"claims":[{"name":"gpu"}])" : "");
}

// --- Making it.

// What some clients do at once, each step once.
struct Series {
  std::size_t count = 0;
  std::function<loop::Task<void>(std::size_t i)> step;
  std::size_t next = 0;
  std::size_t left = count;
  std::promise<void> done;
};

loop::Task<void> Work(Series& series) {
  while (series.next < series.count) {
    loop::Task<void> step = series.step(series.next++);
    co_await step;
    if (--series.left == 0) {
      series.done.set_value();
    }
  }
}

class Load {
 public:
  Load(const Plan& plan, client::Api& api, loop::ThreadLoop& loop)
      : plan_(plan),
        loop_(loop),
        api_(api),
        pods_(api, {.resource = client::ResourceOf<api::Pod>()}),
        making_{.count = plan.pods, .step = [this](std::size_t i) { return MakePod(i); }} {
    pods_.OnChange({.added = [this](const api::Pod& pod) { Saw(pod); },
                    .updated = [this](const api::Pod&, const api::Pod& pod) { Saw(pod); }});
    pods_.OnSynced([this] { synced_.set_value(); });
  }

  void Run() {
    Prepare();
    api_.loop().Post([this] { pods_.Start(); });
    synced_.get_future().wait();
    const std::map<std::string, double> before = Cpu();
    Begin();
    const auto limit = std::chrono::duration<double>(plan_.limit_s);
    all_bound_.get_future().wait_for(limit);
    loop_.Run([&] { Print(before); });
  }

 private:
  // --- On the loop.
  loop::Task<void> Make(client::Resource resource, std::string ns, std::string body) {
    loop::Later<client::Answer<std::string>> making = api_.Create(resource, ns, std::move(body));
    const client::Answer<std::string> made = co_await making;
    if (!made) {
      End(made.error().message);
    }
  }
  loop::Task<void> MakeNode(std::size_t i) {
    loop::Task<void> node = Make(client::ResourceOf<api::Node>(), "", NodeText(i));
    co_await node;
    loop::Task<void> slice = Make(client::ResourceOf<api::ResourceSlice>(), "", SliceText(i));
    co_await slice;
  }
  loop::Task<void> MakePod(std::size_t i) {
    if (plan_.rate > 0) {
      const double due_s = begun_s_ + static_cast<double>(i) / plan_.rate;
      const auto wait = std::chrono::duration<double>(std::max(0.0, due_s - WallSeconds()));
      auto pause =
          loop::Pause(api_.loop(), std::chrono::duration_cast<std::chrono::milliseconds>(wait));
      co_await pause;
    }
    created_s_[i] = WallSeconds();
    loop::Task<void> pod = Make(client::ResourceOf<api::Pod>(), "default", PodText(plan_, i));
    co_await pod;
  }
  loop::Task<void> MakeShared() {
    loop::Task<void> device_class =
        Make(client::ResourceOf<api::DeviceClass>(), "", std::string(kClass));
    co_await device_class;
    if (const std::string_view devices = DevicesText(plan_.shape); !devices.empty()) {
      loop::Task<void> gpus =
          Make(client::ResourceOf<api::ResourceClaimTemplate>(), "default",
               fmt::format(R"({{"metadata":{{"name":"gpus"}},"spec":{{"spec":{{"devices":{}}}}}}})",
                           devices));
      co_await gpus;
    }
    const client::Resource accounts{.version = "v1", .plural = "serviceaccounts"};
    for (bool found = false; !found;) {
      loop::Later<client::Answer<std::string>> asking = api_.Get(accounts, "default", "default");
      const client::Answer<std::string> account = co_await asking;
      found = account.has_value();
      auto pause = loop::Pause(api_.loop(), std::chrono::milliseconds(20));
      co_await pause;
    }
  }
  void Saw(const api::Pod& pod) {
    const std::size_t i = std::strtoul(pod.metadata.name.c_str() + 4, nullptr, 10);
    if (pod.spec.node_name.empty() || i >= bound_s_.size() || bound_s_[i] > 0) {
      return;
    }
    bound_s_[i] = WallSeconds();
    if (++bound_ == plan_.pods) {
      all_bound_.set_value();
    }
  }

  // --- On the main thread.
  void Start(Series& series) {
    api_.loop().Post([this, &series] {
      for (int client = 0; client < kClients; ++client) {
        work_.Start(Work(series));
      }
    });
  }
  void Prepare() {
    Series shared{.count = 1, .step = [this](std::size_t) { return MakeShared(); }};
    Series nodes{.count = plan_.nodes, .step = [this](std::size_t i) { return MakeNode(i); }};
    for (Series* const series : {&shared, &nodes}) {
      Start(*series);
      series->done.get_future().wait();
    }
    loop_.Run([] {});  // the last client has left the series
  }
  void Begin() {
    created_s_.assign(plan_.pods, 0);
    bound_s_.assign(plan_.pods, 0);
    begun_s_ = WallSeconds();
    Start(making_);
  }
  std::map<std::string, double> Cpu() const {
    std::map<std::string, double> seconds;
    for (const auto& [name, processes] : plan_.processes) {
      seconds[name] = Place{.processes = processes}.ServerSeconds();
    }
    return seconds;
  }
  void Print(const std::map<std::string, double>& before) const {
    std::vector<double> waits_ms;
    double last_s = begun_s_;
    for (std::size_t i = 0; i < bound_s_.size(); ++i) {
      if (bound_s_[i] > 0) {
        waits_ms.push_back((bound_s_[i] - created_s_[i]) * 1e3);
        last_s = std::max(last_s, bound_s_[i]);
      }
    }
    std::ranges::sort(waits_ms);
    const std::size_t count = waits_ms.size();
    const double wall_s = (count == plan_.pods ? last_s : WallSeconds()) - begun_s_;
    std::vector<std::string> cpu;
    for (const auto& [name, seconds] : Cpu()) {
      cpu.push_back(fmt::format(R"("{}":{:.3f})", name,
                                (seconds - before.at(name)) * 1e3 /
                                    static_cast<double>(std::max<std::size_t>(count, 1))));
    }
    fmt::print(
        R"({{"shape":"{}","nodes":{},"pods":{},"bound":{},"wall_s":{:.2f},"per_s":{:.1f},"p50_ms":{:.1f},)"
        R"("p99_ms":{:.1f},"cpu_ms":{{{}}}}})"
        "\n",
        plan_.shape, plan_.nodes, plan_.pods, count, wall_s, static_cast<double>(count) / wall_s,
        count == 0 ? 0.0 : waits_ms[count / 2], count == 0 ? 0.0 : waits_ms[count * 99 / 100],
        fmt::join(cpu, ","));
  }

  const Plan& plan_;
  loop::ThreadLoop& loop_;
  client::Api& api_;
  client::Informer<api::Pod> pods_;
  std::promise<void> synced_;
  std::promise<void> all_bound_;
  double begun_s_ = 0;
  std::vector<double> created_s_;
  std::vector<double> bound_s_;
  std::size_t bound_ = 0;
  Series making_;
  loop::TaskGroup work_;
};

void Run(const Plan& plan) {
  const client::ClusterAccess access =
      OrEnd(client::FindAccess({.kubeconfig = plan.kubeconfig}, client::SystemEnvironment()));
  client::Connection connection = OrEnd(client::Connect(access));
  loop::ThreadLoop loop;
  client::Api api(*connection.client, loop,
                  {.user_agent = "quadra-pods", .headers = connection.headers});
  Load load(plan, api, loop);
  load.Run();
  std::cout.flush();
  std::_Exit(0);  // nothing is kept
}

std::pair<std::string, std::vector<int>> ReadProcesses(std::string_view text) {
  const std::size_t equals = text.find('=');
  std::pair<std::string, std::vector<int>> read(std::string(text.substr(0, equals)), {});
  std::string rest(text.substr(std::min(equals + 1, text.size())));
  for (char* at = rest.data(); *at != '\0'; at += *at == ',' ? 1 : 0) {
    read.second.push_back(static_cast<int>(std::strtol(at, &at, 10)));
  }
  return read;
}

// Absent where the words are not understood.
std::optional<Plan> ReadPlan(std::span<const std::string_view> words) {
  std::map<std::string_view, std::string> flags{{"--rate", "0"}, {"--limit", "120"}};
  Plan plan;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      plan.processes.insert(ReadProcesses(words[i]));
    } else if (i + 1 < words.size()) {
      flags[words[i]] = words[i + 1];
      ++i;
    }
  }
  for (const std::string_view wanted : {"--kubeconfig", "--shape", "--nodes", "--pods"}) {
    if (!flags.contains(wanted)) {
      return std::nullopt;
    }
  }
  plan.kubeconfig = flags["--kubeconfig"];
  plan.shape = flags["--shape"];
  plan.nodes = std::strtoul(flags["--nodes"].c_str(), nullptr, 10);
  plan.pods = std::strtoul(flags["--pods"].c_str(), nullptr, 10);
  plan.rate = std::strtod(flags["--rate"].c_str(), nullptr);
  plan.limit_s = std::strtod(flags["--limit"].c_str(), nullptr);
  return plan;
}

}  // namespace
}  // namespace quadra::bench

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const std::optional<quadra::bench::Plan> plan = quadra::bench::ReadPlan(words);
  if (!plan) {
    std::cerr << "usage: quadra_pods --kubeconfig FILE --shape SHAPE --nodes N --pods N [--rate N] "
                 "[--limit SECONDS] [NAME=PID,PID…]…\n";
    return 2;
  }
  quadra::bench::Run(*plan);
}
