"""The content of the makefiles: targets, rules and patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gemini_userland.make.host import Host
from gemini_userland.make.scan import Location, MakeError
from gemini_userland.make.variables import Scope
from gemini_userland.make.words import Pattern, words

SUFFIXES = words(
    ".out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym .def .h .info .dvi .tex "
    ".texinfo .texi .txinfo .w .ch .web .sh .elc .el"
)
"""The default suffixes of GNU make."""


@dataclass(frozen=True)
class Recipe:
    """The lines of a recipe with their numbers, unexpanded and without the prefix."""

    file: str
    lines: tuple[tuple[int, str], ...]


class Prerequisite(NamedTuple):
    """A prerequisite. If it is order-only, a newer file doesn't outdate the target."""

    name: str
    order_only: bool = False


@dataclass
class Rule:
    """A rule: the prerequisites of targets, and the recipe that makes them.

    Attributes:
        prerequisites: The prerequisites in order; in a pattern rule with %.
        recipe: The recipe, if there is one.
        where: The line of the rule.
        deferred: Text of prerequisites that is expanded again when the target is considered (.SECONDEXPANSION).
        stem: The stem, if a static pattern created the rule.
        together: The other targets that the same run of the recipe makes.
        terminal: Whether it is a pattern rule with two colons, whose prerequisites must exist.
    """

    prerequisites: list[Prerequisite]
    recipe: Recipe | None
    where: Location | None
    deferred: list[str] = field(default_factory=list[str])
    stem: str = ""
    together: list[str] = field(default_factory=list[str])
    terminal: bool = False

    @property
    def names(self) -> list[str]:
        """The names of the prerequisites that aren't order-only, with duplicates."""
        return [one.name for one in self.prerequisites if not one.order_only]


@dataclass
class PatternRule:
    """A rule for all files that match one of `targets`."""

    targets: list[Pattern]
    rule: Rule


@dataclass
class Target:
    """A target.

    Attributes:
        name: The name of the file.
        rule: The combination of all rules with one colon.
        double: The rules with two colons, in order.
        scope: The target-specific variables.
    """

    name: str
    rule: Rule | None = None
    double: list[Rule] = field(default_factory=list[Rule])
    scope: Scope = field(default_factory=lambda: Scope(inherited=True))

    @property
    def rules(self) -> Iterator[Rule]:
        """Its rules."""
        yield from self.double or ([self.rule] if self.rule else [])


