"""Damaged and truncated journals."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.web.durable.harness import Browser, BrowserError, Kernel

pytestmark = pytest.mark.extended

HEADER = 64
FRAME_HEADER = 32

WIPE = "for name in os.listdir('/project'): os.unlink(f'/project/{name}')"


@dataclass
class Journal:
    """A journal of several frames, and the tree of files after each."""

    name: str
    kernel: Kernel
    browser: Browser
    contents: bytes
    # The start of each frame, and the end of the last one.
    offsets: list[int]
    trees: list[dict[str, Any]]

    def reopen(self, contents: bytes) -> dict[str, Any]:
        """Open the journal with other contents in an empty filesystem, and return the report."""
        for file in self.browser.ask("list", self.name):
            self.browser.overwrite_journal(self.name, file, b"")
        self.browser.overwrite_journal(self.name, "a", contents)
        self.kernel.python(WIPE)
        report = self.kernel.open(self.name)
        self.kernel.ask("close")
        return report

    def changed(self, offset: int, value: bytes) -> bytes:
        return self.contents[:offset] + value + self.contents[offset + len(value) :]


@pytest.fixture(scope="module")
def journal(durable_browser: Browser) -> Journal:
    name = "damage"
    kernel = durable_browser.kernel()
    kernel.open(name)
    kernel.commit()
    trees: list[dict[str, Any]] = [kernel.read_tree()]
    offsets = [HEADER, len(durable_browser.journal(name, "a"))]
    for frame in range(5):
        kernel.python(f"""
