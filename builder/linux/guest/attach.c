// Mounts the changes over the system disk, and the files of the page at the directory of its argument. A machine that starts
// in a page runs it once. It prints the root for programs, which without a system disk is the first filesystem.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSTEM "/system"
#define FILES "trans=virtio,version=9p2000.L,msize=262144,cache=none,access=any"

static const char *const SHARED[] = { "/proc", "/sys", "/dev", "/tmp", "/run", NULL };

static int mount_changes(void) {
  // Inode tables that nothing uses stay unwritten.
  return mount("/dev/changes", "/changes", "ext4", MS_NOATIME, "noinit_itable,commit=1,errors=remount-ro");
}

// Repairs the filesystem with the changes; returns whether it may be mounted.
static int repair(void) {
  mount("/dev", "/base/dev", NULL, MS_BIND, NULL);
  int pid = fork(), status = -1;
  if (pid == 0) {
    dup2(2, 1);
    if (chroot("/base") || chdir("/")) _exit(127);
    execl("/sbin/e2fsck", "e2fsck", "-p", "/dev/changes", (char *)NULL);
    _exit(127);
  }
  waitpid(pid, &status, 0);
  umount("/base/dev");
  return WIFEXITED(status) && WEXITSTATUS(status) < 4;
}

static int mount_system(void) {
  if (mount_changes() && (!repair() || mount_changes())) return -1;
  if (mount("overlay", SYSTEM, "overlay", 0, "lowerdir=/base,upperdir=/changes/upper,workdir=/changes/work")) return -1;
  for (const char *const *each = SHARED; *each; each++) {
    char place[64];
    snprintf(place, sizeof place, SYSTEM "%s", *each);
    if (mount(*each, place, NULL, MS_BIND | MS_REC, NULL)) return -1;
  }
  return 0;
}

int main(int count, char **arguments) {
  struct stat found;
  int has_system = !stat("/base/usr", &found);
  char place[4096];
  if (count < 2) return 2;
  snprintf(place, sizeof place, "%s%s", has_system ? SYSTEM : "", arguments[1]);
  if ((has_system && mount_system()) || mount("host9p", place, "9p", 0, FILES)) {
    fprintf(stderr, "%s: %s\n", place, strerror(errno));
    return 1;
  }
  puts(has_system ? SYSTEM : "/");
  return 0;
}
