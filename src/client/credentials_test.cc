#include "client/credentials.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "client/plugin_credentials.h"
#include "net/certificates.h"

namespace quadra::client {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const Time kStart(std::chrono::hours(24 * 365 * 50));

class CredentialsTest : public testing::Test {
 protected:
  TokenFile::Read Reader() {
    return [this](const std::string& path) -> Result<std::string> {
      ++reads_;
      const auto found = files_.find(path);
      return found == files_.end() ? Fail(ErrorKind::kNotFound, "no such file")
                                   : Result<std::string>(found->second);
    };
  }
  // Where certificates go.
  std::function<void(const net::Credential&)> Used() {
    return [this](const net::Credential& credential) { used_.push_back(credential.certificate); };
  }

  ManualClock clock_{kStart};
  std::map<std::string, std::string> files_;
  std::vector<std::string> used_;
  int reads_ = 0;
};

TEST_F(CredentialsTest, TokenFilesAreReadAgainEveryMinute) {
  files_["/t"] = " one\n";
  TokenFile token("/t", Reader(), clock_);
  EXPECT_EQ(token.Token(), "one");
  files_["/t"] = "two";
  clock_.Advance(seconds(59));
  EXPECT_EQ(token.Token(), "one");
  EXPECT_EQ(reads_, 1);
  clock_.Advance(seconds(1));
  EXPECT_EQ(token.Token(), "two");
}

TEST_F(CredentialsTest, TheLastTokenCountsWhileTheFileIsGoneOrEmpty) {
  TokenFile token("/t", Reader(), clock_, "fallback");
  EXPECT_EQ(token.Token(), "fallback");
  files_["/t"] = "one";
  clock_.Advance(minutes(1));
  EXPECT_EQ(token.Token(), "one");
  for (const std::string text : {"", "\n"}) {
    files_["/t"] = text;
    clock_.Advance(minutes(1));
    EXPECT_EQ(token.Token(), "one");
  }
}

TEST_F(CredentialsTest, ARefusedTokenIsWorthAnotherTryWhereTheFileHasAnother) {
  files_["/t"] = "one";
  TokenFile token("/t", Reader(), clock_);
  EXPECT_EQ(token.Token(), "one");
  EXPECT_FALSE(token.Renew());
  files_["/t"] = "two";
  EXPECT_TRUE(token.Renew());
  EXPECT_EQ(token.Token(), "two");
  FixedToken fixed("fixed");
  EXPECT_FALSE(fixed.Renew());
}

TEST_F(CredentialsTest, CertificateFilesAreUsedOnceBothHaveChanged) {
  const Time now = SystemClock().Now();
  const net::Credential authority = *net::MakeAuthority("test", now);
  const net::Credential first = *net::IssueClient(authority, {"ann", {}}, now);
  const net::Credential second = *net::IssueClient(authority, {"ann", {}}, now);
  files_ = {{"/c", first.certificate}, {"/k", first.key}};
  CertificateFiles files("/c", "/k", first, Reader(), Used(), clock_);
  clock_.Advance(minutes(1));
  files.Look();
  files_["/c"] = second.certificate;
  files.Look();
  clock_.Advance(minutes(1));
  files.Look();
  EXPECT_EQ(used_, std::vector<std::string>()) << "the key is still the old one";
  files_["/k"] = second.key;
  clock_.Advance(minutes(1));
  files.Look();
  files.Look();
  EXPECT_EQ(used_, std::vector<std::string>{second.certificate});
  EXPECT_EQ(reads_, 6);
}

// ---- Plugins.

class PluginCredentialsTest : public CredentialsTest {
 protected:
  // Tokens t1, t2, … that last for ten minutes.
  PluginCredentials::Ask Counting() {
    return [this](const std::atomic<bool>&) -> Result<PluginAnswer> {
      ++asked_;
      if (fails_) {
        return Fail(ErrorKind::kUnreadable, "no");
      }
      return PluginAnswer{
          .token = "t" + std::to_string(asked_), .certificate = std::nullopt, .expires = expires_};
    };
  }
  PluginCredentials Make(std::optional<Time> expires) {
    return {{.token = "t0", .certificate = std::nullopt, .expires = expires},
            Counting(),
            Used(),
            clock_};
  }

  std::atomic<int> asked_ = 0;
  std::atomic<bool> fails_ = false;
  std::optional<Time> expires_;
};

TEST_F(PluginCredentialsTest, WhatDoesNotExpireIsNotAskedForAgain) {
  PluginCredentials credentials = Make(std::nullopt);
  clock_.Advance(std::chrono::hours(1000));
  EXPECT_EQ(credentials.Token(), "t0");
  EXPECT_EQ(asked_, 0);
}

TEST_F(PluginCredentialsTest, WhatHasExpiredIsAskedForBeforeTheRequest) {
  PluginCredentials credentials = Make(kStart + minutes(10));
  clock_.Advance(minutes(8));
  EXPECT_EQ(credentials.Token(), "t0");
  EXPECT_EQ(asked_, 0);
  clock_.Advance(minutes(2));
  expires_ = kStart + minutes(20);
  EXPECT_EQ(credentials.Token(), "t1");
  EXPECT_EQ(credentials.Token(), "t1");
  EXPECT_EQ(asked_, 1);
}

TEST_F(PluginCredentialsTest, WhatExpiresSoonIsAskedForWhileTheOldOneStillCounts) {
  {
    PluginCredentials credentials = Make(kStart + minutes(10));
    expires_ = kStart + minutes(20);
    clock_.Advance(minutes(9));
    const std::string token = credentials.Token();
    EXPECT_TRUE(token == "t0" || token == "t1") << token;
  }  // waits for whoever asks
  EXPECT_EQ(asked_, 1);
}

TEST_F(PluginCredentialsTest, APluginThatFailsIsNotAskedAllTheTime) {
  fails_ = true;
  PluginCredentials credentials = Make(kStart + minutes(1));
  clock_.Advance(minutes(1));
  EXPECT_EQ(credentials.Token(), "t0");
  EXPECT_EQ(credentials.Token(), "t0");
  EXPECT_FALSE(credentials.Renew());
  EXPECT_EQ(asked_, 1);
  clock_.Advance(seconds(10));
  fails_ = false;
  EXPECT_EQ(credentials.Token(), "t2");
}

TEST_F(PluginCredentialsTest, WhatIsRefusedIsAskedForAgain) {
  PluginCredentials credentials = Make(std::nullopt);
  EXPECT_TRUE(credentials.Renew());
  EXPECT_EQ(credentials.Token(), "t1");
}

TEST_F(PluginCredentialsTest, TellsOfAnotherCertificate) {
  const Time now = SystemClock().Now();
  const net::Credential authority = *net::MakeAuthority("test", now);
  const net::Credential ann = *net::IssueClient(authority, {"ann", {}}, now);
  PluginCredentials credentials(
      {}, [&](const std::atomic<bool>&) { return PluginAnswer{.token = "", .certificate = ann}; },
      Used(), clock_);
  EXPECT_TRUE(credentials.Renew());
  EXPECT_FALSE(credentials.Renew());
  EXPECT_EQ(used_, std::vector<std::string>{ann.certificate});
}

}  // namespace
}  // namespace quadra::client
