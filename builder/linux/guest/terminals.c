// Runs shells and terminals for the page, over one virtio-console port. web/linux/channel.ts is the other end.
//
// A channel of frames is a process with pipes or with a PTY; the page chooses its number. Either end sends at most WINDOW
// bytes of a stream until the other has returned credit, so no program blocks another one's output or input.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "frames.h"

enum {
  // From the page.
  OPEN = 1, INPUT, END_INPUT, RESIZE, SIGNAL, CREDIT, CLOSE, WAKE, ROOT,
  // To the page; CREDIT goes both ways.
  READY = 16, OUTPUT, ERRORS, STATUS, EXIT,
};
enum { OUT, ERR, STAT, STREAMS };
enum { CHANNELS = 64, WINDOW = 1 << 18, CHUNK = MOST_PAYLOAD, ARGUMENTS = 128 };
// A shell writes reports into a file and after each a byte into a pipe: bash writes each line by itself, and a pipe alone
// would wake this program for each one.
enum { REPORT_FD = 200, BELL_FD = 201 };
// Programs write lines to a PTY one by one. Output that follows other output within FLOOD_MS waits REST_MS for more.
enum { FLOOD_MS = 12, REST_MS = 4 };
// RNDRESEEDCRNG of <linux/random.h>, which musl's headers lack.
enum { RESEED = 0x5207 };

struct channel {
  int used, pid, pty, exited, status;
  uint16_t number;
  int in, streams[STREAMS], report;
  // How much of the report has been passed on.
  off_t reported;
  int64_t credit;
  // Of a PTY: when it last had output, and until when it rests.
  int64_t passed_ms, rests_until_ms;
  // Input that the process hasn't read yet.
  char *waiting;
  size_t waits;
  // What it has read, until the credit for it is returned: each return costs the page as much as a line of output.
  uint32_t taken;
  int input_ends;
};

static struct channel channels[CHANNELS];
static int port, ended_children[2];

