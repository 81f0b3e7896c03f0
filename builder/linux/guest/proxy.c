// Carries the connections to the machine's HTTP proxy to the page, over standard input and output; the proxy itself is
// gemini/shell/linux_proxy/. For the page, it also ends the TLS of clients, so that the page sees each request.
//
// A connection is a channel of frames. Either end sends at most WINDOW bytes of it until the other has returned credit, so a
// connection that waits stops no other.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mbedtls/asn1write.h>
#include <mbedtls/ecp.h>
#include <mbedtls/pem.h>
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>

#include "frames.h"

enum {
  // To the page.
  READY = 1, OPEN, GONE,
  // Both ways. END: no more data follows; a client may still read then.
  DATA = 16, END, CREDIT,
  // From the page: a host and a NUL, then the answer after which the client begins TLS with that host. One frame, because
  // the client may be faster than the next one.
  SECURE = 32,
};
enum { CONNECTIONS = 64, WINDOW = 1 << 17, CHUNK = 1 << 14, CERTIFICATE = 4096, HOST = 256, LEAVING_MS = 1000 };

struct connection {
  int used, fd, client_ended, page_ended, closing;
  uint16_t number, port;
  int64_t credit;
  // What the client hasn't taken yet. `begun` of it is in a TLS record that is partly sent.
  unsigned char *out;
  size_t outs, begun;
  int secure, handshaken;
  mbedtls_ssl_context ssl;
  mbedtls_ssl_config settings;
  mbedtls_x509_crt certificate;
};

static struct connection connections[CONNECTIONS];
static int listener;
static uint16_t last_number, own_port;
// One for all certificates, because an emulated processor takes long to make one.
static mbedtls_pk_context key;

// Debian's Mbed TLS was compiled for glibc, whose checked functions musl lacks.
void *__memcpy_chk(void *to, const void *from, size_t count, size_t size) { return memcpy(to, from, count); }
void *__memset_chk(void *at, int byte, size_t count, size_t size) { return memset(at, byte, count); }
int __printf_chk(int flag, const char *format, ...) { return 0; }
int __vsnprintf_chk(char *at, size_t count, int flag, size_t size, const char *format, va_list values) {
  return vsnprintf(at, count, format, values);
}
int __snprintf_chk(char *at, size_t count, int flag, size_t size, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(at, count, format, values);
  va_end(values);
  return length;
}

