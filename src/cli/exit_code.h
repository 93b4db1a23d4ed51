// The exit codes of every command. The numbers are a promise to scripts (docs/cli.md).
#pragma once

namespace quadra::cli {

enum class ExitCode {
  kYes = 0,
  kNo = 1,         // the answer is no: the API server would refuse something
  kUsage = 2,      // bad flags, or text that cannot be read as objects
  kFailed = 3,     // out of memory, or what we did not foresee: no answer at all
  kUnreached = 4,  // a cluster that does not answer, or does not let us
  kPartial = 5,    // answered from partial data
};

// What a command that met both `a` and `b` returns. Worst wins: kFailed, then kUsage,
// then kUnreached, then kPartial, then kNo.
constexpr ExitCode Worst(ExitCode a, ExitCode b) {
  constexpr auto kRank = [](ExitCode code) {
    switch (code) {
      case ExitCode::kYes:
        return 0;
      case ExitCode::kNo:
        return 1;
      case ExitCode::kPartial:
        return 2;
      case ExitCode::kUnreached:
        return 3;
      case ExitCode::kUsage:
        return 4;
      case ExitCode::kFailed:
        return 5;
    }
    return 5;
  };
  return kRank(a) < kRank(b) ? b : a;
}

}  // namespace quadra::cli
