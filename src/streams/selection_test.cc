#include "streams/selection.h"

#include <cstddef>
#include <string_view>

#include <gtest/gtest.h>

namespace quadra::streams {
namespace {

TEST(SelectionStream, QuestionsAndAnswers) {
  struct Row {
    std::string_view question, answer;
  };
  const Row rows[] = {
      {R"({"expression":"device.driver == \"d\"","device":{"driver":"d"}})",
       R"({"compile":"ok","result":true,"cost":3,"estimate":3})"},
      {R"({"expression":"1","as":"derived"})",
       R"({"compile":"ok","value":{"int":1},"cost":0,"estimate":0})"},
      {R"({"expression":"true","device":{"driver":"d","attributes":{"x":{}}}})",
       R"({"compile":"ok","error":"attribute x: unsupported attribute value","estimate":0})"},
      {"[]",
       R"({"compile":"input","line":4,"message":"the question must be a JSON object, not array"})"},
      {R"({"expression":"true","env":"old"})",
       R"({"compile":"input","line":5,"message":"env must be new or stored, not \"old\""})"},
      {"{}", R"({"compile":"input","line":6,"message":"expression is missing"})"},
  };
  SelectionAnswerer answerer(nullptr);
  std::size_t number = 0;
  for (const Row& row : rows) {
    EXPECT_EQ(answerer.Answer(row.question, ++number), row.answer);
  }
}

}  // namespace
}  // namespace quadra::streams
