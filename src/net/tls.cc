#include "net/tls.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>
#include <openssl/err.h>

#include "base/check.h"

namespace quadra::net {

// The two queues of a TlsStream as the source and the sink that OpenSSL reads and writes.
struct TlsBio {
  static TlsStream& StreamOf(BIO* bio) { return *static_cast<TlsStream*>(BIO_get_data(bio)); }

  static int Read(BIO* bio, char* data, int size) {
    std::string_view& incoming = StreamOf(bio).incoming_;
    BIO_clear_retry_flags(bio);
    if (incoming.empty()) {
      BIO_set_retry_read(bio);
      return -1;
    }
    const std::size_t part = std::min(incoming.size(), static_cast<std::size_t>(size));
    std::memcpy(data, incoming.data(), part);
    incoming.remove_prefix(part);
    return static_cast<int>(part);
  }

  static int Write(BIO* bio, const char* data, int size) {
    StreamOf(bio).outgoing_.append(data, static_cast<std::size_t>(size));
    return size;
  }

  static long Control(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  static const BIO_METHOD* Method() {
    static const BIO_METHOD* const method = [] {
      BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "stream");
      BIO_meth_set_read(made, Read);
      BIO_meth_set_write(made, Write);
      BIO_meth_set_ctrl(made, Control);
      return made;
    }();
    return method;
  }

  static BIO* Make(TlsStream& stream) {
    BIO* const bio = BIO_new(Method());
    BIO_set_data(bio, &stream);
    BIO_set_init(bio, 1);
    return bio;
  }
};

namespace {

constexpr std::string_view kHttp2 = "h2";
constexpr std::string_view kHttp1 = "http/1.1";
// Forward secrecy and authenticated encryption, which is what h2 demands of TLS 1.2.
constexpr const char* kTls12Ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr std::size_t kRecordBytes = 16 << 10;

Result<OwnedSslContext> MakeContext(const SSL_METHOD* method) {
  OwnedSslContext context(SSL_CTX_new(method));
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(context.get(), kTls12Ciphers) != 1) {
    return Fail(OpenSslError("preparing TLS"));
  }
  SSL_CTX_set_options(context.get(),
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_num_tickets(context.get(), 0);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
  return context;
}

Status UseCredential(SSL_CTX* context, const Credential& credential) {
  QUADRA_TRY(const std::vector<OwnedCertificate> certificates,
             ParseCertificates(credential.certificate, "the certificate"));
  QUADRA_TRY(const OwnedKey key, ParseKey(credential.key, "the key"));
  bool used = SSL_CTX_use_certificate(context, certificates.front().get()) == 1;
  for (std::size_t i = 1; used && i < certificates.size(); ++i) {
    used = SSL_CTX_add1_chain_cert(context, certificates[i].get()) == 1;
  }
  if (!used) {
    return Fail(OpenSslError("the certificate cannot be used"));
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return Fail(OpenSslError("the key does not belong to the certificate"));
  }
  return {};
}

Status Trust(SSL_CTX* context, std::string_view authorities) {
  QUADRA_TRY(const std::vector<OwnedCertificate> certificates,
             ParseCertificates(authorities, "the file of authorities"));
  for (const OwnedCertificate& certificate : certificates) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get()) != 1 ||
        SSL_CTX_add_client_CA(context, certificate.get()) != 1) {
      return Fail(OpenSslError("an authority cannot be used"));
    }
  }
  return {};
}

// Whom a client believes.
Status TrustServers(SSL_CTX* context, const TlsContext::ClientSide& side) {
  if (side.system_authorities && SSL_CTX_set_default_verify_paths(context) != 1) {
    return Fail(OpenSslError("the authorities of this machine cannot be used"));
  }
  if (side.system_authorities && side.authorities.empty()) {
    return {};
  }
  return Trust(context, side.authorities);
}

// The verdict stays with the connection; a certificate that is not trusted does not end it.
int JudgeLater(X509_STORE_CTX* judged, void* /*context*/) {
  X509_verify_cert(judged);
  ERR_clear_error();
  return 1;
}

std::string AlpnList(const std::vector<std::string>& protocols) {
  std::string list;
  for (const std::string& protocol : protocols) {
    list += static_cast<char>(protocol.size());
    list += protocol;
  }
  return list;
}

const std::string& ServerProtocols() {
  static const std::string list = AlpnList({std::string(kHttp2), std::string(kHttp1)});
  return list;
}