static struct channel *find(uint16_t number) {
  for (int i = 0; i < CHANNELS; i++)
    if (channels[i].used && channels[i].number == number) return channels + i;
  return NULL;
}

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void release(struct channel *channel) {
  if (channel->in != channel->streams[OUT]) close_end(&channel->in);
  for (int i = 0; i < STREAMS; i++) close_end(channel->streams + i);
  close_end(&channel->report);
  free(channel->waiting);
  channel->used = 0;
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void start_child(char *const *arguments, char **environment, const char *directory) {
  struct sigaction action = { .sa_handler = SIG_DFL };
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  if (chdir(directory) && chdir("/")) _exit(126);
  execvpe(arguments[0], arguments, environment);
  _exit(127);
}

// Splits texts that a NUL ends each, up to an empty one; returns what follows it.
static char *split(char *at, char *end, char **texts) {
  int count = 0;
  for (; at < end && *at; at += strlen(at) + 1)
    if (count < ARGUMENTS - 1) texts[count++] = at;
  texts[count] = NULL;
  return at + 1;
}

static int with_pty(struct channel *channel, struct winsize *size) {
  int pid = forkpty(&channel->streams[OUT], NULL, NULL, size);
  if (pid > 0) {
    channel->in = channel->streams[OUT];
    fcntl(channel->in, F_SETFD, FD_CLOEXEC);
    fcntl(channel->in, F_SETFL, O_NONBLOCK);
  }
  return pid;
}

static int with_pipes(struct channel *channel) {
  int pipes[1 + STREAMS][2];
  for (int i = 0; i <= STREAMS; i++)
    if (pipe2(pipes[i], O_CLOEXEC)) return -1;
  if ((channel->report = memfd_create("report", MFD_CLOEXEC)) < 0) return -1;
  int pid = fork();
  if (pid == 0) {
    setsid();
    dup2(pipes[0][0], 0);
    dup2(pipes[1][1], 1);
    dup2(pipes[2][1], 2);
    dup2(channel->report, REPORT_FD);
    dup2(pipes[3][1], BELL_FD);
    return 0;
  }
  close(pipes[0][0]);
  fcntl(channel->in = pipes[0][1], F_SETFL, O_NONBLOCK);
  for (int i = 0; i < STREAMS; i++) {
    close(pipes[1 + i][1]);
    fcntl(channel->streams[i] = pipes[1 + i][0], F_SETFL, O_NONBLOCK);
  }
  return pid;
}

// The payload: u16 rows, u16 columns (0 for pipes), then texts: directory, arguments, "", environment, "".
static void open_channel(uint16_t number, char *payload, uint32_t length) {
  struct channel *channel = NULL;
  for (int i = 0; i < CHANNELS && !channel; i++)
    if (!channels[i].used) channel = channels + i;
  int32_t failed = 126;
  if (!channel) {
    send_frame(number, EXIT, &failed, sizeof failed);
    return;
  }
  *channel = (struct channel){ .used = 1, .number = number, .in = -1, .streams = { -1, -1, -1 }, .report = -1, .credit = WINDOW };
  uint16_t size[2];
  memcpy(size, payload, sizeof size);
  char *arguments[ARGUMENTS], *environment[ARGUMENTS], *directory = payload + sizeof size, *end = payload + length;
  split(split(directory + strlen(directory) + 1, end, arguments), end, environment);
  channel->pty = size[0] > 0;
  struct winsize window = { size[0], size[1], 0, 0 };
  channel->pid = channel->pty ? with_pty(channel, &window) : with_pipes(channel);
  if (channel->pid == 0) start_child(arguments, environment, directory);
  if (channel->pid < 0) {
    send_frame(number, EXIT, &failed, sizeof failed);
    release(channel);
  }
}

static void pass_input(struct channel *channel) {
  ssize_t done = channel->in < 0 ? (ssize_t)channel->waits : write(channel->in, channel->waiting, channel->waits);
  // A program that doesn't read any more loses its input.
  if (done < 0 && errno != EAGAIN && errno != EINTR) done = channel->waits;
  if (done > 0) {
    memmove(channel->waiting, channel->waiting + done, channel->waits -= done);
    channel->taken += done;
  }
  if (channel->taken >= WINDOW / 4) {
    send_frame(channel->number, CREDIT, &channel->taken, sizeof channel->taken);
    channel->taken = 0;
  }
  if (!channel->waits && channel->input_ends && !channel->pty) close_end(&channel->in);
}

static void take_input(struct channel *channel, const char *bytes, uint32_t length) {
  if (!channel->waiting) channel->waiting = malloc(WINDOW);
  if (!channel->waiting || length > WINDOW - channel->waits) return;
  memcpy(channel->waiting + channel->waits, bytes, length);
  channel->waits += length;
  pass_input(channel);
}

// The payload: f64 milliseconds since 1970, then random bytes. All machines that start from one state would have the same
// clock and the same random numbers.
static void wake(const char *payload, uint32_t length) {
  double ms;
  memcpy(&ms, payload, sizeof ms);
  struct timespec now = { .tv_sec = ms / 1000 };
  now.tv_nsec = (ms - now.tv_sec * 1000.0) * 1e6;
  clock_settime(CLOCK_REALTIME, &now);
  int random = open("/dev/urandom", O_RDWR | O_CLOEXEC);
  write_all(random, payload + sizeof ms, length - sizeof ms);
  ioctl(random, RESEED);
  close(random);
  send_frame(0, READY, NULL, 0);
}

// The payload: a directory, and a NUL. Programs that are opened later have it as their root.
static void change_root(const char *directory) {
  if (!chdir(directory) && !chroot(".")) chdir("/");
}

static void receive(struct header header, char *payload) {
  if (header.kind == WAKE) return wake(payload, header.length);
  if (header.kind == ROOT) return change_root(payload);
  if (header.kind == OPEN) return open_channel(header.channel, payload, header.length);
  struct channel *channel = find(header.channel);
  if (!channel) return;
  uint16_t size[2];
  uint32_t credit;
  switch (header.kind) {
  case INPUT:
    take_input(channel, payload, header.length);
    break;
  case END_INPUT:
    channel->input_ends = 1;
    pass_input(channel);
    break;
  case RESIZE:
    memcpy(size, payload, sizeof size);
    ioctl(channel->streams[OUT], TIOCSWINSZ, &(struct winsize){ size[0], size[1], 0, 0 });
    break;
  case SIGNAL:
    if (!channel->exited) kill(-channel->pid, *payload);
    break;
  case CREDIT:
    memcpy(&credit, payload, sizeof credit);
    channel->credit += credit;
    break;
  case CLOSE:
    // All of its session, also what its shell has put into other groups.
    kill(-channel->pid, channel->pty ? SIGHUP : SIGKILL);
    release(channel);
    break;
  }
}

// Passes on what a stream has, up to `limit` bytes; returns how much that was.
static ssize_t pass_output(struct channel *channel, int stream, size_t limit) {
  static char bytes[CHUNK];
  size_t count = 0;
  int *fd = channel->streams + stream;
  while (*fd >= 0 && count < limit) {
    ssize_t done = read(*fd, bytes + count, limit - count);
    if (done > 0) {
      count += done;
    } else if (done == 0 || (errno != EAGAIN && errno != EINTR)) {
      // A PTY answers EIO while no program has it open.
      if (channel->pty && !channel->exited) break;
      if (channel->in == *fd) channel->in = -1;
      close_end(fd);
    } else {
      break;
    }
  }
  if (count && stream != STAT) {
    send_frame(channel->number, stream == OUT ? OUTPUT : ERRORS, bytes, count);
    channel->credit -= count;
  }
  return count;
}

static void pass_report(struct channel *channel) {
  static char bytes[CHUNK];
  ssize_t done;
  while ((done = pread(channel->report, bytes, sizeof bytes, channel->reported)) > 0) {
    send_frame(channel->number, STATUS, bytes, done);
    channel->reported += done;
  }
  // The shell may already write the next one, so the file is never cut.
  fallocate(channel->report, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, channel->reported);
}

static void pass_all(struct channel *channel) {
  for (int stream = OUT; stream <= ERR; stream++)
    while (pass_output(channel, stream, CHUNK) > 0) continue;
}

static void finish(struct channel *channel) {
  int32_t code = WIFEXITED(channel->status) ? WEXITSTATUS(channel->status) : 128 + WTERMSIG(channel->status);
  // What background jobs of it print later is lost.
  pass_all(channel);
  send_frame(channel->number, EXIT, &code, sizeof code);
  release(channel);
}

static void on_child(int number) {
  int before = errno;
  write_all(ended_children[1], "", 1);
  errno = before;
}

static void reap(void) {
  char bytes[CHANNELS];
  while (read(ended_children[0], bytes, sizeof bytes) > 0) continue;
  int status, pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
    for (int i = 0; i < CHANNELS; i++)
      if (channels[i].used && channels[i].pid == pid) {
        channels[i].exited = 1;
        channels[i].status = status;
        finish(channels + i);
      }
}

static void pass_pty(struct channel *channel, size_t limit, int hung_up) {
  int64_t now = now_ms();
  if (pass_output(channel, OUT, limit) > 0) {
    if (now - channel->passed_ms < FLOOD_MS) channel->rests_until_ms = now + REST_MS;
    channel->passed_ms = now;
  } else if (hung_up) {
    channel->rests_until_ms = now + REST_MS;
  }
}

static void serve(void) {
  struct pollfd polled[2 + (1 + STREAMS) * CHANNELS];
  struct { struct channel *channel; int stream; } owners[2 + (1 + STREAMS) * CHANNELS];
  int count = 0, timeout = -1;
  int64_t now = now_ms();
  polled[count++] = (struct pollfd){ port, POLLIN, 0 };
  polled[count++] = (struct pollfd){ ended_children[0], POLLIN, 0 };
  for (struct channel *channel = channels; channel < channels + CHANNELS; channel++) {
    if (!channel->used) continue;
    for (int stream = 0; stream < STREAMS; stream++) {
      if (channel->streams[stream] < 0 || (stream != STAT && channel->credit <= 0)) continue;
      if (channel->rests_until_ms > now) {
        timeout = REST_MS;
        continue;
      }
      owners[count].channel = channel;
      owners[count].stream = stream;
      polled[count++] = (struct pollfd){ channel->streams[stream], POLLIN, 0 };
    }
    if (!channel->waits || channel->in < 0) continue;
    owners[count].channel = channel;
    owners[count].stream = -1;
    polled[count++] = (struct pollfd){ channel->in, POLLOUT, 0 };
  }
  if (poll(polled, count, timeout) < 0) return;
  for (int i = 2; i < count; i++) {
    struct channel *channel = owners[i].channel;
    if (!polled[i].revents || !channel->used) continue;
    if (owners[i].stream < 0) {
      pass_input(channel);
    } else if (owners[i].stream == STAT) {
      // The output of a command is in the pipes before its report is complete.
      pass_all(channel);
      if (pass_output(channel, STAT, CHUNK) > 0) pass_report(channel);
    } else {
      size_t limit = channel->credit < CHUNK ? channel->credit : CHUNK;
      if (channel->pty) pass_pty(channel, limit, polled[i].revents & POLLHUP);
      else pass_output(channel, owners[i].stream, limit);
    }
  }
  if (polled[1].revents) reap();
  // Last, because it may close channels.
  if (polled[0].revents) read_frames(port, receive);
  flush();
}

int main(int count, char **arguments) {
  if (count < 2 || (port = open(arguments[1], O_RDWR | O_CLOEXEC)) < 0) return 1;
  outgoing_fd = port;
  if (pipe2(ended_children, O_CLOEXEC | O_NONBLOCK)) return 1;
  sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = on_child, .sa_flags = SA_RESTART }, NULL);
  sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
  send_frame(0, READY, NULL, 0);
  flush();
  for (;;) serve();
}
