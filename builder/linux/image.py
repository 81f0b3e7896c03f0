"""Makes the machine: compiles and packs its first filesystem, boots it, and saves its state."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from builder import npm
from builder.linux import compiling, debian
from builder.linux.initrd import Initrd
from builder.npm import find_node
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps, is_fresh

HERE = Path(__file__).parent
GUEST = HERE / "guest"
# The drivers, each with those that it depends on.
MODULES = ("virtio_pci", "virtio_console", "9pnet_virtio", "9p")
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
    ),
    *("lib/modules", "lib/i386-linux-gnu", "usr", "usr/bin", "usr/sbin", "usr/local", "usr/local/bin"),
)
FILES = {
    "etc/passwd": b"root:x:0:0:root:/root:/bin/bash\n",
    "etc/group": b"root:x:0:\n",
    "etc/hosts": b"127.0.0.1 localhost linux\n",
}
# Of a package, the file with that name, and its place in the machine if it differs. Of coreutils, what busybox lacks.
COREUTILS = ("csplit", "fmt", "join", "numfmt", "pathchk", "pr", "ptx", "split", "tsort")
PROGRAMS = (
    ("busybox-static", "bin/busybox", ""),
    ("bash-static", "bin/bash-static", "bin/bash"),
    ("libc6", "ld-linux.so.2", "lib/ld-linux.so.2"),
    ("libc6", "libc.so.6", "lib/i386-linux-gnu/libc.so.6"),
    *(("coreutils", name, "") for name in COREUTILS),
)
# The package that has another one's copyright file.
DOCUMENTED = {"libgcc-12-dev": "gcc-12-base", "libc-bin": "libc6"}
LICENCES = re.compile(r"^usr/share/common-licenses/(L?GPL-[\d.]+|Apache-2.0)$")
# Without it, bash and coreutils take UTF-8 for bytes.
LOCALE = re.compile(r"^usr/lib/locale/C\.utf8/")
LOCALE_FOLDERS = (
    *("usr/lib", "usr/lib/locale", "usr/lib/locale/C.utf8", "usr/lib/locale/C.utf8/LC_MESSAGES"),
)
# Of the page's modules, those that the state depends on.
EMULATOR_BINARY = "v86/build/v86.wasm"
EMULATOR = ("web/linux/clock.js", "web/linux/emulator.js")


def folder(project: Project) -> Path:
    """Return the folder with the finished machine."""
    return project.work / "linux/machine"


def build(project: Project, steps: Steps) -> None:
    """Make the machine if its packages, its programs or the emulator changed.

    Raises:
        BuildProblem: A package is missing, or the machine doesn't boot.
    """
    npm.install(project, steps)
    steps.run(
        "making the Linux of the page",
        project.stamp("linux"),
        lambda: _inputs(project),
        [folder(project) / "machine.json"],
        lambda step: _make(project, step),
    )


def files(project: Project) -> dict[str, Path]:
    """Return the files of the machine by name; none if it isn't made, or of other sources than these."""
    made = folder(project)
    if not is_fresh(project.stamp("linux"), lambda: _inputs(project), [made / "machine.json"]):
        return {}
    return {path.name: path for path in (*sorted(made.iterdir()), project.modules / EMULATOR_BINARY)}


def _inputs(project: Project) -> list[Path | str]:
    version = project.modules / "v86/package.json"
    return [HERE, *(project.root / name for name in EMULATOR), version]


def _make(project: Project, step: Step) -> None:
    packages = debian.fetch(project, debian.pinned(HERE / "machine.txt"), step)
    boot = project.work / "linux/boot"
    shutil.rmtree(boot, ignore_errors=True)
    boot.mkdir(parents=True)
    step.show("unpacking")
    kernel = dict(debian.unpack(packages["linux-image-6.1.0-50-686"], re.compile(r"^boot/vmlinuz|\.ko$")))
    [(_, image)] = [(name, content) for name, content in kernel.items() if name.startswith("boot/")]
    (boot / "vmlinuz").write_bytes(image)
    for name, content in debian.unpack(packages["seabios"], re.compile(r"/(bios|vgabios-stdvga)\.bin$")):
        (boot / Path(name).name).write_bytes(content)
    programs = compiling.compile_programs(project, packages)
    (boot / "initrd").write_bytes(_initrd(packages, kernel, programs).packed())
    (project.work / "linux/notices.json").write_text(json.dumps(_notices(packages)), encoding="utf-8")
    step.show("booting")
    target = folder(project)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    try:
        run([find_node().node, HERE / "state.mjs", boot, target], cwd=project.root, log=project.log("linux"))
    except ProgramFailed as failure:
        raise BuildProblem("The machine doesn't boot.", failure.output) from None


def _notices(packages: dict[str, Path]) -> list[dict[str, str]]:
    """Return name, version, source and copyright of each package."""
    versions = {package.name: package.version for package in debian.pinned(HERE / "machine.txt")}
    made: list[dict[str, str]] = []
    for name, path in packages.items():
        documented = DOCUMENTED.get(name, name)
        copyright_file = re.compile(rf"^usr/share/doc/{documented}/copyright$")
        texts = dict(debian.unpack(packages[documented], copyright_file))
        if name == "base-files":
            texts |= dict(debian.unpack(path, LICENCES))
        if not texts:
            raise BuildProblem(f"{name} has no copyright file; NOTICES.txt must have its licence.")
        text = b"".join(texts.values()).decode()
        made.append({"name": name, "version": versions[name], "source": debian.source_of(path), "text": text})
    return made


def notices(project: Project) -> list[dict[str, str]]:
    """Return name, version, source and copyright of each package in the machine; none if it isn't made."""
    if not files(project):
        return []
    listed: list[dict[str, str]] = json.loads(
        (project.work / "linux/notices.json").read_text(encoding="utf-8")
    )
    return listed


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
    initrd.file("init", (GUEST / "init").read_bytes(), 0o755)
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