const unsigned char* AsBytes(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

int ChooseProtocol(SSL* /*ssl*/, const unsigned char** chosen, unsigned char* chosen_size,
                   const unsigned char* offered, unsigned int offered_size, void* /*context*/) {
  const std::string& ours = ServerProtocols();
  unsigned char* found = nullptr;
  const int verdict =
      SSL_select_next_proto(&found, chosen_size, AsBytes(ours),
                            static_cast<unsigned int>(ours.size()), offered, offered_size);
  *chosen = found;
  return verdict == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

bool IsAddress(const std::string& name) {
  ASN1_OCTET_STRING* const address = a2i_IPADDRESS(name.c_str());
  ASN1_OCTET_STRING_free(address);
  ERR_clear_error();
  return address != nullptr;
}

void ExpectName(SSL* ssl, const std::string& name) {
  if (IsAddress(name)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name.c_str());
    return;
  }
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  SSL_set1_host(ssl, name.c_str());
  SSL_set_tlsext_host_name(ssl, name.c_str());
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::ForServer(
    const Credential& credential, std::string_view client_authorities) {
  QUADRA_TRY(OwnedSslContext context, MakeContext(TLS_server_method()));
  QUADRA_RETURN_IF_ERROR(UseCredential(context.get(), credential));
  SSL_CTX_set_alpn_select_cb(context.get(), ChooseProtocol, nullptr);
  if (!client_authorities.empty()) {
    QUADRA_RETURN_IF_ERROR(Trust(context.get(), client_authorities));
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_cert_verify_callback(context.get(), JudgeLater, nullptr);
  }
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(context), true, ""));
}

Result<std::shared_ptr<const TlsContext>> TlsContext::ForClient(const ClientSide& side) {
  QUADRA_TRY(OwnedSslContext context, MakeContext(TLS_client_method()));
  if (side.insecure) {
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  } else {
    QUADRA_RETURN_IF_ERROR(TrustServers(context.get(), side));
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  }
  if (side.credential) {
    QUADRA_RETURN_IF_ERROR(UseCredential(context.get(), *side.credential));
  }
  const std::string alpn = AlpnList(side.protocols);
  SSL_CTX_set_alpn_protos(context.get(), AsBytes(alpn), static_cast<unsigned int>(alpn.size()));
  return std::shared_ptr<const TlsContext>(
      new TlsContext(std::move(context), false, side.server_name));
}

OwnedSsl TlsContext::Open() const {
  OwnedSsl ssl(SSL_new(context_.get()));
  QUADRA_CHECK(ssl != nullptr, "a context that was prepared opens connections");
  if (server_) {
    SSL_set_accept_state(ssl.get());
  } else {
    SSL_set_connect_state(ssl.get());
    ExpectName(ssl.get(), server_name_);
  }
  return ssl;
}

TlsStream::TlsStream(const TlsContext& context) : ssl_(context.Open()) {
  BIO* const bio = TlsBio::Make(*this);
  SSL_set_bio(ssl_.get(), bio, bio);
}

Status TlsStream::Receive(std::string_view cipher, std::string& plain) {
  incoming_ = cipher;
  ERR_clear_error();
  if (!established_) {
    QUADRA_RETURN_IF_ERROR(Handshake());
  }
  std::array<char, kRecordBytes> record;
  while (established_ && !ended_) {
    const int got = SSL_read(ssl_.get(), record.data(), static_cast<int>(record.size()));
    if (got > 0) {
      plain.append(record.data(), static_cast<std::size_t>(got));
      continue;
    }
    const int why = SSL_get_error(ssl_.get(), got);
    if (why == SSL_ERROR_WANT_READ) {
      break;
    }
    ended_ = true;
    if (why != SSL_ERROR_ZERO_RETURN) {
      return Fail(Failure("reading"));
    }
  }
  return {};
}

Status TlsStream::Handshake() {
  const int done = SSL_do_handshake(ssl_.get());
  established_ = done == 1;
  if (established_ || SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ) {
    return {};
  }
  ended_ = true;
  return Fail(Failure("TLS handshake"));
}

Error TlsStream::Failure(std::string_view doing) const {
  const long verdict = SSL_get_verify_result(ssl_.get());
  Error error = OpenSslError(doing);
  error.kind = ErrorKind::kUnreadable;
  if (SSL_is_server(ssl_.get()) == 0 && verdict != X509_V_OK) {
    error.message += fmt::format(": {}", X509_verify_cert_error_string(verdict));
  }
  return error;
}

void TlsStream::Send(std::string_view plain) {
  if (plain.empty()) {
    return;
  }
  ERR_clear_error();
  SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size()));
}

void TlsStream::Close() {
  if (established_ && !ended_) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
  }
}

std::string_view TlsStream::Protocol() const {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

Peer TlsStream::PeerOf() const {
  Peer peer;
  X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
  if (certificate == nullptr) {
    return peer;
  }
  const long verdict = SSL_get_verify_result(ssl_.get());
  if (verdict == X509_V_OK) {
    peer.identity = SubjectOf(certificate);
    peer.fingerprint = FingerprintOf(certificate);
  } else {
    peer.distrust = X509_verify_cert_error_string(verdict);
  }
  return peer;
}

bool LooksLikeHttp(std::string_view first_bytes) {
  constexpr std::array<std::string_view, 5> kBeginnings = {"GET /", "HEAD ", "POST ", "PUT /",
                                                           "OPTIO"};
  return std::ranges::any_of(
      kBeginnings, [&](std::string_view beginning) { return first_bytes.starts_with(beginning); });
}

}  // namespace quadra::net