class Database:
    """All targets, pattern rules and pattern-specific variables, in the order of the makefiles.

    Args:
        host: Reports warnings.
        suffixes: The known suffixes.
    """

    def __init__(self, host: Host, suffixes: Sequence[str]) -> None:
        self._host = host
        self.targets: dict[str, Target] = {}
        self.patterns: list[PatternRule] = []
        self.pattern_scopes: list[tuple[Pattern, Scope]] = []
        self.suffixes = list(suffixes)
        self._mentioned: set[str] = set()

    def target(self, name: str) -> Target:
        """Return a target, which is created if it is new."""
        if name not in self.targets:
            self.targets[name] = Target(name)
        return self.targets[name]

    def has_rule(self, name: str) -> bool:
        """Return whether `name` is the target of a rule, with or without a recipe."""
        target = self.targets.get(name)
        return target is not None and any(True for _ in target.rules)

    def mentions(self, name: str) -> bool:
        """Return whether an explicit rule has `name` as target or prerequisite."""
        return name in self._mentioned

    def special(self, name: str) -> list[str] | None:
        """Return the prerequisites of a special target such as .PHONY, or None if it isn't defined."""
        target = self.targets.get(name)
        if target is None or target.rule is None:
            return None
        return target.rule.names

    def applies(self, name: str, target: str) -> bool:
        """Return whether a special target applies to `target`: it lists it, or lists nothing."""
        listed = self.special(name)
        return listed is not None and (not listed or target in listed)

    def is_precious(self, name: str) -> bool:
        """Return whether an intermediate file must not be deleted."""
        for special in (".PRECIOUS", ".SECONDARY"):
            listed = self.special(special)
            if listed is not None and (
                not listed or any(Pattern.of(one).stem(name) is not None for one in listed)
            ):
                return special == ".SECONDARY" or bool(listed)
        return False

    def add(self, names: list[str], rule: Rule, double: bool) -> None:
        """Add an explicit rule for targets.

        Args:
            names: The targets.
            rule: The rule.
            double: Whether it has two colons.

        Raises:
            MakeError: A target has rules with one and with two colons.
        """
        for name in names:
            if name == ".SUFFIXES":
                self.suffixes = self.suffixes + rule.names if rule.names else []
            self._mentioned.update([name, *(one.name for one in rule.prerequisites)])
            self._join(self.target(name), rule, double)

    def _join(self, target: Target, rule: Rule, double: bool) -> None:
        if (target.rule is not None and double) or (target.double and not double):
            raise MakeError(f"target file '{target.name}' has both : and :: entries", rule.where)
        own = Rule(
            list(rule.prerequisites),
            rule.recipe,
            rule.where,
            list(rule.deferred),
            rule.stem,
            [name for name in rule.together if name != target.name],
        )
        if double:
            target.double.append(own)
        elif target.rule is None:
            target.rule = own
        else:
            self._extend(target, target.rule, own)

    def _extend(self, target: Target, old: Rule, new: Rule) -> None:
        if new.recipe is None:
            old.prerequisites += new.prerequisites
            old.deferred += new.deferred
        else:
            if old.recipe is not None:
                self._warn_overriding(target.name, old.recipe, new.recipe)
            # $< is the first prerequisite of the rule with the recipe.
            old.prerequisites = new.prerequisites + old.prerequisites
            old.deferred = new.deferred + old.deferred
            old.recipe, old.where, old.stem, old.together = new.recipe, new.where, new.stem, new.together

    def _warn_overriding(self, name: str, old: Recipe, new: Recipe) -> None:
        self._host.report(f"warning: overriding recipe for target '{name}'", _start(new))
        self._host.report(f"warning: ignoring old recipe for target '{name}'", _start(old))

    def add_pattern(self, targets: list[str], rule: Rule) -> None:
        """Add a pattern rule; one without a recipe cancels an earlier one with the same patterns."""
        patterns = [Pattern.of(target) for target in targets]
        same = [
            one
            for one in self.patterns
            if one.targets == patterns and one.rule.prerequisites == rule.prerequisites
        ]
        self.patterns = [one for one in self.patterns if one not in same]
        if rule.recipe is not None:
            self.patterns.append(PatternRule(patterns, rule))

    def finish(self) -> None:
        """Convert suffix rules (`.md.html:`) to pattern rules."""
        for name, target in self.targets.items():
            rule = target.rule
            if rule is None or rule.recipe is None or rule.prerequisites or not name.startswith("."):
                continue
            if name in self.suffixes:
                self.add_pattern(["%"], self._from_suffix(rule, name))
            for source in self.suffixes:
                result = name.removeprefix(source)
                if result != name and result in self.suffixes:
                    self.add_pattern(["%" + result], self._from_suffix(rule, source))

    def _from_suffix(self, rule: Rule, source: str) -> Rule:
        return Rule([Prerequisite("%" + source)], rule.recipe, rule.where)

    def scopes_for(self, name: str) -> list[Scope]:
        """Return the pattern-specific scopes of a target, the most general first."""
        matching = [
            (len(stem), scope)
            for pattern, scope in self.pattern_scopes
            if (stem := pattern.stem(name)) is not None
        ]
        return [scope for _, scope in sorted(matching, key=lambda one: -one[0])]


def _start(recipe: Recipe) -> Location:
    return Location(recipe.file, recipe.lines[0][0])
