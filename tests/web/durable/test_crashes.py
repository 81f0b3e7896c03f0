"""Workers that die at any moment: acknowledged transactions survive, and none is incomplete."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from tests.web.durable.harness import Browser, Death, Kernel
from tests.web.durable.model import History, differences

pytestmark = pytest.mark.extended

# Small enough for frequent rewrites of the journal.
SLACK = 50_000
AHEAD = 60
STOPS = [
    ("write", "before"),
    ("write", "within"),
    ("write", "after"),
    ("flush", "before"),
    ("flush", "after"),
    ("truncate", "before"),
    ("truncate", "after"),
]

Kill = Callable[[Kernel, random.Random, int, list[object]], Death]


def survive(browser: Browser, name: str, seed: int, kills: Sequence[Kill]) -> list[Death]:
    """Play a seeded history through workers that die in turn, and compare after every death.

    Every worker continues after the transactions that its predecessor saved.
    """
    history = History.seeded(seed, len(kills) * AHEAD)
    rng = random.Random(seed)
    deaths: list[Death] = []
    acknowledged = 0
    for kill in kills:
        kernel = browser.kernel()
        reached = check(kernel, name, history, acknowledged, deaths)
        ahead = history.transactions[reached : reached + AHEAD]
        deaths.append(kill(kernel, rng, reached + 1, [ahead, reached + 1]))
        acknowledged = max(reached, deaths[-1].acknowledged)
    check(browser.kernel(), name, history, acknowledged, deaths)
    return deaths


def check(kernel: Kernel, name: str, history: History, acknowledged: int, deaths: list[Death]) -> int:
    """Open the journal, compare it, and return its number of transactions."""
    report = kernel.open(name, slack=SLACK)
    assert report["damaged"] is None, f"damaged; the workers died {deaths}"
    seen = kernel.read_tree()
    reached = history.reached(seen)
    assert reached >= acknowledged, f"lost acknowledged transactions; the workers died {deaths}"
    assert not differences(history.states[reached], seen), f"torn; the workers died {deaths}"
    return reached


def at_any_time(kernel: Kernel, rng: random.Random, first: int, play: list[object]) -> Death:
    after = first + rng.randrange(AHEAD // 2)
    return kernel.kill_during(after, rng.uniform(0, 40), "play", *play)


def inside_the_storage(method: str, point: str) -> Kill:
    def kill(kernel: Kernel, rng: random.Random, first: int, play: list[object]) -> Death:
        # Truncations happen only in rewrites, which are few.
        nth = rng.randint(1, 2 if method == "truncate" else 40)
        return kernel.kill_inside(method, nth, point, "play", *play)

    return kill


@pytest.mark.extended
def test_workers_killed_at_any_time_lose_nothing(browser: Browser, name: str) -> None:
    survive(browser, name, 1, [at_any_time] * 5)


@pytest.mark.extended
def test_workers_killed_inside_commits_lose_nothing(browser: Browser, name: str) -> None:
    deaths = survive(browser, name, 3, [inside_the_storage(method, point) for method, point in STOPS])
    assert [death.at for death in deaths] == [f"{point} {method}" for method, point in STOPS]
