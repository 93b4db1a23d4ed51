#include "apiserver/state_files.h"

#include <charconv>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/base64.h"

namespace quadra::apiserver {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kPrivate = fs::perms::owner_read | fs::perms::owner_write;

tl::unexpected<Error> CannotWrite(const fs::path& file, const std::error_code& error) {
  return Fail(
      Error{.kind = ErrorKind::kUnreadable,
            .message = fmt::format("{} cannot be written: {}", file.string(), error.message()),
            .remedy = "check its directory, or choose another with --data-dir"});
}

// Whole or not at all.
Status WriteFile(const fs::path& file, std::string_view text) {
  const fs::path fresh = file.string() + ".new";
  std::error_code error;
  fs::remove(fresh, error);
  std::ofstream out(fresh, std::ios::binary);
  fs::permissions(fresh, kPrivate, error);
  if (error) {
    return CannotWrite(file, error);
  }
  out << text << std::flush;
  if (!out) {
    return CannotWrite(file, std::make_error_code(std::errc::io_error));
  }
  out.close();
  fs::rename(fresh, file, error);
  return error ? Status(CannotWrite(file, error)) : Status();
}

std::optional<std::string> ReadFile(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string InBase64(std::string_view text) {
  std::string encoded;
  AppendBase64(encoded, text);
  return encoded;
}

Status MakeDirectory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error) {
    fs::permissions(directory, fs::perms::owner_all, error);
  }
  return error ? Status(CannotWrite(directory, error)) : Status();
}

}  // namespace

Result<StateFiles> StateFiles::Open(const fs::path& directory) {
  QUADRA_RETURN_IF_ERROR(MakeDirectory(directory));
  QUADRA_RETURN_IF_ERROR(MakeDirectory(directory / "pki"));
  return StateFiles(directory);
}

Result<net::Credential> StateFiles::Authority(Time now) const {
  const fs::path certificate = directory_ / "pki" / "ca.crt";
  const fs::path key = directory_ / "pki" / "ca.key";
  std::optional<std::string> has_certificate = ReadFile(certificate);
  std::optional<std::string> has_key = ReadFile(key);
  if (has_certificate && has_key) {
    net::Credential known{.certificate = *std::move(has_certificate), .key = *std::move(has_key)};
    if (Status checked = net::CheckCredential(known); !checked) {
      return Fail(
          Error{.kind = ErrorKind::kInvalid,
                .message = fmt::format("{}: {}", certificate.string(), checked.error().message),
                .remedy = fmt::format("remove {} to have a new one made; clients then need "
                                      "the new kubeconfig",
                                      (directory_ / "pki").string())});
    }
    return known;
  }
  QUADRA_TRY(net::Credential made, net::MakeAuthority("quadra", now));
  QUADRA_RETURN_IF_ERROR(WriteFile(key, made.key));
  QUADRA_RETURN_IF_ERROR(WriteFile(certificate, made.certificate));
  return made;
}

bool StateFiles::HasLostDatabase() const {
  std::error_code ignored;
  const bool was_here = fs::exists(directory_ / "pki" / "ca.crt", ignored);
  const bool has_database =
      fs::exists(database(), ignored) && fs::file_size(database(), ignored) > 0;
  return was_here && !has_database;
}

Status StateFiles::MakeSigningKey() const {
  const fs::path private_key = directory_ / "pki" / "sa.key";
  if (ReadFile(private_key)) {
    return {};
  }
  QUADRA_TRY(const net::SigningKey key, net::MakeSigningKey(net::KeyType::kEcP256));
  QUADRA_RETURN_IF_ERROR(WriteFile(directory_ / "pki" / "sa.pub", key.public_key));
  return WriteFile(private_key, key.private_key);
}

std::optional<std::uint16_t> StateFiles::LastPort() const {
  const std::string text = ReadFile(directory_ / "port").value_or("");
  std::uint16_t port = 0;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port == 0 ? std::nullopt : std::optional(port);
}

Status StateFiles::KeepPort(std::uint16_t port) const {
  return WriteFile(directory_ / "port", fmt::format("{}\n", port));
}

Status StateFiles::KeepProcess() const {
  return WriteFile(directory_ / "quadra.pid", fmt::format("{}\n", ::getpid()));
}

Status StateFiles::WriteKubeconfig(std::string_view server, std::string_view authority,
                                   const net::Credential& client) const {
  return WriteFile(kubeconfig(), fmt::format(
                                     R"(apiVersion: v1
kind: Config
current-context: quadra
clusters:
- name: quadra
  cluster:
    server: {}
    certificate-authority-data: {}
users:
- name: admin
  user:
    client-certificate-data: {}
    client-key-data: {}
contexts:
- name: quadra
  context:
    cluster: quadra
    user: admin
)",
                                     server, InBase64(authority), InBase64(client.certificate),
                                     InBase64(client.key)));
}

void StateFiles::RemoveKubeconfig() const {
  std::error_code ignored;
  fs::remove(kubeconfig(), ignored);
}

void StateFiles::RemoveProcess() const {
  std::error_code ignored;
  fs::remove(directory_ / "quadra.pid", ignored);
}

}  // namespace quadra::apiserver
