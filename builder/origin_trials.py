"""Tokens of Chrome's origin trials, which turn on WebMCP for the visitors of a host.

`origin-trial-tokens` of `[tool.gemini]` in pyproject.toml lists them; the page has them as `<meta>` elements. Format:
https://github.com/GoogleChrome/OriginTrials/blob/gh-pages/developer-guide.md,
https://chromium.googlesource.com/chromium/src/+/main/third_party/blink/common/origin_trials/
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import tomllib
from typing import Any, cast

from builder.problems import BuildProblem
from builder.project import Project

SETTING = "origin-trial-tokens"
VERSIONS = (2, 3)
# The version, a signature, and the length of the JSON that follows.
SIGNATURE = 64
HEADER = 1 + SIGNATURE + 4
FIELDS = {"origin": str, "feature": str, "expiry": int}
CHARSET = '<meta charset="utf-8">'


def tokens(project: Project) -> list[str]:
    """Return the tokens of pyproject.toml.

    Raises:
        BuildProblem: One isn't a token.
    """
    settings: dict[str, Any] = tomllib.loads((project.root / "pyproject.toml").read_text(encoding="utf-8"))
    own: dict[str, Any] = settings.get("tool", {}).get("gemini", {})
    value: Any = own.get(SETTING, [])
    if not isinstance(value, list):
        raise BuildProblem(f"{SETTING} in pyproject.toml must be a list of tokens.")
    listed = cast("list[str]", value)
    for token in listed:
        payload(token)
    return listed


def payload(token: object) -> dict[str, Any]:
    """Return what a token is for: `{origin, feature, expiry, …}`. The browser checks its signature and its end.

    Raises:
        BuildProblem: It isn't a token.
    """
    shown = repr(token if len(str(token)) <= 40 else f"{str(token)[:40]}…")
    wrong = f"The {SETTING} in pyproject.toml have {shown}, "
    hint = "Copy the whole token from https://developer.chrome.com/origintrials."
    if not isinstance(token, str):
        raise BuildProblem(f"{wrong}which isn't text. {hint}")
    try:
        data = base64.b64decode(token, validate=True)
    except (binascii.Error, ValueError):
        raise BuildProblem(f"{wrong}which isn't base64. {hint}") from None
    if len(data) < HEADER or data[0] not in VERSIONS:
        raise BuildProblem(f"{wrong}which isn't an origin-trial token of version 2 or 3. {hint}")
    if int.from_bytes(data[1 + SIGNATURE : HEADER]) != len(data) - HEADER:
        raise BuildProblem(f"{wrong}which is cut or has more than one token. {hint}")
    try:
        content: Any = json.loads(data[HEADER:])
    except ValueError:
        content = None
    found = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
    if any(not isinstance(found.get(name), kind) for name, kind in FIELDS.items()):
        raise BuildProblem(f"{wrong}which doesn't name an origin, a feature and an expiry. {hint}")
    return found


def with_tokens(page: str, listed: list[str]) -> str:
    """Return a page with tokens, before anything that a trial may turn on.

    Raises:
        BuildProblem: The page has no place for them.
    """
    if listed and CHARSET not in page:
        raise BuildProblem(f"index.html needs {CHARSET}, which the origin-trial tokens come after.")
    metas = "".join(
        f'\n    <meta http-equiv="origin-trial" content="{html.escape(each)}">' for each in listed
    )
    return page.replace(CHARSET, CHARSET + metas, 1)
