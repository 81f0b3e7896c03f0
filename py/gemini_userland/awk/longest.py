"""Finds how far a match extends: as far as possible (POSIX), where Python takes the first alternative that fits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gemini_userland.awk.regexes import Choice, Group, Item, One, Place, Repeat, Sequence


@dataclass
class _State:
    """A state: it takes a character, or stands at a place, or only leads on."""

    takes: re.Pattern[str] | None = None
    place: re.Pattern[str] | None = None
    next: list[int] = field(default_factory=list[int])


class Automaton:
    """The states of an expression (Thompson's construction). Sets of them are remembered as they are met.

    Args:
        item: The expression.
        flags: The flags of `re`.
    """

    def __init__(self, item: Item, flags: int) -> None:
        self._flags = flags
        self._states = [_State()]
        self._has_places = False
        self._start = self._add(item, 0)
        self._known: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def _state(self, **values: object) -> int:
        self._states.append(_State(**values))  # type: ignore[arg-type]
        return len(self._states) - 1

    def _add(self, item: Item, after: int) -> int:
        """Add the states of an item that leads to `after`; return the first one."""
        match item:
            case One():
                return self._state(takes=re.compile(item.source, self._flags), next=[after])
            case Place():
                self._has_places = True
                return self._state(place=re.compile(item.source, self._flags), next=[after])
            case Sequence():
                for one in reversed(item.items):
                    after = self._add(one, after)
                return after
            case Choice():
                return self._state(next=[self._add(one, after) for one in item.items])
            case Group():
                return self._add(item.item, after)
            case Repeat():
                return self._repeat(item, after)

    def _repeat(self, item: Repeat, after: int) -> int:
        if item.most is None:
            loop = self._state(next=[after])
            self._states[loop].next.append(self._add(item.item, loop))
            after = loop
        else:
            last = after
            for _ in range(item.most - item.least):
                after = self._state(next=[last, self._add(item.item, after)])
        for _ in range(item.least):
            after = self._add(item.item, after)
        return after

    def end(self, text: str, start: int) -> int | None:
        """Return where the longest match that begins at `start` ends, or None if there is none."""
        current = self._reach([self._start], text, start)
        best = start if 0 in current else None
        for at in range(start, len(text)):
            key = (current, text[at])
            following = None if self._has_places else self._known.get(key)
            if following is None:
                following = self._reach(self._after(current, text[at]), text, at + 1)
                if not self._has_places:
                    self._known[key] = following
            current = following
            if not current:
                break
            if 0 in current:
                best = at + 1
        return best

    def _after(self, states: frozenset[int], character: str) -> list[int]:
        return [
            target
            for number in states
            if (takes := self._states[number].takes) is not None and takes.match(character)
            for target in self._states[number].next
        ]

    def _reach(self, numbers: list[int], text: str, at: int) -> frozenset[int]:
        """Return the states that these lead to without a character."""
        found: set[int] = set()
        left = list(numbers)
        while left:
            number = left.pop()
            if number in found:
                continue
            found.add(number)
            state = self._states[number]
            if state.takes is None and (state.place is None or state.place.match(text, at)):
                left.extend(state.next)
        return frozenset(found)
