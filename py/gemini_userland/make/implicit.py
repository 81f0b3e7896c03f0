"""Finds the pattern rule for a file, and its prerequisites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gemini_userland.make.database import Database, PatternRule, Prerequisite
from gemini_userland.make.evaluate import Evaluator
from gemini_userland.make.host import Host
from gemini_userland.make.rule_reader import prerequisites
from gemini_userland.make.variables import Origin, Scope
from gemini_userland.make.words import Pattern


@dataclass(frozen=True)
class _Candidate:
    """A pattern rule whose target matches. For patterns without a slash, the file's directory is removed first."""

    pattern: PatternRule
    target: Pattern
    directory: str
    stem: str

    @property
    def full_stem(self) -> str:
        return self.directory + self.stem

    def fill(self, name: str) -> str:
        """Replace % in a prerequisite; one without % is returned unchanged."""
        pattern = Pattern.of(name)
        return name if pattern.suffix is None else self.directory + pattern.fill(self.stem)


@dataclass
class Match:
    """A pattern rule applied to a file.

    Attributes:
        candidate: The rule.
        stem: The text that % stands for.
        prerequisites: The prerequisites for the file.
        together: The other files that the recipe makes.
        intermediate: The prerequisites that other pattern rules make.
    """

    candidate: PatternRule
    stem: str
    prerequisites: list[Prerequisite]
    together: list[str]
    intermediate: list[str] = field(default_factory=list[str])


class ImplicitSearch:
    """GNU make's search, shortest stem first (manual, "Implicit Rule Search Algorithm").

    Args:
        database: The pattern rules.
        evaluator: Expands deferred prerequisites.
        host: Finds files.
    """

    def __init__(self, database: Database, evaluator: Evaluator, host: Host) -> None:
        self._database = database
        self._evaluator = evaluator
        self._host = host

    async def find(self, name: str, used: tuple[PatternRule, ...] = ()) -> Match | None:
        """Return the rule for a file, or None.

        Args:
            name: The file.
            used: The rules that the current chain already uses.
        """
        candidates = [one for one in self._candidates(name, bool(used)) if one.pattern not in used]
        for chained in (False, True):
            for candidate in candidates:
                if chained and candidate.pattern.rule.terminal:
                    continue
                match = await self._apply(name, candidate, chained, used)
                if match is not None:
                    return match
        return None

    def _candidates(self, name: str, in_chain: bool) -> list[_Candidate]:
        found = list(self._matching(name))
        specific = any(one.target != Pattern("", "") for one in found)
        eligible = [
            one
            for one in found
            if one.target != Pattern("", "") or one.pattern.rule.terminal or not (specific or in_chain)
        ]
        return sorted(eligible, key=lambda one: len(one.full_stem))

    def _matching(self, name: str) -> Iterator[_Candidate]:
        slash = name.rfind("/") + 1
        for pattern in self._database.patterns:
            for target in pattern.targets:
                directory = "" if "/" in target.text else name[:slash]
                stem = target.stem(name[len(directory) :])
                if stem:
                    yield _Candidate(pattern, target, directory, stem)

    async def _apply(
        self, name: str, candidate: _Candidate, chained: bool, used: tuple[PatternRule, ...]
    ) -> Match | None:
        needed = await self._prerequisites(name, candidate)
        match = Match(candidate.pattern, candidate.full_stem, needed, self._together(candidate))
        for prerequisite in [one.name for one in needed]:
            if self._database.mentions(prerequisite) or self._host.exists(prerequisite):
                continue
            if not chained:
                return None
            if await self.find(prerequisite, (*used, candidate.pattern)) is None:
                return None
            match.intermediate.append(prerequisite)
        return match

    async def _prerequisites(self, name: str, candidate: _Candidate) -> list[Prerequisite]:
        found = candidate.pattern.rule.prerequisites
        for text in candidate.pattern.rule.deferred:
            scope = Scope(self._evaluator.globals)
            scope.set("@", name, Origin.AUTOMATIC)
            scope.set("*", candidate.full_stem, Origin.AUTOMATIC)
            found = prerequisites(await self._evaluator.expand(text, scope), self._host)
        return [Prerequisite(candidate.fill(one.name), one.order_only) for one in found]

    def _together(self, candidate: _Candidate) -> list[str]:
        return [
            candidate.directory + target.fill(candidate.stem)
            for target in candidate.pattern.targets
            if target != candidate.target
        ]