static int random_bytes(void *unused, unsigned char *bytes, size_t count) {
  while (count) {
    ssize_t done = getrandom(bytes, count, 0);
    if (done < 0 && errno != EINTR) return -1;
    if (done > 0) bytes += done, count -= done;
  }
  return 0;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// --- Certificates ---

static int make_key(mbedtls_pk_context *made) {
  mbedtls_pk_init(made);
  int failed = mbedtls_pk_setup(made, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
  return failed ? failed : mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, mbedtls_pk_ec(*made), random_bytes, NULL);
}

static int set_random_serial(mbedtls_x509write_cert *written) {
  unsigned char bytes[16];
  mbedtls_mpi serial;
  mbedtls_mpi_init(&serial);
  int failed = random_bytes(NULL, bytes, sizeof bytes);
  bytes[0] = (bytes[0] & 0x7f) | 1;
  if (!failed) failed = mbedtls_mpi_read_binary(&serial, bytes, sizeof bytes);
  if (!failed) failed = mbedtls_x509write_crt_set_serial(written, &serial);
  mbedtls_mpi_free(&serial);
  return failed;
}

static int begin(mbedtls_x509write_cert *written, const char *subject, int is_authority) {
  mbedtls_x509write_crt_init(written);
  mbedtls_x509write_crt_set_version(written, MBEDTLS_X509_CRT_VERSION_3);
  mbedtls_x509write_crt_set_md_alg(written, MBEDTLS_MD_SHA256);
  mbedtls_x509write_crt_set_subject_key(written, &key);
  mbedtls_x509write_crt_set_issuer_key(written, &key);
  int usage = is_authority ? MBEDTLS_X509_KU_KEY_CERT_SIGN | MBEDTLS_X509_KU_CRL_SIGN : MBEDTLS_X509_KU_DIGITAL_SIGNATURE;
  return mbedtls_x509write_crt_set_subject_name(written, subject)
    || mbedtls_x509write_crt_set_issuer_name(written, "CN=The proxy of this Linux")
    || mbedtls_x509write_crt_set_validity(written, "20200101000000", "20491231235959")
    || set_random_serial(written)
    || mbedtls_x509write_crt_set_basic_constraints(written, is_authority, is_authority ? 0 : -1)
    || mbedtls_x509write_crt_set_key_usage(written, usage)
    || mbedtls_x509write_crt_set_subject_key_identifier(written)
    || mbedtls_x509write_crt_set_authority_key_identifier(written);
}

// Makes the authority of this machine, whose key never leaves this process, and writes its certificate to a file.
static void make_authority(const char *path) {
  unsigned char text[CERTIFICATE];
  mbedtls_x509write_cert written;
  if (make_key(&key) || begin(&written, "CN=The proxy of this Linux", 1)
      || mbedtls_x509write_crt_pem(&written, text, sizeof text, random_bytes, NULL)) {
    fprintf(stderr, "the certificate of the proxy could not be made\n");
    exit(1);
  }
  mbedtls_x509write_crt_free(&written);
  FILE *file = fopen(path, "w");
  if (!file || fputs((char *)text, file) < 0 || fclose(file)) fail(path);
}

// Adds a name or address as SubjectAltName (RFC 5280, 4.2.1.6).
static int add_name(mbedtls_x509write_cert *written, const char *host) {
  static const char oid[] = "\x55\x1d\x11";
  unsigned char bytes[HOST + 16], address[16], *at = bytes + sizeof bytes;
  const void *name = address;
  size_t length = inet_pton(AF_INET, host, address) == 1 ? 4 : inet_pton(AF_INET6, host, address) == 1 ? 16 : 0;
  int tag = MBEDTLS_ASN1_CONTEXT_SPECIFIC | (length ? 7 : 2);
  if (!length) name = host, length = strlen(host);
  mbedtls_asn1_write_raw_buffer(&at, bytes, name, length);
  mbedtls_asn1_write_len(&at, bytes, length);
  mbedtls_asn1_write_tag(&at, bytes, tag);
  mbedtls_asn1_write_len(&at, bytes, bytes + sizeof bytes - at);
  mbedtls_asn1_write_tag(&at, bytes, MBEDTLS_ASN1_CONSTRUCTED | MBEDTLS_ASN1_SEQUENCE);
  return mbedtls_x509write_crt_set_extension(written, oid, sizeof oid - 1, 0, at, bytes + sizeof bytes - at);
}

static int make_certificate(mbedtls_x509_crt *made, const char *host) {
  unsigned char der[CERTIFICATE];
  mbedtls_x509write_cert written;
  int length = begin(&written, "CN=A host behind the proxy", 0) || add_name(&written, host) ? -1
    : mbedtls_x509write_crt_der(&written, der, sizeof der, random_bytes, NULL);
  mbedtls_x509write_crt_free(&written);
  // It is written to the buffer's end.
  return length < 0 ? length : mbedtls_x509_crt_parse_der(made, der + sizeof der - length, length);
}

// --- Connections ---

static int send_to_client(void *of, const unsigned char *bytes, size_t count) {
  ssize_t done = send(((struct connection *)of)->fd, bytes, count, MSG_NOSIGNAL);
  if (done >= 0) return done;
  return errno == EAGAIN || errno == EINTR ? MBEDTLS_ERR_SSL_WANT_WRITE : MBEDTLS_ERR_SSL_CONN_EOF;
}

static int receive_from_client(void *of, unsigned char *bytes, size_t count) {
  ssize_t done = recv(((struct connection *)of)->fd, bytes, count, 0);
  if (done >= 0) return done;
  return errno == EAGAIN || errno == EINTR ? MBEDTLS_ERR_SSL_WANT_READ : MBEDTLS_ERR_SSL_CONN_EOF;
}

static int waits(int result) { return result == MBEDTLS_ERR_SSL_WANT_READ || result == MBEDTLS_ERR_SSL_WANT_WRITE; }

static void release(struct connection *connection) {
  send_frame(connection->number, GONE, NULL, 0);
  if (connection->secure) {
    mbedtls_ssl_free(&connection->ssl);
    mbedtls_ssl_config_free(&connection->settings);
    mbedtls_x509_crt_free(&connection->certificate);
  }
  close(connection->fd);
  free(connection->out);
  connection->used = 0;
}

static void accept_client(struct connection *connection) {
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  int fd = accept4(listener, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return;
  int taken;
  do {
    last_number++;
    taken = 0;
    for (int i = 0; i < CONNECTIONS; i++) taken |= connections[i].used && connections[i].number == last_number;
  } while (taken);
  memset(connection, 0, sizeof *connection);
  connection->used = 1;
  connection->fd = fd;
  connection->number = last_number;
  connection->port = ntohs(address.sin_port);
  connection->credit = WINDOW;
  send_frame(connection->number, OPEN, NULL, 0);
}

// Starts TLS after an answer, whose few bytes any client can take. Its settings differ for each connection, because a
// certificate belongs to them.
static void secure(struct connection *connection, const char *host, const char *answer, int length) {
  // Software is fastest with the first. All clients of the last ten years have one of them.
  static const int suites[] = {
    MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, 0,
  };
  mbedtls_ssl_config *settings = &connection->settings;
  connection->secure = 1;
  mbedtls_ssl_init(&connection->ssl);
  mbedtls_ssl_config_init(settings);
  mbedtls_x509_crt_init(&connection->certificate);
  int failed = make_certificate(&connection->certificate, host)
    || mbedtls_ssl_config_defaults(settings, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT)
    || mbedtls_ssl_conf_own_cert(settings, &connection->certificate, &key);
  mbedtls_ssl_conf_rng(settings, random_bytes, NULL);
  mbedtls_ssl_conf_ciphersuites(settings, suites);
  mbedtls_ssl_conf_min_version(settings, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
  if (failed || mbedtls_ssl_setup(&connection->ssl, settings)) return release(connection);
  mbedtls_ssl_set_bio(&connection->ssl, connection, send_to_client, receive_from_client, NULL);
  if (send_to_client(connection, (const unsigned char *)answer, length) != length) release(connection);
}

// Sends what the client can take. A connection that the page has ended stays until the client has closed it, so that its
// system doesn't throw away what it hasn't read.
static void pass_out(struct connection *connection) {
  while (connection->used && connection->outs) {
    size_t count = connection->begun ? connection->begun : connection->outs < CHUNK ? connection->outs : CHUNK;
    int done = connection->secure ? mbedtls_ssl_write(&connection->ssl, connection->out, count)
                                  : send_to_client(connection, connection->out, count);
    if (waits(done)) {
      // Mbed TLS wants the same bytes again.
      connection->begun = connection->secure ? count : 0;
      return;
    }
    if (done < 0) return release(connection);
    connection->begun = 0;
    memmove(connection->out, connection->out + done, connection->outs -= done);
    uint32_t taken = done;
    send_frame(connection->number, CREDIT, &taken, sizeof taken);
  }
  if (connection->used && connection->page_ended && !connection->closing) {
    connection->closing = 1;
    if (connection->handshaken) mbedtls_ssl_close_notify(&connection->ssl);
    shutdown(connection->fd, SHUT_WR);
    if (connection->client_ended) release(connection);
  }
}

// Returns whether a client that sends nothing more reads nothing either. Its connection looks the same, but its socket,
// which is in this system, belongs to no file then.
static int has_left(struct connection *connection) {
  char line[256];
  unsigned own, other;
  unsigned long file;
  int left = 1;
  FILE *sockets = fopen("/proc/net/tcp", "re");
  if (!sockets) return 0;
  while (left && fgets(line, sizeof line, sockets))
    if (sscanf(line, " %*d: %*8x:%4x %*8x:%4x %*x %*x:%*x %*x:%*x %*x %*u %*u %lu", &own, &other, &file) == 3)
      left = own != connection->port || other != own_port || file == 0;
  fclose(sockets);
  return left;
}

static void client_ends(struct connection *connection) {
  connection->client_ended = 1;
  if (connection->closing || has_left(connection)) release(connection);
  else send_frame(connection->number, END, NULL, 0);
}

static void pass_in(struct connection *connection) {
  static unsigned char bytes[CHUNK];
  if (connection->secure && !connection->handshaken) {
    int result = mbedtls_ssl_handshake(&connection->ssl);
    if (waits(result)) return;
    if (result) return release(connection);
    connection->handshaken = 1;
    pass_out(connection);
  }
  while (connection->used && !connection->client_ended && (connection->credit > 0 || connection->closing)) {
    size_t most = connection->closing || connection->credit > CHUNK ? CHUNK : connection->credit;
    // After the end, what still arrives is thrown away as it is.
    int tls = connection->secure && !connection->closing;
    int done = tls ? mbedtls_ssl_read(&connection->ssl, bytes, most) : receive_from_client(connection, bytes, most);
    if (waits(done)) return;
    if (done == 0 || done == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) return client_ends(connection);
    if (done < 0) return release(connection);
    if (connection->closing) continue;
    connection->credit -= done;
    send_frame(connection->number, DATA, bytes, done);
  }
}

static void take(struct connection *connection, const char *bytes, uint32_t length) {
  if (!connection->out) connection->out = malloc(WINDOW);
  if (!connection->out || length > WINDOW - connection->outs) return release(connection);
  memcpy(connection->out + connection->outs, bytes, length);
  connection->outs += length;
  if (!connection->secure || connection->handshaken) pass_out(connection);
}

static void receive(struct header header, char *payload) {
  struct connection *connection = NULL;
  for (int i = 0; i < CONNECTIONS; i++)
    if (connections[i].used && connections[i].number == header.channel) connection = connections + i;
  if (!connection) return;
  size_t host;
  uint32_t credit;
  switch (header.kind) {
  case DATA:
    take(connection, payload, header.length);
    break;
  case END:
    connection->page_ended = 1;
    if (!connection->secure || connection->handshaken) pass_out(connection);
    break;
  case CREDIT:
    memcpy(&credit, payload, sizeof credit);
    connection->credit += credit;
    // Mbed TLS may have decrypted more than was passed on.
    pass_in(connection);
    break;
  case SECURE:
    host = strnlen(payload, header.length);
    if (host >= HOST || host == header.length || connection->secure || connection->outs) return release(connection);
    secure(connection, payload, payload + host + 1, header.length - host - 1);
    break;
  }
}

static short wanted(struct connection *connection) {
  if (connection->secure && !connection->handshaken) return POLLIN;
  int reads = !connection->client_ended && (connection->credit > 0 || connection->closing);
  return (reads ? POLLIN : 0) | (connection->outs ? POLLOUT : 0);
}

static void serve(void) {
  struct pollfd polled[2 + CONNECTIONS];
  struct connection *owners[2 + CONNECTIONS], *unused = NULL;
  int count = 2, timeout = -1;
  for (struct connection *connection = connections; connection < connections + CONNECTIONS; connection++) {
    if (!connection->used) {
      unused = connection;
    } else {
      if (connection->client_ended) timeout = LEAVING_MS;
      owners[count] = connection;
      polled[count++] = (struct pollfd){ connection->fd, wanted(connection), 0 };
    }
  }
  polled[0] = (struct pollfd){ STDIN_FILENO, POLLIN, 0 };
  polled[1] = (struct pollfd){ unused ? listener : -1, POLLIN, 0 };
  int found = poll(polled, count, timeout);
  if (found < 0) return;
  for (int i = 2; found == 0 && i < count; i++)
    if (owners[i]->client_ended && has_left(owners[i])) release(owners[i]);
  for (int i = 2; i < count; i++) {
    if (polled[i].revents & (POLLOUT | POLLERR)) pass_out(owners[i]);
    if (!owners[i]->used) continue;
    // A client that has gone altogether is polled with these even if nothing is wanted of it.
    if (polled[i].revents & (POLLHUP | POLLERR) && !(polled[i].events & POLLIN)) release(owners[i]);
    else if (polled[i].revents & (POLLIN | POLLHUP)) pass_in(owners[i]);
  }
  if (polled[1].revents) accept_client(unused);
  // Last, because it may close connections.
  if (polled[0].revents && read_frames(STDIN_FILENO, receive) == 0) exit(0);
  flush();
}

int main(int count, char **arguments) {
  if (count < 3) return 1;
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(atoi(arguments[1])) };
  socklen_t size = sizeof address;
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int))
      || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, CONNECTIONS)
      || getsockname(listener, (struct sockaddr *)&address, &size))
    fail("the proxy can't listen");
  make_authority(arguments[2]);
  own_port = ntohs(address.sin_port);
  outgoing_fd = STDOUT_FILENO;
  send_frame(0, READY, &own_port, sizeof own_port);
  flush();
  for (;;) serve();
}
