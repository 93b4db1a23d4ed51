#include "inspection/device_list.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "inspection/selection.h"

namespace quadra::inspection {
namespace {

const selector::Language& TestLanguage() {
  static const selector::Language language;
  return language;
}

struct SliceOptions {
  std::string name;
  std::int64_t generation = 1;
  std::string node;                                // empty: see `selector`
  std::optional<api::NodeSelector> selector = {};  // neither: all nodes
};

api::ResourceSlice Slice(const SliceOptions& options, const std::vector<std::string>& devices) {
  api::ResourceSlice slice;
  slice.metadata.name = options.name;
  slice.spec.driver = "d";
  slice.spec.pool = {.name = "p", .generation = options.generation, .resource_slice_count = 1};
  slice.spec.node_selector = options.selector;
  if (!options.node.empty()) {
    slice.spec.node_name = options.node;
  } else if (!options.selector) {
    slice.spec.all_nodes = true;
  }
  for (const std::string& name : devices) {
    api::Device device;
    device.name = name;
    device.attributes["model"].string_value = name;
    slice.spec.devices.push_back(std::move(device));
  }
  return slice;
}

api::NodeSelector ZoneIs(const std::string& op, const std::vector<std::string>& zones) {
  api::NodeSelectorRequirement requirement;
  requirement.key = "zone";
  requirement.op = op;
  for (const std::string& zone : zones) {
    requirement.values.push_back(zone);
  }
  api::NodeSelector selector;
  selector.node_selector_terms.push_back({.match_expressions = {requirement}, .match_fields = {}});
  return selector;
}

std::string NamesOf(const DeviceList& devices) {
  std::string names;
  for (const DeviceList::Entry& entry : devices.entries()) {
    names += (names.empty() ? "" : " ") + devices.NameOf(entry);
  }
  return names;
}

TEST(DeviceList, ListsWhatCounts) {
  api::Node n1;
  n1.metadata.name = "n1";
  n1.metadata.labels["zone"] = "a";
  const struct {
    const char* why;
    std::vector<api::ResourceSlice> slices;
    const api::Node* node;
    std::string names;
    std::size_t superseded = 0;
    std::size_t unreadable = 0;
  } rows[] = {
      {"in the order of reading",
       {Slice({"z"}, {"b", "a"}), Slice({"y"}, {"c"})},
       nullptr,
       "d/p/b d/p/a d/p/c"},
      {"the newest generation of a pool",
       {Slice({"z", 1}, {"old"}), Slice({"y", 2}, {"new"})},
       nullptr,
       "d/p/new",
       1},
      {"the later of two of one name, in the place of the first",
       {Slice({"z"}, {"old"}), Slice({"y"}, {"b"}), Slice({"z"}, {"new"})},
       nullptr,
       "d/p/new d/p/b"},
      {"slices without a name are told apart",
       {Slice({""}, {"a"}), Slice({""}, {"b"})},
       nullptr,
       "d/p/a d/p/b"},
      {"of a node its own and those of all",
       {Slice({"z", 1, "n1"}, {"a"}), Slice({"y", 1, "n2"}, {"b"}), Slice({"x"}, {"c"})},
       &n1,
       "d/p/a d/p/c"},
      {"of a node what selects it",
       {Slice({"z", 1, "", ZoneIs("In", {"a"})}, {"a"}),
        Slice({"y", 1, "", ZoneIs("In", {"b"})}, {"b"})},
       &n1,
       "d/p/a"},
      {"an unreadable selector selects no node",
       {Slice({"z", 1, "", ZoneIs("NotIn", {})}, {"a"})},
       &n1,
       "",
       0,
       1},
      {"and does not matter where no node is asked for",
       {Slice({"z", 1, "", ZoneIs("NotIn", {})}, {"a"})},
       nullptr,
       "d/p/a"},
  };
  for (const auto& row : rows) {
    DeviceReader reader(TestLanguage());
    for (const api::ResourceSlice& slice : row.slices) {
      reader(slice);
    }
    const DeviceList devices(reader.Take(), {.node = row.node});
    EXPECT_EQ(NamesOf(devices), row.names) << row.why;
    EXPECT_EQ(devices.superseded(), row.superseded) << row.why;
    EXPECT_EQ(devices.unreadable(), row.unreadable) << row.why;
  }
}

TEST(Selection, AsksOnlyWhatIsListed) {
  DeviceReader reader(TestLanguage());
  reader(Slice({"z", 1}, {"old"}));
  reader(Slice({"y", 2}, {"a", "b"}));
  const DeviceList devices(reader.Take(), {});
  const Result<Selection> selection = Select(
      {{.title = "s", .text = R"(device.attributes["d"].model == "b")"}}, devices, TestLanguage());
  ASSERT_TRUE(selection) << selection.error().ToString();
  EXPECT_EQ(selection->matched, 1U);
  EXPECT_EQ(selection->unmatched, 1U);
  EXPECT_EQ(selection->verdicts[1], selector::Verdict::kMatch);
}

TEST(Selection, NamesTheAttributeThatWasMeant) {
  DeviceReader reader(TestLanguage());
  reader(Slice({"z"}, {"a", "b"}));
  const DeviceList devices(reader.Take(), {});
  const Result<Selection> selection = Select(
      {{.title = "s", .text = R"(device.attributes["d"].modle == "b")"}}, devices, TestLanguage());
  ASSERT_TRUE(selection) << selection.error().ToString();
  EXPECT_EQ(selection->failed, 2U);
  EXPECT_EQ(selection->hints,
            std::vector<std::string>{R"(attribute d/modle is on 0 of 2 devices; "model" is on 2)"});
}

}  // namespace
}  // namespace quadra::inspection
