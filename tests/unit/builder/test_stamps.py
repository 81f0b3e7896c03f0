"""A step runs only when its inputs have changed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from builder.problems import BuildProblem
from builder.progress import Progress
from builder.stamps import SETTLED_NS, Hashes, Steps, fingerprint


class Copying:
    """A step that copies a folder's listing to an output, counting its runs."""

    def __init__(self, folder: Path) -> None:
        self.source, self.output, self.stamp = folder / "source", folder / "output", folder / "stamps/copy"
        self.source.mkdir()
        (self.source / "a.txt").write_text("a")
        self.steps = Steps(Progress(io.StringIO()))
        self.fails = False

    def run(self) -> int:
        before = self.steps.taken
        self.steps.run("copying", self.stamp, lambda: [self.source], [self.output], lambda step: self.copy())
        return self.steps.taken - before

    def copy(self) -> None:
        if self.fails:
            raise BuildProblem("It can't be copied.")
        self.output.write_text(
            "\n".join(path.read_text() for path in self.source.iterdir() if path.is_file())
        )


@pytest.fixture
def copying(tmp_path: Path) -> Copying:
    return Copying(tmp_path)


def test_a_second_run_has_nothing_to_do(copying: Copying) -> None:
    assert [copying.run(), copying.run()] == [1, 0]


def test_contents_names_and_new_files_count_but_times_do_not(copying: Copying) -> None:
    copying.run()
    (copying.source / "a.txt").write_text("a")
    assert copying.run() == 0
    (copying.source / "a.txt").write_text("b")
    assert copying.run() == 1
    (copying.source / "a.txt").rename(copying.source / "b.txt")
    assert copying.run() == 1
    (copying.source / "c.txt").write_text("c")
    assert copying.run() == 1


def test_caches_of_tools_do_not_count(copying: Copying) -> None:
    copying.run()
    (copying.source / "__pycache__").mkdir()
    (copying.source / "__pycache__/a.pyc").write_bytes(b"x")
    assert copying.run() == 0


def test_a_missing_output_is_created_again(copying: Copying) -> None:
    copying.run()
    copying.output.unlink()
    assert copying.run() == 1


def test_a_failed_step_runs_again(copying: Copying) -> None:
    copying.run()
    (copying.source / "a.txt").write_text("b")
    copying.fails = True
    with pytest.raises(BuildProblem):
        copying.run()
    (copying.source / "a.txt").write_text("a")
    copying.fails = False
    assert copying.run() == 1


def test_boundaries_between_files_count(tmp_path: Path) -> None:
    for name, content in {"a": "xy", "b": "z", "c": "x", "d": "yz"}.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "one").mkdir()
    assert fingerprint(["ab", "c"]) != fingerprint(["a", "bc"])
    assert fingerprint([tmp_path / "a", tmp_path / "b"]) != fingerprint([tmp_path / "c", tmp_path / "d"])
    assert fingerprint([tmp_path / "missing"]) != fingerprint([tmp_path / "a"])


def test_a_settled_file_is_read_once_and_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, file = tmp_path / "a.txt", tmp_path / "hashes.json"
    reads: list[Path] = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: (reads.append(path), read(path))[1])

    def ask() -> str:
        hashes = Hashes()
        with hashes.remembered(file):
            return hashes.of(source)

    source.write_text("a")
    # It has just changed, so its next change may leave no trace.
    assert ask() == ask()
    assert len(reads) == 2
    settled = source.stat().st_ctime_ns + SETTLED_NS + 1
    monkeypatch.setattr("builder.stamps.time.time_ns", lambda: settled)
    assert ask() == ask()
    assert len(reads) == 3
    before = ask()
    source.write_text("bc")
    assert ask() != before
    file.write_text(file.read_text()[:-9])
    assert ask() != before


def test_without_a_terminal_a_step_reports_its_start_and_its_end() -> None:
    stream = io.StringIO()
    progress = Progress(stream)
    with progress.step("copying"):
        pass
    with pytest.raises(BuildProblem), progress.step("moving"):
        raise BuildProblem("It can't be moved.")
    copying, done, moving, failed = stream.getvalue().splitlines()
    assert (copying, moving) == ("copying ...", "moving ...")
    assert done.startswith("copying: done in ")
    assert failed.startswith("moving: failed after ")
