"""Checks what language models need: a keyring, providers, keys."""

import asyncio
from collections.abc import Iterator
from typing import Any

from gemini_companion.doctor.finding import Finding
from gemini_companion.models import Gateway, load_providers
from gemini_companion.models.errors import ConfigurationProblem
from gemini_companion.storage.system_keyring import keyring_name


def check_models() -> Iterator[Finding]:
    """Check for a keyring, and for providers of language models that can be used."""
    name = keyring_name()
    yield Finding(
        "keyring",
        name is not None,
        name or "none on this machine",
        None if name else "That is normal on servers: set keys in environment variables.",
        needed=False,
    )
    try:
        providers = load_providers()
    except ConfigurationProblem as problem:
        yield Finding("models", False, problem.message, problem.hint)
        return
    for row in asyncio.run(Gateway(providers).rows()):
        yield _provider(row, providers[row["name"]].variables)


def _provider(row: dict[str, Any], variables: tuple[str, ...]) -> Finding:
    what = f"models of {row['name']}"
    if row["problem"]:
        return Finding(what, False, row["problem"], "Set the key again.", needed=False)
    if row["has_key"]:
        return Finding(what, True, f"key from the {row['key_from']}", needed=False)
    if row["needs_key"]:
        hint = f"Set one in the settings or in {' or '.join(variables)}, if you want these models."
        return Finding(what, False, "no key", hint, needed=False)
    return Finding(what, True, f"no key, none needed ({row['base_url']})", needed=False)
