"""Suggestions where a command is missing: the nearest command, or where to run it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

HOST = "the computer may have it: terminal_create(backend='host'), where the companion runs and the user allows it"
SOCKETS = "a page has no sockets"
# Programs of the Linux's disk (builder/linux/disk.txt) that this shell lacks; not those that need a terminal, or are
# about its own processes and devices.
_OF_LINUX = """
addr2line apt apt-cache apt-config apt-get apt-mark ar as b2sum bunzip2 bzcat bzdiff bzgrep bzip2
c89 c99 cc cksum cpan cpp dash dd diff3 dircolors dpkg dpkg-deb dpkg-query e2fsck fallocate fincore
gcc gcc-12 gcc-ar gcc-nm gcc-ranlib gcov gencat getconf getent getopt git-receive-pack git-upload-pack gmake
gold gpgv gprof hardlink hostid iconv infocmp json_pp ld ldconfig ldd link locale localedef lscpu lzcat lzma
mawk mcookie mkfifo mkfs.ext4 mknod namei nawk nm objcopy objdump pathchk perl perldoc pod2man pod2text prove
ptx python3.11 ranlib readelf rgrep run-parts sdiff shasum shred size ssh-keygen strace strip sum
tic tput tsort uncompress unlzma unxz update-alternatives whereis xz xzcat xzdiff xzgrep zcmp zdiff zdump
zegrep zfgrep zgrep zipgrep zipinfo znew
"""
OF_LINUX = frozenset(_OF_LINUX.split())
RUNS = "runs it in the Linux of this page, in the same folder of /project"
GUIDES = {
    **dict.fromkeys(
        ("perl", "ruby", "npm", "npx", "go", "java", "php", "lua", "Rscript", "deno", "bun"),
        f"this shell runs Python and JavaScript (`node`); {HOST}",
    ),
    **dict.fromkeys(
        ("gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "cargo", "cmake", "ld", "as"),
        f"this shell has no compilers; {HOST}",
    ),
    **dict.fromkeys(
        ("docker", "podman", "kubectl", "systemctl", "service"), f"this shell has no processes; {HOST}"
    ),
    **dict.fromkeys(
        ("apt", "apt-get", "dpkg", "yum", "dnf", "apk", "brew", "snap", "pacman"),
        "there are no packages for this shell but Python's: pip install NAME; `man -k WORD` finds commands",
    ),
    **dict.fromkeys(
        ("ping", "nc", "ncat", "netcat", "scp", "sftp", "rsync", "dig", "nslookup"), f"{SOCKETS}; {HOST}"
    ),
    **dict.fromkeys(("sudo", "su", "doas"), "all files are the user's, so no command needs other rights"),
    **dict.fromkeys(("gpg", "gpg2"), f"this shell has no keys; {HOST}"),
    **dict.fromkeys(("fuser", "strace"), "`ps -e` lists what runs, `lsof` what is open"),
    **dict.fromkeys(("psql", "mysql"), f"{SOCKETS}; sqlite3 has databases in files, and {HOST}"),
}


def suggest(name: str, known: Iterable[str], *, linux: bool = False) -> str:
    """Return a line that helps where the command `name` is missing, or "" if nothing is known about it.

    Args:
        name: The name, or the path of a program for a processor.
        known: The commands that are there.
        linux: The page has a Linux, which the command `linux` reaches.
    """
    if linux and (name in OF_LINUX or "/" in name):
        return f"`linux {name} …` {RUNS}."
    if name in GUIDES:
        return f"{name}: {GUIDES[name]}"
    names = sorted(set(known))
    # Of short names, swapped letters are no close match.
    near = [each for each in names if sorted(each) == sorted(name)][:2]
    if not near and len(name) > 2:
        near = difflib.get_close_matches(name, names, n=2, cutoff=0.7)
    return f"Did you mean {' or '.join(near)}?" if near else ""
