"""Reads rules: the head, and the recipe lines that follow."""

from __future__ import annotations

import re

from gemini_userland.make.database import Database, Prerequisite, Recipe, Rule
from gemini_userland.make.evaluate import Evaluator
from gemini_userland.make.host import Host
from gemini_userland.make.scan import MakeError, assignment, mask, names
from gemini_userland.make.variables import Origin, Scope
from gemini_userland.make.words import SPACE, Pattern


class RuleReader:
    """Collects the lines of a rule.

    Args:
        database: The database for finished rules.
        evaluator: Expands the head.
        host: Expands wildcards.
    """

    def __init__(self, database: Database, evaluator: Evaluator, host: Host) -> None:
        self._database = database
        self._evaluator = evaluator
        self._host = host
        self._targets: list[str] = []
        self._rule: Rule | None = None
        self._static: Pattern | None = None
        self._double = False
        self._lines: list[tuple[int, str]] = []
        self.is_open = False

    def add_line(self, number: int, text: str) -> None:
        """Add a line to the recipe."""
        self._lines.append((number, text))

    async def open(self, statement: str, whole: str) -> None:
        """Start a rule.

        Args:
            statement: The head without its comment.
            whole: The line with its comment, which is part of a recipe.

        Raises:
            MakeError: The head is invalid.
        """
        self.close()
        head, recipe = _split_recipe(statement, whole)
        left, right, expanded = await self._split_head(head, whole)
        if left is None:
            return
        grouped = left.endswith("&")
        if expanded and recipe is None:
            right, semicolon, rest = right.partition(";")
            recipe = rest if semicolon else None
        self._double = right.startswith(":")
        right = right[1:] if self._double else right
        targets = names(left[:-1] if grouped else left)
        own = assignment(right + (";" + recipe if recipe is not None else ""))
        if own is not None and not expanded:
            for target in globbed(targets, self._host):
                await self._evaluator.assign(own, self._scope(target))
            return
        await self._begin(targets, right if expanded else await self._evaluator.expand(right), grouped)
        if recipe is not None:
            where = self._evaluator.location
            self._lines.append((where.line if where else 0, recipe.lstrip(SPACE)))

    async def _split_head(self, head: str, whole: str) -> tuple[str | None, str, bool]:
        """Split the head at the colon into targets, the rest, and whether the rest is already expanded."""
        colon = mask(head).find(":")
        if colon >= 0:
            return (await self._evaluator.expand(head[:colon])).strip(SPACE), head[colon + 1 :], False
        text = await self._evaluator.expand(head)
        colon = mask(text.replace("$", " ")).find(":")
        if colon >= 0:
            return text[:colon].strip(SPACE), text[colon + 1 :], True
        if text.strip(SPACE):
            hint = " (did you mean TAB instead of 8 spaces?)" if whole.startswith("        ") else ""
            raise self._evaluator.error("missing separator" + hint)
        return None, "", True

    def _scope(self, target: str) -> Scope:
        pattern = Pattern.of(target)
        if pattern.suffix is None:
            scope = self._database.target(target).scope
        else:
            known = [scope for one, scope in self._database.pattern_scopes if one == pattern]
            scope = known[0] if known else Scope()
            if not known:
                self._database.pattern_scopes.append((pattern, scope))
        scope.around = scope.around or self._evaluator.globals
        return scope

    async def _begin(self, targets: list[str], right: str, grouped: bool) -> None:
        targets = globbed(targets, self._host)
        colon = mask(right.replace("$", " ")).find(":")
        static = right[:colon] if colon >= 0 else None
        right = right[colon + 1 :] if colon >= 0 else right
        rule = Rule([], None, self._evaluator.location)
        if "$" in right and self._database.special(".SECONDEXPANSION") is not None:
            rule.deferred = [right]
        else:
            rule.prerequisites = prerequisites(right, self._host)
        rule.together = targets if grouped else []
        self._targets, self._rule, self.is_open = targets, rule, True
        if static is not None:
            self._begin_static(names(static))

    def _begin_static(self, patterns: list[str]) -> None:
        if not patterns:
            raise self._evaluator.error("missing target pattern")
        if len(patterns) > 1:
            raise self._evaluator.error("multiple target patterns")
        pattern = Pattern.of(patterns[0])
        if pattern.suffix is None:
            raise self._evaluator.error("target pattern contains no '%'")
        assert self._rule is not None
        self._static = pattern

    def close(self) -> None:
        """Add the open rule to the database, if there is one."""
        rule, self._rule = self._rule, None
        static, self._static = self._static, None
        lines, self._lines = self._lines, []
        self.is_open = False
        if rule is None or not self._targets:
            return
        if lines:
            rule.recipe = Recipe(rule.where.file if rule.where else "", tuple(lines))
        if static is not None:
            self._add_static(rule, static)
            return
        patterns = [target for target in self._targets if Pattern.of(target).suffix is not None]
        if len(patterns) == len(self._targets):
            rule.terminal = self._double
            self._database.add_pattern(patterns, rule)
            return
        if self._targets[0] in patterns:
            raise MakeError("mixed implicit and normal rules", rule.where)
        if patterns:
            self._host.report("*** mixed implicit and normal rules: deprecated syntax", rule.where)
        self._add([Pattern.of(target).text for target in self._targets], rule)

    def _add(self, targets: list[str], rule: Rule) -> None:
        goal = self._evaluator.globals.own[".DEFAULT_GOAL"]
        eligible = [name for name in targets if not name.startswith(".") or "/" in name]
        if not goal.value and eligible:
            goal.value, goal.origin = eligible[0], Origin.FILE
        self._database.add(targets, rule, self._double)

    def _add_static(self, rule: Rule, pattern: Pattern) -> None:
        for target in self._targets:
            stem = pattern.stem(target)
            own = Rule([], rule.recipe, rule.where, stem=stem or "")
            if stem is None:
                self._host.report(f"target '{target}' doesn't match the target pattern", rule.where)
            else:
                own.prerequisites = [
                    Prerequisite(Pattern.of(one.name).fill(stem), one.order_only)
                    for one in rule.prerequisites
                ]
                own.deferred = [re.sub(r"(?<![\\$])%", lambda _: "$*", one) for one in rule.deferred]
            self._add([target], own)


def globbed(found: list[str], host: Host) -> list[str]:
    """Expand wildcards in names; a name without matches is unchanged."""
    return [name for one in found for name in (host.glob(one) if re.search(r"[*?[~]", one) else []) or [one]]


def prerequisites(text: str, host: Host) -> list[Prerequisite]:
    """Parse the expanded text `normal | order-only`."""
    normal, _, order_only = text.partition("|")
    return [
        *(Prerequisite(name) for name in globbed(names(normal), host)),
        *(Prerequisite(name, True) for name in globbed(names(order_only), host)),
    ]


def _split_recipe(statement: str, whole: str) -> tuple[str, str | None]:
    """Split `targets: prerequisites; recipe`; the recipe includes its comment."""
    masked = mask(whole)
    semicolon, comment = masked.find(";"), masked.find("#")
    if semicolon < 0 or 0 <= comment < semicolon:
        return statement, None
    return whole[:semicolon].lstrip(SPACE), whole[semicolon + 1 :]
