"""The user's secrets as variables of one command on this machine: `GH_TOKEN=secret:github gh pr list`.

The user has allowed a secret for commands in the settings, and is asked about each command that gets one. A command
that has a value can pass it on in ways that nothing finds; what it prints is masked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gemini_companion.secrets import Masked, SecretAccess, Secrets
from gemini_companion.secrets.placeholders import NAME, Connection
from gemini_companion.secrets.secrets import COMMANDS, Transform

ASSIGNMENT = re.compile(rf"[ \t]*([A-Za-z_][A-Za-z0-9_]*)=secret:({NAME})[ \t]+(?=\S)")


def divided(command: str) -> tuple[dict[str, str], str]:
    """Return the names of secrets that a command begins with, by variable, and the rest of the command."""
    names: dict[str, str] = {}
    rest = command
    while (found := ASSIGNMENT.match(rest)) is not None:
        names[found[1]] = found[2]
        rest = rest[found.end() :]
    return names, rest


@dataclass(frozen=True)
class Given:
    """The secrets that one command gets.

    Attributes:
        variables: Their values by variable.
        masks: What is replaced in its output.
    """

    variables: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    masks: Sequence[Masked] = field(default=(), repr=False)

    def without(self, environment: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
        """Return the variables that the command left for the next one, without these values."""
        values = tuple(self.variables.values())
        left = {
            name: value
            for name, value in environment.items()
            if name not in self.variables and not any(each in value for each in values)
        }
        return {**left, **{name: before[name] for name in self.variables if name in before}}


NOTHING = Given()


class HostSecrets:
    """The secrets for one page's commands.

    Args:
        secrets: The user's secrets.
        placeholder: Returns the page's placeholder of a secret's name.
    """

    def __init__(self, secrets: Secrets, placeholder: Transform) -> None:
        self._secrets = secrets
        self._placeholder = placeholder

    @classmethod
    def of(cls, access: SecretAccess, connection: Connection) -> HostSecrets:
        """Return those of a page's connection."""
        return cls(access.secrets, access.visits.of(connection).placeholder)

    def require(self, names: Mapping[str, str]) -> None:
        """Raise SecretUnknown or SecretNotForThis unless the user allows commands to have all of these."""
        for name in names.values():
            self._secrets.require_for_commands(name)

    async def given(self, names: Mapping[str, str]) -> Given:
        """Return the values of a command that the user has agreed to, and what is masked in its output.

        Raises:
            SecretNotForThis, SecretUnknown: The user has changed a secret meanwhile.
            SecretUnavailable: The keyring doesn't release a value.
            FolderUnusable: The file can't be written.
        """
        values = {variable: await self._secrets.for_command(name) for variable, name in names.items()}
        # Later commands may print what an earlier one has stored.
        if not self._secrets.has_received(COMMANDS):
            return NOTHING
        return Given(values, await self._secrets.masks(self._placeholder))
