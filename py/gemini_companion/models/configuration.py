"""The providers file, which adds to the built-in providers and changes them."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from gemini_companion.models.errors import ConfigurationProblem
from gemini_companion.models.providers import BUILT_IN, KINDS, OPENAI, Provider
from gemini_companion.storage.folders import configuration_folder

MEMBERS = ("kind", "base_url", "key", "key_env", "requests_per_minute", "concurrent")
KEYS = ("needed", "optional", "none")


def configuration_file() -> Path:
    """Return the path of the providers file."""
    return configuration_folder() / "providers.toml"


def load_providers(file: Path | None = None) -> dict[str, Provider]:
    """Return the built-in providers, by name, with the additions and changes of a TOML 1.0 file.

    Args:
        file: `configuration_file()` by default; it may be missing.

    Raises:
        ConfigurationProblem: The file can't be read, or has a mistake.
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
        raise ConfigurationProblem(f"{file} is not TOML: {error}.", hint="Fix that line.") from error
    providers = content.pop("providers", {})
    if content or not isinstance(providers, dict):
        raise ConfigurationProblem(
            f"{file} has something besides providers.", hint="Use a table [providers.<name>] for each."
        )
    return cast(dict[str, Any], providers)


def _provider(name: str, members: Any, known: Provider | None) -> Provider:
    if not isinstance(members, dict):
        raise ConfigurationProblem(f"{name} isn't a table.", hint=f"Use a table [providers.{name}].")
    members = cast(dict[str, Any], members)
    for member in members:
        if member not in MEMBERS:
            raise ConfigurationProblem(
                f"The provider {name} has an unknown member {member!r}.",
                hint=f"Known members: {', '.join(MEMBERS)}. Keys don't belong in this file.",
            )
    base_url = _text(members, "base_url", name) or (known.base_url if known else None)
    if base_url is None:
        raise ConfigurationProblem(f"The provider {name} has no base_url.", hint="Add one.")
    base_url = base_url.rstrip("/")
    kind = _one_of(members, "kind", name, tuple(KINDS))
    start = known or Provider(name, OPENAI, base_url, (_variable(name),), key="none")
    usual = known.key if known else ("optional" if start.is_local else "needed")
    # In one step, so that an old key is never combined with a new address unchecked.
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
        raise ConfigurationProblem(f"{member} of the provider {name} isn't text.", hint="Put it in quotes.")
    return value


def _one_of(members: dict[str, Any], member: str, name: str, choices: tuple[str, ...]) -> str | None:
    value = _text(members, member, name)
    if value is not None and value not in choices:
        raise ConfigurationProblem(
            f"{member} of the provider {name} is {value!r}.", hint=f"Use one of {', '.join(choices)}."
        )
    return value


def _variables(members: dict[str, Any], name: str) -> tuple[str, ...]:
    value = members.get("key_env", [])
    names = cast(list[Any], value if isinstance(value, list) else [value])
    if not all(isinstance(each, str) and each for each in names):
        raise ConfigurationProblem(
            f"key_env of the provider {name} is neither a variable's name nor a list of names.",
            hint=f'Use a name such as "{_variable(name)}".',
        )
    return tuple(names)


def _count(members: dict[str, Any], member: str, name: str) -> int | None:
    value = members.get(member)
    if value is not None and (type(value) is not int or value < 1):
        raise ConfigurationProblem(
            f"{member} of the provider {name} isn't a number above 0.", hint="Use a whole number."
        )
    return value
