// Frames of h2, written by hand for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nghttp2/nghttp2.h>

namespace quadra::net {

// Of nghttp2's type; the size is what it claims to have, be it true or not.
inline std::string FrameHead(std::size_t size, int type, int flags, std::uint32_t stream) {
  const auto byte = [](auto number, int shift) { return static_cast<char>(number >> shift); };
  return {byte(size, 16),   byte(size, 8),    byte(size, 0),   byte(type, 0),  byte(flags, 0),
          byte(stream, 24), byte(stream, 16), byte(stream, 8), byte(stream, 0)};
}

inline std::string Frame(int type, int flags, std::uint32_t stream, std::string_view payload) {
  return FrameHead(payload.size(), type, flags, stream).append(payload);
}

// Four bytes, as error codes and streams are written.
inline std::string Number(std::uint32_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16),
          static_cast<char>(number >> 8), static_cast<char>(number)};
}

inline constexpr int kEndHeaders = NGHTTP2_FLAG_END_HEADERS;
inline constexpr int kEnd = NGHTTP2_FLAG_END_HEADERS | NGHTTP2_FLAG_END_STREAM;

// Settings of no peculiarity, which both ends send first; the client's begin with a preface.
inline std::string H2Settings() { return Frame(NGHTTP2_SETTINGS, 0, 0, ""); }
inline std::string H2Preface() { return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + H2Settings(); }

// Requests for https://h/: a whole one, and one whose body is to come.
inline std::string H2Get(std::uint32_t stream) {
  return Frame(NGHTTP2_HEADERS, kEnd, stream, "\x82\x87\x84\x01\x01h");
}
inline std::string H2PostBegun(std::uint32_t stream) {
  return Frame(NGHTTP2_HEADERS, kEndHeaders, stream, "\x83\x87\x84\x01\x01h");
}
inline std::string H2Reset(std::uint32_t stream, std::uint32_t error_code) {
  return Frame(NGHTTP2_RST_STREAM, 0, stream, Number(error_code));
}

}  // namespace quadra::net
