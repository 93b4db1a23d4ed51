#include "measure.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

namespace quadra::bench {

std::string ReadData(const std::string& name) {
  const char* folder =
      std::getenv("QUADRA_BENCH_DATA");  // NOLINT(concurrency-mt-unsafe): no threads yet
  const std::string path = (folder == nullptr ? "bench/data" : std::string(folder)) + "/" + name;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "bench: " << path << " cannot be read; run bench/run\n";
    std::exit(1);  // NOLINT(concurrency-mt-unsafe): no threads yet
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace quadra::bench

BENCHMARK_MAIN();
