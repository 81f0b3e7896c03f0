"""The disk of changes to Linux: its contents after its worker was killed, and after the storage was full."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from builder.npm import find_node
from tests.compiling import compiled

MODULES = ("linux/disk/blocks.ts", "linux/disk/changes.ts")


def play(limit: int) -> dict[str, Any]:
    """Write blocks to a storage of `limit` bytes, and return them and the disk after each operation."""
    folder = compiled(*MODULES) / "linux/disk"
    command = [find_node().node, Path(__file__).with_name("linux_disk.mjs"), folder.as_uri(), str(limit)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def expected(written: list[list[int]]) -> list[list[int]]:
    # The empty filesystem has a block, too.
    blocks = [[9] if block == 3 else [0] for block in range(10)]
    for block, number in written:
        blocks[block] = [number]
    return blocks


def test_a_disk_has_the_writes_in_their_order_wherever_its_worker_was_killed() -> None:
    played = play(1 << 20)
    assert played["now"] == expected(played["written"])
    assert played["part"] == [0, 5]
    for operations, state in enumerate(played["states"]):
        complete = sum(end <= operations for end in played["ends"])
        # The write that was interrupted may be there.
        either = [expected(played["written"][: complete + more]) for more in (0, 1)]
        assert state in either
    assert played["failures"] == []


def test_a_disk_has_the_empty_filesystem_of_the_build_that_made_it() -> None:
    *interrupted, complete = play(1 << 20)["begun"]
    assert complete == [9, 0]
    assert len(interrupted) > 2 and all(state == [8, 8] for state in interrupted)


def test_a_full_storage_stops_saving_at_one_moment_and_the_machine_goes_on() -> None:
    played = play(9 * 4096)
    assert played["failures"] == ["QuotaExceededError"]
    assert played["now"] == expected(played["written"])
    saved = played["states"][-1]
    assert saved != played["now"]
    assert saved in [expected(played["written"][:count]) for count in range(len(played["written"]))]
