"""Leave secrets out of exports."""

import json
import re
from typing import Any, cast

LEFT_OUT = "[left out]"
# The shapes of common keys and tokens, as scanners for secrets know them, and private keys in PEM (RFC 7468).
SHAPES = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
    re.DOTALL,
)
# `password=…`, `Authorization: Bearer …`, `https://user:password@host`.
NAMED = re.compile(
    r"(?i)((?:password|passwd|passphrase|secret|token|api[-_]?key|authorization|cookie)[\"']?\s*[:=]\s*"
    r"(?:(?:bearer|basic)\s+)?[\"']?)([^\s\"',;&]+)"
)
USERINFO = re.compile(r"(\bhttps?://[^\s/:@]*:)[^\s/@]+(@)")
SECRET_NAME = re.compile(r"(?i)password|passwd|passphrase|secret|token|api_?key|authorization|cookie")


def without_secrets(text: str) -> str:
    """Return a text without what looks like a key, a token or a password."""
    text = SHAPES.sub(LEFT_OUT, text)
    text = USERINFO.sub(rf"\g<1>{LEFT_OUT}\g<2>", text)
    return NAMED.sub(rf"\g<1>{LEFT_OUT}", text)


def json_without_secrets(text: str) -> str:
    """Return JSON text without secrets, also those in fields that are named as such; another text as it would be."""
    try:
        value = json.loads(text)
    except ValueError:
        return without_secrets(text)
    return json.dumps(_clean(value), ensure_ascii=False)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return without_secrets(value)
    if isinstance(value, list):
        return [_clean(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {
            name: LEFT_OUT if isinstance(each, str) and SECRET_NAME.search(name) else _clean(each)
            for name, each in cast("dict[str, Any]", value).items()
        }
    return value
