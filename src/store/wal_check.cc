#include "store/wal_check.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace quadra::store {
namespace {

// As sqlite.org/fileformat2.html, section 4, has it: all numbers are big-endian.
constexpr std::size_t kHeaderSize = 32;
constexpr std::size_t kFrameHeaderSize = 24;
constexpr std::uint32_t kMagic = 0x377f0682;  // its last bit: sums are of big-endian words
constexpr std::size_t kSaltsAt = 16;
constexpr std::size_t kSummedOfHeader = 24;
constexpr std::size_t kSummedOfFrame = 8;

std::uint32_t BigEndian(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

struct Sum {
  bool big_endian = false;
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  void Add(std::string_view bytes) {
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      first += Word(bytes, at) + second;
      second += Word(bytes, at + 4) + first;
    }
  }
  std::uint32_t Word(std::string_view bytes, std::size_t at) const {
    const std::uint32_t number = BigEndian(bytes, at);
    return big_endian ? number : __builtin_bswap32(number);
  }
};

struct Header {
  std::size_t page_size = 0;
  std::string salts;
  Sum sum;
};

// Nothing where it is none, as in a log that was never begun.
bool ReadHeader(std::string_view bytes, Header& header) {
  if (bytes.size() < kHeaderSize || (BigEndian(bytes, 0) & ~1U) != kMagic) {
    return false;
  }
  header.page_size = BigEndian(bytes, 8);
  header.salts = bytes.substr(kSaltsAt, 8);
  header.sum.big_endian = (BigEndian(bytes, 0) & 1) != 0;
  header.sum.Add(bytes.substr(0, kSummedOfHeader));
  return header.sum.first == BigEndian(bytes, 24) && header.sum.second == BigEndian(bytes, 28) &&
         std::has_single_bit(header.page_size);
}

struct Frames {
  std::size_t good = 0;            // before the first that is not as it was written
  std::size_t commits_behind = 0;  // of the same log, from that one on
};

void Take(std::string_view frame, Header& header, Frames& frames, bool& intact) {
  const bool of_this_log = frame.substr(8, 8) == header.salts;
  if (intact) {
    header.sum.Add(frame.substr(0, kSummedOfFrame));
    header.sum.Add(frame.substr(kFrameHeaderSize));
    intact = of_this_log && header.sum.first == BigEndian(frame, 16) &&
             header.sum.second == BigEndian(frame, 20);
    frames.good += intact ? 1 : 0;
  }
  const bool commits = BigEndian(frame, 4) != 0;
  frames.commits_behind += !intact && of_this_log && commits ? 1 : 0;
}

Frames ReadFrames(std::istream& log, Header header) {
  Frames frames;
  bool intact = true;
  std::string frame(kFrameHeaderSize + header.page_size, '\0');
  while (log.read(frame.data(), static_cast<std::streamsize>(frame.size()))) {
    Take(frame, header, frames, intact);
  }
  return frames;
}

}  // namespace

Status CheckWal(const std::filesystem::path& file) {
  const std::string name = file.string() + "-wal";
  std::ifstream log(name, std::ios::binary);
  std::string start(kHeaderSize, '\0');
  Header header;
  if (!log.read(start.data(), static_cast<std::streamsize>(start.size())) ||
      !ReadHeader(start, header)) {
    return {};
  }
  const Frames frames = ReadFrames(log, std::move(header));
  if (frames.commits_behind <= 1) {
    return {};
  }
  return Fail(Error{
      .kind = ErrorKind::kUnreadable,
      .message = fmt::format("the store is damaged: its write-ahead log is not as it was written "
                             "from frame {} on, and {} commits stand behind that",
                             frames.good + 1, frames.commits_behind),
      .value = name,
      .remedy = "restore a backup with `quadra restore`; to go on without those writes, copy the "
                "directory and delete this file"});
}

}  // namespace quadra::store
