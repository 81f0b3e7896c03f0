"""Updates targets, in the order of their dependencies."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from gemini_userland.make.database import Database, Rule, Target
from gemini_userland.make.evaluate import Evaluator
from gemini_userland.make.flags import Flags
from gemini_userland.make.host import Host
from gemini_userland.make.implicit import ImplicitSearch
from gemini_userland.make.recipes import RecipeRunner
from gemini_userland.make.rule_reader import prerequisites
from gemini_userland.make.scan import MakeError
from gemini_userland.make.variables import Origin, Scope
from gemini_userland.make.words import directory_part, file_part

ANCIENT, FUTURE = 0, 2**100
"""Modification times for -o and -W, in nanoseconds."""


class Stopped(Exception):
    """A recipe failed, or -q found an outdated target. The message has already been printed."""


@dataclass(eq=False)
class Node:
    """A file in the dependency graph.

    Attributes:
        target: Its target in the database.
        phony: Whether it is phony.
        rules: The rules that make it; None until they are searched.
        running: Whether its update is in progress.
        finished: Whether its update is complete.
        failed: Whether its update failed.
        blocked: Whether it failed because of a prerequisite.
        claimed: A modification time to use instead of the file's.
        settled: The file's own modification time, once the node is finished.
        intermediate: Whether it is only a step in a chain of pattern rules.
        existed: Whether the file existed before.
    """

    target: Target
    phony: bool
    rules: list[Rule] | None = None
    running: bool = False
    finished: bool = False
    failed: bool = False
    blocked: bool = False
    claimed: int | None = None
    settled: tuple[int | None] | None = None
    intermediate: bool = False
    existed: bool = False

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.target.name

    @property
    def has_recipe(self) -> bool:
        """True if one of its rules has a recipe."""
        return any(rule.recipe is not None for rule in self.rules or [])


@dataclass
class _Prerequisites:
    """The updated prerequisites of a rule."""

    normal: list[Node] = field(default_factory=list[Node])
    order_only: list[Node] = field(default_factory=list[Node])
    postponed: list[Node] = field(default_factory=list[Node])
    stale: bool = False
    ok: bool = True


class Builder:
    """Updates targets.

    Args:
        database: The rules.
        evaluator: Expands variables.
        host: The shell and file system.
        flags: The options.
        nodes: The nodes of an earlier builder, to share its results.

    Attributes:
        started: The number of commands that were run, or printed with -n.
        nodes: The known files, by name.
    """

    def __init__(
        self,
        database: Database,
        evaluator: Evaluator,
        host: Host,
        flags: Flags,
        nodes: dict[str, Node] | None = None,
    ) -> None:
        self.started = 0
        self.nodes = {} if nodes is None else nodes
        self._database = database
        self._evaluator = evaluator
        self._host = host
        self._flags = flags
        self._search = ImplicitSearch(database, evaluator, host)
        self._runner = RecipeRunner(database, evaluator, host, flags)
        self._phony = set(database.special(".PHONY") or [])

    def _node(self, name: str) -> Node:
        if name not in self.nodes:
            target = self._database.targets.get(name) or Target(name)
            self.nodes[name] = Node(target, name in self._phony)
        return self.nodes[name]

    def _mtime(self, node: Node) -> int | None:
        if node.phony:
            return None
        if node.name in self._flags.new_files:
            return FUTURE
        if node.name in self._flags.old_files:
            return ANCIENT
        if node.claimed is not None:
            return node.claimed
        if not node.finished:
            return self._host.mtime(node.name)
        # Finished files don't change, but many nodes ask for their time.
        if node.settled is None:
            node.settled = (self._host.mtime(node.name),)
        return node.settled[0]

    async def rules(self, name: str) -> list[Rule]:
        """Return the rules for a file: explicit ones, otherwise a pattern rule or .DEFAULT."""
        node = self._node(name)
        if node.rules is None:
            node.rules = await self._find_rules(node)
        return node.rules

    async def _find_rules(self, node: Node) -> list[Rule]:
        rule = node.target.rule
        if node.target.double or (rule is not None and (rule.recipe is not None or node.phony)):
            return list(node.target.rules)
        match = None if node.phony else await self._search.find(node.name)
        if match is None:
            default = self._database.targets.get(".DEFAULT")
            if rule is None and default is not None and default.rule is not None and default.rule.recipe:
                return [Rule([], default.rule.recipe, default.rule.where)]
            return [rule] if rule is not None else []
        for name in match.intermediate:
            self._node(name).intermediate = True
        found = match.candidate.rule
        own = rule or Rule([], None, None)
        return [
            Rule(
                match.prerequisites + own.prerequisites,
                found.recipe,
                found.where,
                own.deferred,
                match.stem,
                match.together,
            )
        ]

    async def update(self, name: str, around: Scope, needed_by: str | None = None) -> Node:
        """Update a file.

        Args:
            name: The file.
            around: The scope of the target that needs it.
            needed_by: The name of that target.

        Raises:
            Stopped: A recipe failed, without -k.
            MakeError: There is no rule for the file.
        """
        node = self._node(name)
        if node.finished or name in self._flags.old_files:
            return node
        node.running = True
        self._enter(node, around)
        rules = await self.rules(name)
        node.existed = self._host.exists(name)
        if not rules and self._mtime(node) is None:
            self._report_missing_rule(node, needed_by)
        try:
            for rule in rules:
                await self._update_by(node, rule)
        except Stopped:
            node.failed = True
            raise
        finally:
            node.running = False
            node.finished = True
        return node

    def _enter(self, node: Node, around: Scope) -> None:
        """Chain the target's scope to its patterns' scopes, and these to its parent's."""
        for general in self._database.scopes_for(node.name):
            layer = Scope(around, inherited=True)
            layer.own = general.own
            around = layer
        node.target.scope.around = around

    def _report_missing_rule(self, node: Node, needed_by: str | None) -> None:
        needed = f", needed by '{needed_by}'" if needed_by else ""
        problem = f"No rule to make target '{node.name}'{needed}"
        if not self._flags.keep_going:
            raise MakeError(problem)
        self._host.fail(f"{problem}.")
        node.failed = True

    async def _update_by(self, node: Node, rule: Rule) -> None:
        before = self._mtime(node)
        await self._expand_deferred(node, rule)
        found = await self._prerequisites(node, rule, before)
        if not found.ok:
            node.failed = node.blocked = True
            return
        lonely = bool(node.target.double) and not found.normal
        if not (before is None or found.stale or lonely or self._flags.always_make) or rule.recipe is None:
            return
        for child in found.postponed:
            await self.update(child.name, node.target.scope, node.name)
        await self._make(node, rule, found, before)

    async def _expand_deferred(self, node: Node, rule: Rule) -> None:
        """Expand prerequisites a second time, with the target's variables (.SECONDEXPANSION)."""
        deferred, rule.deferred = rule.deferred, []
        for text in deferred:
            scope = Scope(node.target.scope)
            self._define(scope, "@", [node.name])
            self._define(scope, "*", [rule.stem])
            self._define(scope, "<", rule.names[:1])
            self._define(scope, "^", list(dict.fromkeys(rule.names)))
            self._define(scope, "+", rule.names)
            rule.prerequisites += prerequisites(await self._evaluator.expand(text, scope), self._host)

    async def _prerequisites(self, node: Node, rule: Rule, before: int | None) -> _Prerequisites:
        found = _Prerequisites()
        for name, order_only in rule.prerequisites:
            child = self._node(name)
            if child.running:
                self._host.report(f"Circular {node.name} <- {name} dependency dropped.")
                continue
            counts = not order_only
            (found.normal if counts else found.order_only).append(child)
            if (
                before is not None
                and child.intermediate
                and self._mtime(child) is None
                and not child.finished
            ):
                found.postponed.append(child)
                found.stale |= counts and await self._is_outdated(child, before, node)
                continue
            await self.update(name, node.target.scope, node.name)
            found.ok &= not child.failed
            found.stale |= counts and self._is_newer(child, before)
        return found

    def _is_newer(self, child: Node, before: int | None) -> bool:
        mtime = self._mtime(child)
        return before is None or mtime is None or mtime > before

    async def _is_outdated(self, node: Node, before: int, parent: Node) -> bool:
        """Return whether the sources of a missing intermediate file are newer than its target."""
        outdated = False
        self._enter(node, parent.target.scope)
        for rule in await self.rules(node.name):
            for name in rule.names:
                child = self._node(name)
                if child.intermediate and self._mtime(child) is None:
                    outdated |= await self._is_outdated(child, before, node)
                else:
                    await self.update(name, node.target.scope, node.name)
                    outdated |= self._is_newer(child, before)
        return outdated

    async def _make(self, node: Node, rule: Rule, found: _Prerequisites, before: int | None) -> None:
        assert rule.recipe is not None
        scope = self._automatic(node, rule, found, before)
        try:
            ran = await self._runner.run(node.name, rule.recipe, scope)
        except (asyncio.CancelledError, KeyboardInterrupt):
            self._delete_incomplete(node, before)
            raise
        idle = self._flags.question or (self._flags.touch and node.phony)
        self.started += 0 if idle else ran.commands
        if self._flags.question and ran.commands:
            raise Stopped
        if self._flags.touch and ran.commands and not node.phony:
            self._touch(node.name)
        for name in (node.name, *rule.together):
            other = self._node(name)
            other.failed = not ran.ok
            other.claimed = None if ran.for_real else FUTURE
            other.finished |= other is not node
            other.settled = None
        if not ran.ok:
            self._fail(node, before)

    def _fail(self, node: Node, before: int | None) -> None:
        if self._database.special(".DELETE_ON_ERROR") is not None:
            self._delete_incomplete(node, before)
        if not self._flags.keep_going:
            raise Stopped

    def _delete_incomplete(self, node: Node, before: int | None) -> None:
        after = self._host.mtime(node.name)
        precious = node.phony or node.name in (self._database.special(".PRECIOUS") or [])
        if after is None or after == before or precious or os.path.isdir(self._host.path(node.name)):
            return
        self._host.fail(f"Deleting file '{node.name}'")
        os.unlink(self._host.path(node.name))

    def _touch(self, name: str) -> None:
        if not self._flags.silent:
            self._host.print(f"touch {name}")
        with open(self._host.path(name), "ab"):
            os.utime(self._host.path(name), ns=(time.time_ns(), time.time_ns()))

    def _automatic(self, node: Node, rule: Rule, found: _Prerequisites, before: int | None) -> Scope:
        """Return the recipe's scope: the target's with the automatic variables."""
        normal = [child.name for child in found.normal]
        default = self._database.targets.get(".DEFAULT")
        is_default = default is not None and default.rule is not None and default.rule.recipe is rule.recipe
        newer = [child.name for child in found.normal if self._is_newer(child, before)]
        scope = Scope(node.target.scope)
        self._define(scope, "@", [node.name])
        self._define(scope, "<", [node.name] if is_default else normal[:1])
        self._define(scope, "^", list(dict.fromkeys(normal)))
        self._define(scope, "+", normal)
        self._define(scope, "?", list(dict.fromkeys(newer)))
        only = dict.fromkeys(child.name for child in found.order_only if child not in found.normal)
        self._define(scope, "|", list(only))
        self._define(scope, "*", [rule.stem or self._stem(node.name)])
        self._define(scope, "%", [])
        return scope

    def _stem(self, name: str) -> str:
        """Return the value of $* in a rule without a pattern: the name without a known suffix."""
        suffix = next((one for one in self._database.suffixes if name.endswith(one)), "")
        return name[: len(name) - len(suffix)] if suffix else ""

    def _define(self, scope: Scope, name: str, values: list[str]) -> None:
        values = [value for value in values if value]
        scope.set(name, " ".join(values), Origin.AUTOMATIC)
        directories = [directory_part(value).rstrip("/") or "/" for value in values]
        scope.set(name + "D", " ".join(directories), Origin.AUTOMATIC)
        scope.set(name + "F", " ".join(file_part(value) for value in values), Origin.AUTOMATIC)

    def remove_intermediates(self) -> None:
        """Delete the intermediate files that this run created."""
        created = list(self._created_intermediates())
        if not created:
            return
        if not self._flags.silent:
            self._host.print("rm " + " ".join(created))
        if not self._flags.dry_run:
            for name in created:
                os.unlink(self._host.path(name))

    def _created_intermediates(self) -> Iterator[str]:
        for node in self.nodes.values():
            created = (
                node.intermediate
                and node.finished
                and not node.existed
                and not self._database.mentions(node.name)
            )
            exists = self._flags.dry_run or self._host.exists(node.name)
            if created and exists and not self._database.is_precious(node.name):
                yield node.name