for i in range(4): open(f"/project/{{i}}", "wb").write(bytes([{frame}]) * (10 + i * 7_000))
open("/project/new-{frame}", "w").write("x")
""")
        offsets.append(offsets[-1] + kernel.commit()["bytes"])
        trees.append(kernel.read_tree())
    # Larger than one buffer, so that it takes several writes.
    kernel.python("open('/project/large', 'wb').write(os.urandom(3_000_000))")
    offsets.append(offsets[-1] + kernel.commit()["bytes"])
    trees.append(kernel.read_tree())
    kernel.ask("close")
    contents = durable_browser.journal(name, "a")
    assert offsets[-1] == len(contents)
    return Journal(name, kernel, durable_browser, contents, offsets, trees)


def test_a_torn_last_frame_is_dropped(journal: Journal) -> None:
    rng = random.Random(5)
    last, end = journal.offsets[-2:]
    cuts = [last, last + 1, last + FRAME_HEADER - 1, last + FRAME_HEADER, end - 1]
    for cut in cuts + [rng.randrange(last, end) for _ in range(6)]:
        report = journal.reopen(journal.contents[:cut])
        assert report["damaged"] is None
        assert report["torn"] is (cut > last)
        assert journal.kernel.read_tree() == journal.trees[-2]


def test_a_frame_whose_header_was_never_written_is_dropped(journal: Journal) -> None:
    last = journal.offsets[-2]
    report = journal.reopen(journal.changed(last, bytes(FRAME_HEADER)))
    assert report["torn"]
    assert report["damaged"] is None
    assert journal.kernel.read_tree() == journal.trees[-2]


def test_reading_ends_at_an_earlier_torn_frame(journal: Journal) -> None:
    rng = random.Random(6)
    for _ in range(10):
        cut = rng.randrange(HEADER, journal.offsets[-2])
        whole = sum(offset <= cut for offset in journal.offsets[1:])
        report = journal.reopen(journal.contents[:cut])
        assert report["damaged"] is None
        assert journal.kernel.read_tree() == (journal.trees[whole - 1] if whole else {})


def flipped(journal: Journal, offset: int, bit: int) -> bytes:
    return journal.changed(offset, bytes([journal.contents[offset] ^ 1 << bit]))


def zeroed_header(journal: Journal, frame: int) -> bytes:
    return journal.changed(journal.offsets[frame], bytes(FRAME_HEADER))


def test_damage_in_the_middle_keeps_the_frames_before_and_the_damaged_file(journal: Journal) -> None:
    rng = random.Random(7)
    for frame in (0, 1, 2, 3, 4, 5, 6):
        start, end = journal.offsets[frame : frame + 2]
        # Some bytes after a payload only pad it to the next frame.
        offset = rng.choice([start, start + 5, start + 21, rng.randrange(start + FRAME_HEADER, end - 16)])
        assert_recovers(journal, flipped(journal, offset, rng.randrange(8)), frame)


def test_a_lost_header_in_the_middle_is_damage_and_not_a_torn_end(journal: Journal) -> None:
    assert_recovers(journal, zeroed_header(journal, 3), 3)


def test_a_missing_frame_is_damage(journal: Journal) -> None:
    cut = journal.contents[: journal.offsets[2]] + journal.contents[journal.offsets[3] :]
    assert_recovers(journal, cut, 2)


@pytest.mark.parametrize("header", [bytes(HEADER), b"G" * HEADER])
def test_a_journal_without_its_header_is_damaged_but_read(journal: Journal, header: bytes) -> None:
    assert_recovers(journal, journal.changed(0, header), len(journal.trees))


def test_another_file_in_place_of_the_journal_is_set_aside(journal: Journal) -> None:
    assert_recovers(journal, random.Random(8).randbytes(5_000), 0)


def assert_recovers(journal: Journal, contents: bytes, frames: int) -> None:
    """Check that `frames` complete frames are mounted, `contents` is set aside, and the new journal is intact."""
    report = journal.reopen(contents)
    assert journal.kernel.read_tree() == (journal.trees[frames - 1] if frames else {})
    assert report["damaged"]["reason"]
    (aside,) = report["damaged"]["setAside"]
    assert journal.browser.journal(journal.name, aside) == contents
    journal.kernel.python(WIPE)
    again = journal.kernel.open(journal.name)
    assert again["damaged"] is None
    assert not again["torn"]
    assert journal.kernel.read_tree() == (journal.trees[frames - 1] if frames else {})
    journal.kernel.python("open('/project/after', 'w').write('goes on')")
    assert journal.kernel.commit()["frames"] == 1
    journal.kernel.ask("close")


def test_a_damaged_journal_on_a_full_disk_is_not_moved(
    browser: Browser, kernel: Kernel, name: str, limit_to: Callable[[int], None]
) -> None:
    kernel.open(name)
    for i in range(3):
        kernel.python(f"open('/project/{i}', 'wb').write(os.urandom(2_000_000))")
        kernel.commit()
    kernel.terminate()
    contents = bytearray(browser.journal(name, "a"))
    contents[-2_000_000] ^= 1
    browser.overwrite_journal(name, "a", bytes(contents))
    limit_to(100_000)
    second = browser.kernel()
    damaged = second.open(name)["damaged"]
    assert damaged["setAside"] == []
    assert set(second.read_tree()) == {"/project/0", "/project/1"}
    second.python("open('/project/small', 'w').write('x')")
    with pytest.raises(BrowserError) as caught:
        second.commit()
    assert caught.value.name == "StorageFull"
    assert browser.journal(name, "a") == contents
    browser.limit_storage(None)
    second.commit()
    second.terminate()
    third = browser.kernel()
    (aside,) = third.open(name)["damaged"]["setAside"]
    assert browser.journal(name, aside) == contents
    assert set(third.read_tree()) == {"/project/0", "/project/1", "/project/small"}


def test_a_journal_of_a_later_version_is_left_alone(
    browser: Browser, journal: Journal, kernel: Kernel
) -> None:
    later = bytearray(journal.contents)
    later[8] = 2
    # The XXH32 of these 24 bytes with the salt as seed, as a later version would write it.
    checksum = kernel.javascript(
        "const { checksum } = await import('./modules/kernel/durable/checksum.js');"
        "const bytes = Uint8Array.from(parameter);"
        "return checksum(bytes, new DataView(bytes.buffer).getUint32(12, true));",
        list(later[:24]),
    )
    later[24:28] = checksum.to_bytes(4, "little")
    browser.overwrite_journal("later", "a", bytes(later))
    with pytest.raises(BrowserError) as caught:
        kernel.open("later")
    assert caught.value.reason == "newer-format"
    assert browser.journal("later", "a") == later
