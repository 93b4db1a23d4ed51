#include "net/message.h"

#include <gtest/gtest.h>

namespace quadra::net {
namespace {

TEST(Headers, AreFoundByLowerCaseAndCannotForgeLines) {
  Headers headers = {{"Content-Type", "text/plain"}, {"X", "first"}, {"x", "second"}};
  headers.Add("Evil", "a\r\nset-cookie: b");
  EXPECT_EQ(headers.Find("content-type"), "text/plain");
  EXPECT_EQ(headers.Find("x"), "first");
  EXPECT_EQ(headers.Find("evil"), "a  set-cookie: b");
  EXPECT_EQ(headers.Find("none"), std::nullopt);
  EXPECT_EQ(headers.size(), 4U);
}

TEST(Message, StatusesHaveNames) {
  EXPECT_EQ(ReasonPhrase(404), "Not Found");
  EXPECT_EQ(ReasonPhrase(299), "status 299");
  EXPECT_TRUE(HasBody("GET", 200));
  EXPECT_FALSE(HasBody("HEAD", 200));
  EXPECT_FALSE(HasBody("GET", 204));
}

}  // namespace
}  // namespace quadra::net
