#include "json/manifest.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace quadra::json {
namespace {

// All objects, one a line as "line:column json", and then the error if there was one.
std::string Objects(std::string text) {
  std::string out;
  const Status status =
      ReadManifestText("f", std::move(text), [&out](const Manifest& manifest) -> Status {
        out += std::to_string(manifest.start().line) + ":" +
               std::to_string(manifest.start().column) + " " + std::string(manifest.json()) + "\n";
        return {};
      });
  return status ? out : out + status.error().ToString();
}

struct Row {
  std::string_view text;
  std::string_view expected;
};

TEST(Manifest, ObjectsComeOneByOne) {
  const Row rows[] = {
      {R"({"kind":"A"})", "1:1 {\"kind\":\"A\"}\n"},
      {"\xEF\xBB\xBF\n {\"kind\":\"A\"}\n{\"kind\":\"B\"}",
       "2:2 {\"kind\":\"A\"}\n3:1 {\"kind\":\"B\"}\n"},
      {"kind: A\n---\nkind: B\n", "1:1 {\"kind\":\"A\"}\n3:1 {\"kind\":\"B\"}\n"},
      {"---\n# c\n---\nkind: A\r\n--- # x\r\n\r\nkind: B\r\n---\n",
       "4:1 {\"kind\":\"A\"}\n7:1 {\"kind\":\"B\"}\n"},
      {"{\"kind\":\"A\"}\n---\nkind: B\n", "1:1 {\"kind\":\"A\"}\n3:1 {\"kind\":\"B\"}\n"},
      {"{kind: A, x: [y]}", "1:1 {\"kind\":\"A\",\"x\":[true]}\n"},
      {"z: 1\nkind: A\nitems: [1]\n", "1:1 {\"items\":[1],\"kind\":\"A\",\"z\":1}\n"},
      {"<<: {a: 1}\nkind: A\n", "1:1 {\"a\":1,\"kind\":\"A\"}\n"},
      {"1: a\nkind: A\n", "1:1 {\"1\":\"a\",\"kind\":\"A\"}\n"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Objects(std::string(row.text)), row.expected) << row.text;
  }
}

TEST(Manifest, ListsComeOutAsTheirItems) {
  const Row rows[] = {
      {R"({"items":[{"kind":"A"}, {"kind":"B"}],"kind":"List"})",
       "1:11 {\"kind\":\"A\"}\n1:25 {\"kind\":\"B\"}\n"},
      {R"({"kind":"List","items":[]})", ""},
      {"items:\n- kind: A\n  x: 1\n- kind: B\nkind: List\n",
       "2:3 {\"kind\":\"A\",\"x\":1}\n4:3 {\"kind\":\"B\"}\n"},
      {"kind: PodList\napiVersion: v1\nitems:\n- spec: {}\n- {}\n",
       "4:3 {\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{}}\n5:3 "
       "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}\n"},
      {R"({"kind":"PodList","apiVersion":"v1","items":[{"kind":"X"}]})",
       "1:46 {\"apiVersion\":\"v1\",\"kind\":\"X\"}\n"},
      {"kind: List\nitems:\n- kind: List\n  items:\n  - kind: A\n  - kind: B\n",
       "5:5 {\"kind\":\"A\"}\n6:5 {\"kind\":\"B\"}\n"},
      {R"({"kind":"List","items":[{"kind":"List","items":[{"kind":"A"}]}]})",
       "1:49 {\"kind\":\"A\"}\n"},
      {"kind: List\nitems:\n- &a {kind: A}\n- *a\n",
       "3:3 {\"kind\":\"A\"}\n4:3 {\"kind\":\"A\"}\n"},
      {"kind: List\nitems: &x\n- kind: A\n", "3:3 {\"kind\":\"A\"}\n"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Objects(std::string(row.text)), row.expected) << row.text;
  }
}

TEST(Manifest, BadInputIsOneClearError) {
  const Row rows[] = {
      {"", "f:1:1: the file is empty; write an object with apiVersion and kind into it"},
      {" \n", "f:1:1: the file is empty; write an object with apiVersion and kind into it"},
      {"# c\n---\n",
       "f:1:1: the file holds comments only; write an object with apiVersion and kind into it"},
      {"\xFF\xFE{\0", "f:1:1: the file is UTF-16; save it as UTF-8"},
      {"{\"kind\":\"A\"", "f:1:12: invalid JSON: expected ',' or '}', but the text ends"},
      {"{\"kind\":\n\"A\xFF\"}", "f:2:3: invalid JSON: the byte 0xFF is not valid UTF-8"},
      {"{\"a\":1}\n{\"b\":2}\n{\"c\":}\n",
       "1:1 {\"a\":1}\n2:1 {\"b\":2}\nf:3:6: invalid JSON: expected a value, found '}'"},
      {"[1]",
       "f:1:1: this is no object; write an object with apiVersion and kind, or several under items "
       "of a List"},
      {"just text",
       "f:1:1: this is no object; write an object with apiVersion and kind, or several under items "
       "of a List"},
      {"kind: List\nitems:\n- 1\n",
       "f:3:3: an item of the List is no object; write an object with apiVersion and kind"},
      {"kind: A\n--- b\n",
       "f:2:5: something stands behind the --- between two documents; put it on a line of its own"},
      {"a: 1\n---\na:\n\t- b",
       "1:1 {\"a\":1}\nf: invalid YAML at line 4, column 1: a value cannot start with this "
       "character; indent with spaces "
       "instead of tabs, and put quotes around text that starts with @, ` or %"},
      {"a: \xFF", "f: invalid YAML at line 1, column 4: invalid leading UTF-8 octet"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Objects(std::string(row.text)), row.expected) << row.text;
  }
  EXPECT_NE(Objects(std::string(20'000, '[')).find("nested more than 10000 deep"),
            std::string::npos);
  EXPECT_NE(Objects("{\"a\":" + std::string(20'000, '[')).find("f:1:10005"), std::string::npos);
}

TEST(Manifest, ObjectsAreLimitedButListsAreNot) {
  const std::string filler(kMaxObjectBytes / 2, 'x');
  const std::string item = R"({"kind":"A","f":")" + filler + R"("})";
  const std::string list = R"({"items":[)" + item + "," + item + "," + item + R"(],"kind":"List"})";
  EXPECT_TRUE(Objects(list).ends_with(item + "\n"));
  EXPECT_GT(Objects(list).size(), 3 * item.size());
  EXPECT_NE(Objects(R"({"kind":"A","f":")" + filler + filler + R"("})").find("more than the 3 MB"),
            std::string::npos);
  EXPECT_NE(Objects("kind: A\nf: " + filler + filler + "\n").find("more than the 3 MB"),
            std::string::npos);
}

// Where each field of `fields` stands in the only object of `text`.
std::string Located(std::string text, const std::vector<std::string_view>& fields) {
  std::string out;
  const Status status =
      ReadManifestText("f", std::move(text), [&](const Manifest& manifest) -> Status {
        for (const std::string_view field : fields) {
          const Position position = manifest.Locate(field);
          out += std::to_string(position.line) + ":" + std::to_string(position.column) + " ";
        }
        return {};
      });
  EXPECT_TRUE(status);
  return out;
}

TEST(Manifest, FieldsAreLocated) {
  const std::vector<std::string_view> fields = {"",
                                                "spec",
                                                "spec.devices[1].name",
                                                "spec.attributes[a.b/c].string",
                                                "spec.missing.deep",
                                                "spec.devices[7]",
                                                "spec.a.b"};
  EXPECT_EQ(
      Located("{\n \"spec\": {\n  \"devices\": [{}, {\"name\": 1}],\n  \"attributes\": {\"a.b/c\": "
              "{\"string\": 1}}, \"a.b\": 1}}",
              fields),
      "1:1 2:2 3:20 4:28 2:2 3:3 4:43 ");
  EXPECT_EQ(Located("kind: List\nitems:\n- spec:\n    devices:\n    - {}\n    - name: 1\n    "
                    "attributes:\n      a.b/c: "
                    "{string: 1}\n    a.b: 1\n",
                    fields),
            "3:3 3:3 6:7 8:15 3:3 4:5 9:5 ");
}

TEST(Manifest, KeysThatStandTwiceAreLocatedWhereTheyStandAgain) {
  EXPECT_EQ(
      Located("{\"a\": 1,\n\"b\": {\"c\": 1, \"c\": 2},\n\"a\": 2,\n \"a\": 3}", {"a", "b.c"}),
      "3:1 2:15 ");
  EXPECT_EQ(Located("{\"a\": {},\n\"a\": {\"x\": 1}}", {"a.x", "a.y"}), "2:7 1:2 ")
      << "inside either of them";
  EXPECT_EQ(Located("a: 1\nb: {c: 1, c: 2}\na: 2\n", {"a", "b.c"}), "3:1 2:11 ");
}

TEST(Manifest, DuplicateKeysOfYamlAreListed) {
  const Status status = ReadManifestText(
      "f", "kind: List\nitems:\n- a: {b: 1, b: 2}\n---\nc: 1\nd: [{e: 1, e: 2}]\nc: 2\n",
      [](const Manifest& manifest) -> Status {
        const auto& found = manifest.duplicates();
        if (manifest.document() == 1) {
          EXPECT_EQ(found.size(), 1U);
          EXPECT_EQ(found[0].path, "a.b");
          EXPECT_EQ(found[0].position, (Position{3, 13}));
        } else {
          EXPECT_EQ(found.size(), 2U);
          EXPECT_EQ(found[0].path, "d[0].e");
          EXPECT_EQ(found[1].path, "c");
          EXPECT_EQ(found[1].position, (Position{7, 1}));
        }
        return {};
      });
  EXPECT_TRUE(status);
}

TEST(Manifest, ObjectsWithoutASeparatorBetweenThemAreAnError) {
  struct Text {
    std::string_view text;
    std::string_view error;  // empty: none
  };
  const Text rows[] = {
      {"kind: List\nitems: [{kind: A}]\nitems: [{kind: B}]\n", "f:3:1: items stands twice"},
      {"apiVersion: v1\nkind: A\nb: 1\napiVersion: v1\nkind: B\n",
       "f:4:1: apiVersion stands twice"},
      {"kind: A\n---\nkind: A\na: {b: 1, b: 2}\napiVersion: v1\nkind: B\napiVersion: v1\n",
       "f:6:1: kind stands twice"},
      {"apiVersion: v1\nkind: A\nkind: B\n", ""},
      {"kind: List\nitems: [{kind: A, items: 1, items: 2}]\n", ""},
  };
  for (const auto& [text, error] : rows) {
    const Status read =
        ReadManifestText("f", std::string(text), [](const auto&) { return Status(); });
    EXPECT_EQ(read.has_value(), error.empty()) << text;
    EXPECT_TRUE(read || read.error().ToString().starts_with(error)) << read.error().ToString();
  }
}

TEST(Manifest, DuplicateKeysOfItemsAreListedWhereTheListIsReadWhole) {
  const Status status =
      ReadManifestText("f", "? kind\n: List\nitems:\n- kind: A\n  b: {c: 1, c: 2}\n&x z: *x\n",
                       [](const Manifest& manifest) -> Status {
                         EXPECT_EQ(manifest.duplicates().size(), 1U);
                         EXPECT_EQ(manifest.duplicates()[0].path, "b.c");
                         return {};
                       });
  EXPECT_TRUE(status) << status.error().ToString();
}

class ManifestFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(root_ / "sub");
    std::filesystem::create_directories(root_ / "none");
    Write("b.yaml");
    Write("a.json");
    Write("c.txt");
    Write("sub/d.yml");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& name) { std::ofstream(root_ / name) << "{\"kind\":\"A\"}"; }

  std::string Found(const std::string& path, bool recursive) {
    const auto files = FindManifestFiles(path, {.recursive = recursive});
    if (!files) {
      return files.error().ToString();
    }
    std::string out;
    for (const std::string& file : *files) {
      out += std::filesystem::path(file).filename().string() + " ";
    }
    return out;
  }

  const std::filesystem::path root_ = std::filesystem::temp_directory_path() /
                                      ("quadra_manifest_test_" + std::to_string(::getpid()));
};

TEST_F(ManifestFiles, DirectoriesStandForTheirManifests) {
  EXPECT_EQ(Found(root_, false), "a.json b.yaml ");
  EXPECT_EQ(Found(root_, true), "a.json b.yaml d.yml ");
  EXPECT_EQ(Found(root_ / "c.txt", false), "c.txt ");
  EXPECT_EQ(Found(root_ / "none", false),
            (root_ / "none").string() +
                ": no .json, .yaml or .yml file is in this directory; look into its "
                "subdirectories with -R");
  EXPECT_EQ(Found(root_ / "gone", false),
            (root_ / "gone").string() + ": there is no such file or directory; check the path");
}

TEST_F(ManifestFiles, FilesAreRead) {
  const auto sink = [](const Manifest& manifest) -> Status {
    EXPECT_EQ(manifest.json(), R"({"kind":"A"})");
    return {};
  };
  EXPECT_TRUE(ReadManifests((root_ / "a.json").string(), sink));
  EXPECT_EQ(ReadManifests((root_ / "gone").string(), sink).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(ReadManifests(root_.string(), sink).error().kind, ErrorKind::kUnreadable);
}

TEST(Manifest, TheSinkMayEndTheReading) {
  int seen = 0;
  const Status status =
      ReadManifestText("f", "a: 1\n---\nb: 2\n", [&seen](const Manifest&) -> Status {
        ++seen;
        return Fail(ErrorKind::kInvalid, "enough");
      });
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(status.error().message, "enough");
}

}  // namespace
}  // namespace quadra::json
