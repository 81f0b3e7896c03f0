"""The file that says which providers there are, besides those that everybody has."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from gemini_companion.folders import configuration_folder
from gemini_companion.gateway.errors import ConfigurationProblem
from gemini_companion.gateway.providers import BUILT_IN, KINDS, OPENAI, Provider

MEMBERS = ("kind", "base_url", "key", "key_env", "requests_per_minute", "concurrent")
KEYS = ("needed", "optional", "none")


def configuration_file() -> Path:
    """Where the file is."""
    return configuration_folder() / "providers.toml"


def load_providers(file: Path | None = None) -> dict[str, Provider]:
    """The built-in providers with what a TOML file (1.0) adds and changes, by name.

    Args:
        file: `configuration_file()` unless told otherwise; it need not exist.

    Raises:
        ConfigurationProblem: the file can't be read, or says what can't be done.
    """
    file = file or configuration_file()
    providers = {provider.name: provider for provider in BUILT_IN}
    for name, members in _tables(file).items():
        try:
            providers[name] = _provider(name, members, providers.get(name))
        except ConfigurationProblem as problem:
            raise ConfigurationProblem(f"{file}: {problem.message}", hint=problem.hint) from None
    return providers


def _tables(file: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationProblem(
            f"{file} can't be read: {error}.", hint="Make it a readable text file."
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationProblem(f"{file} is not TOML: {error}.", hint="Mend that line.") from error
    providers = content.pop("providers", {})
    if content or not isinstance(providers, dict):
        raise ConfigurationProblem(
            f"{file} has more than tables of providers.", hint="Each is headed [providers.<name>]."
        )
    return cast(dict[str, Any], providers)


def _provider(name: str, members: Any, known: Provider | None) -> Provider:
    if not isinstance(members, dict):
        raise ConfigurationProblem(f"{name} is no table.", hint=f"Head it [providers.{name}].")
    members = cast(dict[str, Any], members)
    for member in members:
        if member not in MEMBERS:
            raise ConfigurationProblem(
                f"The provider {name} has an unknown member {member!r}.",
                hint=f"Known are {', '.join(MEMBERS)}. Keys don't stand in this file.",
            )
    base_url = _text(members, "base_url", name) or (known.base_url if known else None)
    if base_url is None:
        raise ConfigurationProblem(f"The provider {name} has no base_url.", hint="Give it one.")
    base_url = base_url.rstrip("/")
    kind = _one_of(members, "kind", name, tuple(KINDS))
    start = known or Provider(name, OPENAI, base_url, (_variable(name),), key="none")
    usual = known.key if known else ("optional" if start.is_local else "needed")
    # All at once, so that an old key and a new address never meet unchecked.
    return replace(
        start,
        base_url=base_url,
        kind=KINDS[kind] if kind else start.kind,
        key=_one_of(members, "key", name, KEYS) or usual,
        variables=_variables(members, name) or start.variables,
        requests_per_minute=_count(members, "requests_per_minute", name) or start.requests_per_minute,
        concurrent=_count(members, "concurrent", name) or start.concurrent,
    )


def _variable(name: str) -> str:
    return f"{name.upper().replace('-', '_')}_API_KEY"


def _text(members: dict[str, Any], member: str, name: str) -> str | None:
    value = members.get(member)
    if value is not None and not isinstance(value, str):
        raise ConfigurationProblem(f"{member} of the provider {name} is no text.", hint="Put it in quotes.")
    return value


def _one_of(members: dict[str, Any], member: str, name: str, choices: tuple[str, ...]) -> str | None:
    value = _text(members, member, name)
    if value is not None and value not in choices:
        raise ConfigurationProblem(
            f"{member} of the provider {name} is {value!r}.", hint=f"Take one of {', '.join(choices)}."
        )
    return value


def _variables(members: dict[str, Any], name: str) -> tuple[str, ...]:
    value = members.get("key_env", [])
    names = cast(list[Any], value if isinstance(value, list) else [value])
    if not all(isinstance(each, str) and each for each in names):
        raise ConfigurationProblem(
            f"key_env of the provider {name} is no name of a variable, nor a list of them.",
            hint=f'Such as "{_variable(name)}".',
        )
    return tuple(names)


def _count(members: dict[str, Any], member: str, name: str) -> int | None:
    value = members.get(member)
    if value is not None and (type(value) is not int or value < 1):
        raise ConfigurationProblem(
            f"{member} of the provider {name} is no number above 0.", hint="Give a whole number."
        )
    return value
