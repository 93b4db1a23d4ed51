// Get: what `quadra get` lists, one file a kind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/dump_input.h"
#include "cli/exit_code.h"
#include "cli/table.h"
#include "diagnosis/stock.h"
#include "json/writer.h"
#include "placement/cluster.h"

namespace quadra::cli {

inline constexpr Flag kFieldSelectorFlag{
    .name = "field-selector",
    .value = "SELECTOR",
    .help =
        "Show only objects with these fields: field=value, field!=value, with commas between, "
        "e.g. spec.nodeName=gpu-07. A server says which fields it knows. Not for pools and "
        "devices."};

// Which things to list and how.
struct Listing {
  // table, wide, name, json, yaml, jsonpath=TEMPLATE, custom-columns=SPEC
  std::string format = "table";
  bool headings = true;
  std::string sort_by;             // a field of the items; empty: as they come
  std::string node;                // empty: all
  std::string state;               // empty: all
  std::optional<Time> now;         // ages are unknown without it; of a watch they are the present's
  std::vector<std::string> names;  // empty: all
  bool watch = false;
  std::string_view has = "the dump has";  // or the cluster
  // Holders that count with -n and -l; null: all do, and so does what nobody holds.
  std::function<bool(const diagnosis::DeviceHolder&)> shows = nullptr;
  // With `node`: whether it can use the device.
  std::function<bool(const diagnosis::DeviceStock&)> is_reached = nullptr;

  // Whether a thing of that state is asked for: shared-4 is shared, too.
  bool HasState(std::string_view thing) const {
    return state.empty() || thing == state || thing.starts_with(state + "-");
  }
  bool wide() const { return format == "wide"; }
};

// One listing under way, in the format asked for. Not thread-safe.
class Lister {
 public:
  // `kind`: one thing, e.g. pool; `list`: the document's kind, e.g. PoolList. `listing` and
  // `console` must outlive this.
  Lister(const Listing& listing, std::string_view kind, std::string_view list,
         std::vector<std::string> headings, Console& console);

  // Whether the thing was asked for: a name chooses what is called so, and what is called so behind
  // a slash. gpu-07/gpu-0 chooses gpu.example.com/gpu-07/gpu-0. Without names everything is chosen.
  bool Chooses(std::string_view full_name);
  // Lists a thing, which -o name prints as `name`; only the one of `cells` and `write` that the format needs is called.
  void Add(const std::string& name, const std::function<std::vector<std::string>()>& cells,
           const std::function<void(json::Writer&)>& write);
  // To be called once, after the last. Says what of the names was not found, which makes it kNo.
  ExitCode Finish();

 private:
  // One thing; of `cells` and `json` what the format and the order need.
  struct Entry {
    std::string name;
    std::vector<std::string> cells;
    std::string json;
  };
  bool NeedsJson() const;
  std::vector<std::string> Items() const;
  Status Sort();
  std::string Document() const;
  void SayWhatIsMissing();
  ExitCode Print();

  const Listing& listing_;
  std::string_view kind_;
  std::string_view list_;
  Console& console_;
  std::vector<std::string> headings_;
  std::vector<Entry> entries_;
  std::vector<bool> found_;  // by listing_.names
};

// <several> where there is not the one node, <unknown> for what is not published.
std::string NodeCell(const std::string& node, bool published);
// What is used of what there is: memory 40Gi/80Gi; of counters of one name the sum over the sets.
std::string LevelsCell(const std::vector<diagnosis::Level>& levels);
// Writes used and total of each as a member of an object named `key`; nothing where there are none.
void WriteLevels(json::Writer& writer, std::string_view key,
                 const std::vector<diagnosis::Level>& levels);
// One cell of several names: a,b,c,+2 where not all are asked for.
std::string Joined(const std::vector<std::string>& names, bool all);

// Print the listing and return kYes, or kNo where something named is not there.
ExitCode GetPools(const diagnosis::Stock& stock, const Listing& listing, Console& console);
ExitCode GetDevices(const diagnosis::Stock& stock, const Listing& listing, Console& console);
ExitCode GetClaims(const placement::Cluster& cluster, const Listing& listing, Console& console);

}  // namespace quadra::cli
