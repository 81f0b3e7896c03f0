"""Whatever moment the worker dies at, what it acknowledged is there, and no transaction by halves."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.web.durable.harness import Browser, Kernel, Stopped
from tests.web.durable.model import History, disagreements

# Small enough that journals are rewritten again and again.
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

Kill = Callable[[Kernel, random.Random, int, list[object]], Stopped]


def survive(browser: Browser, name: str, seed: int, kills: Sequence[Kill]) -> list[Stopped]:
    """Play a seeded history through workers that die one after the other, and compare after every death.

    Every worker gets the transactions that follow those that its predecessor saved.
    """
    history = History.seeded(seed, len(kills) * AHEAD)
    chance = random.Random(seed)
    deaths: list[Stopped] = []
    acknowledged = 0
    for kill in kills:
        kernel = browser.kernel()
        reached = check(kernel, name, history, acknowledged, deaths)
        ahead = history.transactions[reached : reached + AHEAD]
        deaths.append(kill(kernel, chance, reached + 1, [ahead, reached + 1]))
        acknowledged = max(reached, deaths[-1].acknowledged)
    check(browser.kernel(), name, history, acknowledged, deaths)
    return deaths


def check(kernel: Kernel, name: str, history: History, acknowledged: int, deaths: list[Stopped]) -> int:
    """Open the journal and compare; gives the number of transactions that it holds."""
    report = kernel.open(name, slack=SLACK)
    assert report["damaged"] is None, f"damaged; the workers died {deaths}"
    seen = kernel.look()
    reached = history.reached(seen)
    assert reached >= acknowledged, f"lost what was acknowledged; the workers died {deaths}"
    assert not disagreements(history.states[reached], seen), f"torn; the workers died {deaths}"
    return reached


def at_any_time(kernel: Kernel, chance: random.Random, first: int, play: list[object]) -> Stopped:
    after = first + chance.randrange(AHEAD // 2)
    return kernel.kill_during(after, chance.uniform(0, 40), "play", *play)


def inside_the_storage(method: str, point: str) -> Kill:
    def kill(kernel: Kernel, chance: random.Random, first: int, play: list[object]) -> Stopped:
        # Truncations belong to rewrites, of which there are few.
        nth = chance.randint(1, 2 if method == "truncate" else 40)
        return kernel.kill_inside(method, nth, point, "play", *play)

    return kill


def test_workers_killed_at_any_time_lose_nothing(browser: Browser, name: str) -> None:
    survive(browser, name, 1, [at_any_time] * 5)


def test_workers_killed_inside_of_commits_lose_nothing(browser: Browser, name: str) -> None:
    deaths = survive(browser, name, 3, [inside_the_storage(method, point) for method, point in STOPS])
    assert [death.at for death in deaths] == [f"{point} {method}" for method, point in STOPS]
