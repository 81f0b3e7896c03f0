"""Why packages couldn't be loaded, by the network door's answers."""

from __future__ import annotations

from collections.abc import Sequence

REFUSED = "ConsentRefused"
# The door's names of hosts that give no answer.
AWAY = ("HostUnknown", "HostUnreachable", "HostSlow", "HostBroken")


def reason_of(failures: Sequence[dict[str, str]]) -> str:
    """Return why the last of some requests failed, as the end of a sentence.

    Args:
        failures: As `ffi.take_network_failures` returns them.
    """
    if not failures:
        return "the package index sent no usable answer"
    host, problem, message = (failures[-1][key] for key in ("host", "problem", "message"))
    # The door's sentence begins with the request that wasn't sent.
    cause = message.partition("was not sent: ")[2] or message
    if problem == REFUSED:
        return _refusal(host, cause)
    if problem in AWAY:
        return f"{host} can't be reached: {cause}"
    return cause


def _refusal(host: str, cause: str) -> str:
    """Return who refused a request; others than the user's refusals are questions that nobody answered."""
    for asker in ("you", "the user"):
        if cause.startswith(f"{asker} refused"):
            return f"{asker} refused access to {host}{cause.removeprefix(f'{asker} refused')}"
    return f"access to {host} wasn't allowed: {cause}"
