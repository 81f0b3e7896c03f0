// The frames that programs of the machine exchange with the page: { u32 length, u16 channel, u8 kind, u8 unused, payload },
// little-endian.
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PAYLOAD = 1 << 16 };

struct header { uint32_t length; uint16_t channel; uint8_t kind, unused; };

// Frames that leave together, because each write is a message to the page.
static char outgoing[2 * (sizeof(struct header) + MOST_PAYLOAD)];
static size_t outgoing_length;
static int outgoing_fd;

static void write_all(int fd, const void *bytes, size_t count) {
  const char *at = bytes;
  while (count) {
    ssize_t done = write(fd, at, count);
    if (done < 0 && errno == EAGAIN) {
      poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1);
    } else if (done < 0 && errno != EINTR) {
      return;
    } else if (done > 0) {
      at += done;
      count -= done;
    }
  }
}

static void flush(void) {
  write_all(outgoing_fd, outgoing, outgoing_length);
  outgoing_length = 0;
}

static void send_frame(uint16_t channel, int kind, const void *payload, uint32_t length) {
  struct header header = { length, channel, kind, 0 };
  if (outgoing_length + sizeof header + length > sizeof outgoing) flush();
  memcpy(outgoing + outgoing_length, &header, sizeof header);
  outgoing_length += sizeof header;
  if (length) memcpy(outgoing + outgoing_length, payload, length);
  outgoing_length += length;
}

// Reads once, and passes each whole frame on; returns what read(2) did.
static ssize_t read_frames(int fd, void (*receive)(struct header, char *)) {
  static char bytes[1 << 19];
  static size_t count;
  ssize_t done = read(fd, bytes + count, sizeof bytes - count);
  if (done <= 0) return done;
  count += done;
  size_t at = 0;
  struct header header;
  while (count - at >= sizeof header) {
    memcpy(&header, bytes + at, sizeof header);
    if (count - at < sizeof header + header.length) break;
    receive(header, bytes + at + sizeof header);
    at += sizeof header + header.length;
  }
  memmove(bytes, bytes + at, count -= at);
  return done;
}
