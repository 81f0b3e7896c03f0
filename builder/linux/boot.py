"""Makes what a machine boots from: BIOS, kernel, and its first filesystem with the drivers and `terminals`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from builder.linux import compiling, debian
from builder.linux.initrd import Initrd
from builder.project import Project

GUEST = Path(__file__).parent / "guest"
KERNEL = "linux-image-6.1.0-50-686"
# The drivers, each with those that it depends on.
MODULES = (
    *("virtio_pci", "virtio_console", "9pnet_virtio", "9p"),
    # Of the disks. The kernel would load the checksum on its own if it had modprobe.
    *("ata_piix", "sd_mod", "crc32c_generic", "ext4", "overlay"),
)
DIRECTORIES = (
    *(
        "bin",
        "sbin",
        "etc",
        "proc",
        "sys",
        "dev",
        "tmp",
        "root",
        "mnt",
        "run",
        "project",
        "home",
        "var",
        "lib",
        # The disks: the system's, its changes, and both together.
        "base",
        "changes",
        "system",
    ),
    *("lib/modules", "lib/i386-linux-gnu", "usr", "usr/bin", "usr/sbin", "usr/local", "usr/local/bin"),
)
FILES = {
    "etc/passwd": b"root:x:0:0:root:/root:/bin/bash\n",
    "etc/group": b"root:x:0:\n",
    "etc/hosts": b"127.0.0.1 localhost linux\n",
}
# What scripts of guest/ share.
INCLUDED = re.compile(r"^# include: (\w+)\n", re.MULTILINE)
# Of a package, the file with that name, and its place in the machine if it differs. Of coreutils, what busybox lacks.
COREUTILS = ("csplit", "fmt", "join", "numfmt", "pathchk", "pr", "ptx", "split", "tsort")
PROGRAMS = (
    ("busybox-static", "bin/busybox", ""),
    ("bash-static", "bin/bash-static", "bin/bash"),
    ("libc6", "ld-linux.so.2", "lib/ld-linux.so.2"),
    ("libc6", "libc.so.6", "lib/i386-linux-gnu/libc.so.6"),
    *(("coreutils", name, "") for name in COREUTILS),
)
# Without it, bash and coreutils take UTF-8 for bytes.
LOCALE = re.compile(r"^usr/lib/locale/C\.utf8/")
LOCALE_FOLDERS = (
    *("usr/lib", "usr/lib/locale", "usr/lib/locale/C.utf8", "usr/lib/locale/C.utf8/LC_MESSAGES"),
)


def write(project: Project, packages: dict[str, Path], folder: Path) -> None:
    """Write `bios.bin`, `vgabios-stdvga.bin`, `vmlinuz` and `initrd` to an empty folder.

    Raises:
        BuildProblem: There is no compiler, or a program doesn't compile.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kernel = dict(debian.unpack(packages[KERNEL], re.compile(r"^boot/vmlinuz|\.ko$")))
    [(_, image)] = [(name, content) for name, content in kernel.items() if name.startswith("boot/")]
    (folder / "vmlinuz").write_bytes(image)
    for name, content in debian.unpack(packages["seabios"], re.compile(r"/(bios|vgabios-stdvga)\.bin$")):
        (folder / Path(name).name).write_bytes(content)
    programs = compiling.compile_programs(project, packages)
    (folder / "initrd").write_bytes(_initrd(packages, kernel, programs).packed())


def script(name: str) -> bytes:
    """Return a script of guest/, with the files that its lines `# include: FILE` name in place of these lines."""
    text = (GUEST / name).read_text(encoding="utf-8")
    return INCLUDED.sub(lambda line: (GUEST / line[1]).read_text(encoding="utf-8"), text).encode()


def _initrd(packages: dict[str, Path], kernel: dict[str, bytes], programs: dict[str, bytes]) -> Initrd:
    initrd = Initrd()
    initrd.directory(*DIRECTORIES)
    initrd.device("dev/console", 5, 1)
    initrd.device("dev/null", 1, 3)
    for package, path, place in PROGRAMS:
        [(name, content)] = debian.unpack(packages[package], re.compile(f"(^|/){path}$"))
        initrd.file(place or name, content, 0o755)
    initrd.directory(*LOCALE_FOLDERS)
    for name, content in debian.unpack(packages["libc-bin"], LOCALE):
        initrd.file(name, content)
    for name, content in programs.items():
        initrd.file(f"sbin/{name}", content, 0o755)
    initrd.file("init", script("init"), 0o755)
    initrd.file("lib/first-programs", (GUEST / "first-programs").read_bytes())
    for path, content in FILES.items():
        initrd.file(path, content)
    initrd.file("etc/profile", (GUEST / "profile").read_bytes())
    modules = _with_dependencies(kernel)
    for name, content in modules.items():
        initrd.file(f"lib/modules/{name}.ko", content)
    initrd.file("lib/modules/order", "\n".join(modules).encode())
    return initrd


def _with_dependencies(kernel: dict[str, bytes]) -> dict[str, bytes]:
    """Return the drivers by name, each after those that its section .modinfo says it depends on."""
    available = {Path(path).stem.replace("-", "_"): content for path, content in kernel.items()}
    found: dict[str, bytes] = {}

    def add(name: str) -> None:
        if name in found:
            return
        content = available[name]
        if listed := re.search(rb"\0depends=([^\0]*)\0", content):
            for needed in filter(None, listed[1].decode().split(",")):
                add(needed.replace("-", "_"))
        found[name] = content

    for name in MODULES:
        add(name)
    return found
