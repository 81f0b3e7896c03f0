"""Storage that is full, in use, or unavailable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.durable.harness import Browser, BrowserError, Kernel

pytestmark = pytest.mark.extended


def test_a_full_disk_is_an_error_that_names_the_unsaved_files(
    browser: Browser, kernel: Kernel, name: str, limit_to: Callable[[int], None]
) -> None:
    kernel.open(name)
    kernel.python("""
open("/project/old", "w").write("old")
open("/project/removed", "w").write("old")
""")
    kernel.commit()
    limit_to(3_000_000)
    kernel.python("""
os.unlink("/project/removed")
open("/project/old", "w").write("new")
for i in range(200): open(f"/project/blob-{i}", "wb").write(os.urandom(100_000))
""")
    for _ in range(2):
        with pytest.raises(BrowserError) as caught:
            kernel.commit()
        assert caught.value.name == "StorageFull"
        assert caught.value.count == 203
        assert len(caught.value.unsaved) == 100
        assert "/project/blob-5" in caught.value.unsaved
        assert "and 200 more" in caught.value.message
    assert kernel.ask("changed")
    seen = kernel.read_tree()
    assert len(seen) == 201
    browser.limit_storage(None)
    assert kernel.commit()["files"] == 203
    kernel.terminate()
    second = browser.kernel()
    assert second.open(name)["damaged"] is None
    assert second.read_tree() == seen


def test_a_worker_that_dies_with_a_full_disk_loses_only_what_was_refused(
    browser: Browser, kernel: Kernel, name: str, limit_to: Callable[[int], None]
) -> None:
    kernel.open(name)
    kernel.python("open('/project/saved', 'w').write('saved')")
    kernel.commit()
    seen = kernel.read_tree()
    limit_to(1_000_000)
    kernel.python("open('/project/refused', 'wb').write(os.urandom(5_000_000))")
    with pytest.raises(BrowserError, match="/project/refused"):
        kernel.commit()
    kernel.terminate()
    second = browser.kernel()
    assert second.open(name)["damaged"] is None
    assert second.read_tree() == seen


def test_a_rewrite_without_room_does_not_fail(
    browser: Browser, kernel: Kernel, name: str, limit_to: Callable[[int], None]
) -> None:
    kernel.open(name, slack=0)
    # Chromium reserves room for a file in powers of two: this one can grow to 16 MiB.
    kernel.python("open('/project/file', 'wb').write(os.urandom(9_000_000))")
    kernel.commit()
    limit_to(6_000_000)
    for i in range(1, 80):
        kernel.python(f"open('/project/part', 'wb').write(bytes([{i}]) * 50_000)")
        kernel.commit()
    kernel.terminate()
    second = browser.kernel()
    assert second.open(name)["damaged"] is None
    assert second.python("open('/project/part', 'rb').read() == bytes([79]) * 50_000")


def test_files_that_another_worker_holds_are_refused_until_it_releases_them(
    browser: Browser, name: str
) -> None:
    owner, waiting = browser.kernel(), browser.kernel()
    owner.open(name)
    owner.python("open('/project/file', 'w').write('x')")
    owner.commit()
    with pytest.raises(BrowserError) as caught:
        waiting.open(name, waitMs=200)
    assert (caught.value.name, caught.value.reason) == ("StorageUnavailable", "owned-by-another-tab")
    owner.ask("close")
    assert waiting.open(name, waitMs=0)["mounted"]["bytes"] == 1


def test_a_successor_waits_for_a_busy_worker_that_was_killed(browser: Browser, name: str) -> None:
    busy, successor = browser.kernel(), browser.kernel()
    busy.open(name)
    successor.ask("boot")
    busy.kill_during(-1, 200, "python", "while True: pass")
    assert successor.open(name)["damaged"] is None


def test_committed_files_survive_a_killed_browser(browser: Browser, kernel: Kernel, name: str) -> None:
    kernel.open(name)
    kernel.python("os.mkdir('/project/d'); open('/project/d/file', 'wb').write(os.urandom(2_000_000))")
    kernel.commit()
    seen = kernel.read_tree()
    browser.kill()
    second = browser.kernel()
    assert second.open(name)["damaged"] is None
    assert second.read_tree() == seen


def test_storage_needs_a_worker(browser: Browser) -> None:
    assert browser.ask("openInPage") == "not-a-worker"


def test_an_insecure_page_can_not_save_files(browser: Browser) -> None:
    browser.driver.get(browser.url.replace(urlsplit(browser.url).hostname or "", "insecure.test"))
    try:
        assert browser.ask("openInPage") == "insecure"
    finally:
        browser.reload()


def test_a_page_without_permission_can_not_save_files(browser: Browser, tmp_path: Path) -> None:
    with Browser(browser.url, tmp_path, cookies=False) as other:
        with pytest.raises(BrowserError) as caught:
            other.kernel().open()
        assert caught.value.reason == "denied"
