"""One server and one browser for all tests of durable files."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.web.durable.harness import Browser, Kernel, site


@pytest.fixture(scope="session")
def durable_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with (
        site(tmp_path_factory.mktemp("durable-site")) as url,
        Browser(url, tmp_path_factory.mktemp("durable-profile")) as browser,
    ):
        yield browser


@pytest.fixture
def browser(durable_browser: Browser) -> Iterator[Browser]:
    yield durable_browser
    durable_browser.limit_storage(None)


@pytest.fixture
def limit_to(browser: Browser) -> Callable[[int], None]:
    """Return `limit_to(bytes)`, which limits the free storage until the end of the test."""
    return lambda room: browser.limit_storage(browser.used_storage() + room)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """Return the name of the test's own journal."""
    return request.node.name


@pytest.fixture
def kernel(browser: Browser) -> Kernel:
    return browser.kernel()
