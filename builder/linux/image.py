"""Makes the machine: compiles and packs its first filesystem, boots it, and saves its state."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from builder import npm
from builder.linux import boot, copyrights, debian, disk
from builder.npm import with_typescript
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps, is_fresh

HERE = Path(__file__).parent
# Of the page's modules, those that the state depends on.
EMULATOR_BINARY = "v86/build/v86.wasm"
EMULATOR = ("web/linux/clock.ts", "web/linux/emulator.ts", "web/linux/disk/disk.ts")


def folder(project: Project) -> Path:
    """Return the folder with the finished machine."""
    return project.work / "linux/machine"


def build(project: Project, steps: Steps) -> None:
    """Make the system disk, and the machine, if their packages, their programs or the emulator changed.

    If the disk can't be made, say why, and make a machine without it.

    Raises:
        BuildProblem: A package of the machine is missing, or the machine doesn't boot.
    """
    npm.install(project, steps)
    try:
        disk.build(project, steps)
    except BuildProblem as problem:
        steps.progress.note(f"The Linux of the page has no system disk: {problem}")
    steps.run(
        "making the Linux of the page",
        project.stamp("linux"),
        lambda: _inputs(project),
        [folder(project) / "machine.json"],
        lambda step: _make(project, step),
    )


def files(project: Project) -> dict[str, Path]:
    """Return the files of the machine by name; none if it isn't made, or of other sources than these."""
    if not _is_made(project):
        return {}
    parts = disk.parts(project)
    return {
        **{path.name: path for path in identity(project)},
        **{f"disk/{path.name}": path for path in parts},
    }


def identity(project: Project) -> list[Path]:
    """Return the files that differ between two machines; the parts of a disk belong to one state."""
    if not _is_made(project):
        return []
    return [*sorted(folder(project).iterdir()), project.modules / EMULATOR_BINARY]


def _is_made(project: Project) -> bool:
    made = folder(project) / "machine.json"
    return is_fresh(project.stamp("linux"), lambda: _inputs(project), [made])


def _inputs(project: Project) -> list[Path | str]:
    version = project.modules / "v86/package.json"
    listed = disk.folder(project) / "disk.json" if disk.is_made(project) else "no disk"
    return [HERE, *(project.root / name for name in EMULATOR), version, listed]


def _make(project: Project, step: Step) -> None:
    pinned = debian.pinned(HERE / "machine.txt") + debian.pinned(HERE / "proxy.txt")
    packages = debian.fetch(project, pinned, step)
    boot_folder = project.work / "linux/boot"
    step.show("unpacking")
    boot.write(project, packages, boot_folder)
    listed = copyrights.collect(packages, {package.name: package.version for package in pinned})
    (project.work / "linux/notices.json").write_text(json.dumps(listed), encoding="utf-8")
    step.show("booting")
    target = folder(project)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    command = [*with_typescript(), HERE / "state.mjs", boot_folder, target]
    if disk.is_made(project):
        command.append(disk.folder(project))
    try:
        run(command, cwd=project.root, log=project.log("linux"))
    except ProgramFailed as failure:
        raise BuildProblem("The machine doesn't boot.", failure.output) from None


def notices(project: Project) -> list[dict[str, str]]:
    """Return names, version, source and copyright of the packages in the machine; none if it isn't made."""
    if not _is_made(project):
        return []
    listed: list[dict[str, str]] = json.loads(
        (project.work / "linux/notices.json").read_text(encoding="utf-8")
    )
    return listed + disk.notices(project)
