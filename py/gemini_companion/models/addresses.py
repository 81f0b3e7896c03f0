"""Refuses the addresses of other computers in a request to a model, which the provider would request for Python.

By its position in the wire formats (OpenAI's chat and responses, Anthropic's messages, Gemini's contents, Ollama's), a
string is text, which only the model reads; a schema; a medium, such as a picture; or anything else. Text may hold
addresses. A schema may, except where it names another schema. A medium is base64, a `data:` URL or a word. All other
strings, also the names of members, may be no address, in any spelling that some reader could undo.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, cast
from urllib.parse import unquote

from gemini_companion.models.errors import RequestUnclear

EMBEDDED = "data:"
HINT = f"The provider would request it. Send the content itself, as base64 or in a {EMBEDDED} URL."
# The types of objects whose strings are text. Objects of any other type hold media.
_TEXT_TYPES = """
text input_text output_text summary_text reasoning_text refusal thinking redacted_thinking message reasoning
reasoning.text reasoning.summary reasoning.encrypted function function_call function_call_output custom
custom_tool_call custom_tool_call_output tool_use tool_result document content json_schema json_object grammar
"""
TEXT_TYPES = frozenset(_TEXT_TYPES.split())
# The members of those objects that are text, if their values are strings.
_TEXT_MEMBERS = """
text content thinking reasoning reasoning_content refusal output arguments input instructions system prompt suffix
summary description title context template grammar stop stop_sequences stopSequences
"""
TEXT_MEMBERS = frozenset(_TEXT_MEMBERS.split())
# Of these, those whose lists hold strings.
LISTS_OF_TEXTS = frozenset({"input", "prompt", "stop", "stop_sequences", "stopSequences"})
_SCHEMAS = """
parameters parametersJsonSchema parameters_json_schema input_schema schema responseSchema response_schema
responseJsonSchema response_json_schema json_schema format
"""
SCHEMAS = frozenset(_SCHEMAS.split())
# Names of members with media, whatever the type of their object.
MEDIA = re.compile(r"image|audio|video|media|file|url|uri|source|^data$|inline_?data", re.IGNORECASE)
MEDIA_TYPES = frozenset({"media_type", "mime_type", "mimeType"})
FILE_NAMES = frozenset({"filename", "display_name", "displayName"})
# What names something that is stored at the provider: other data of the key's owner, without case and underscores.
STORED = frozenset({"fileid", "fileids", "containerid", "vectorstoreids"})
STORED_TYPES = frozenset({"item_reference", "container_upload"})
# Where a schema names another one, which some readers of schemas request.
REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
DIALECT = re.compile(r"https?://json-schema\.org/[A-Za-z0-9./-]*#?")
WORD = re.compile(r"[\w.,: +()\[\]'&@=-]{0,300}")
MEDIA_TYPE = re.compile(r"[a-z]+/[\w.+-]+(;\s*[\w-]+=[\w-]+)*", re.IGNORECASE)
DATA_URL = re.compile(r"data:([a-z]+/[\w.+-]+)?(;[\w-]+=[\w.-]+)*;base64,", re.IGNORECASE)
# Formats that name further addresses, for readers that follow them.
LINKING_TYPE = re.compile(r"html|xml|svg|script|mpegurl|m3u", re.IGNORECASE)
LINKING_CONTENT = re.compile(
    rb"\s*(?:<|#EXTM3U|ffconcat|\[InternetShortcut|[a-z][a-z0-9+.-]+://)", re.IGNORECASE
)
BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:/")
# Schemes that readers also accept without slashes.
BARE_SCHEME = re.compile(
    r"(?:https?|wss?|ftps?|sftp|file|filesystem|blob|jar|javascript|view-source|gs|s3|az|abfss?|hdfs|hf|oss|cos|ipfs|ipns|"
    r"ar|magnet|data|urn|mailto|cid):"
)
ESCAPE = re.compile(r"\\(?:u\{?([0-9a-f]{2,6})\}?|x([0-9a-f]{2}))", re.IGNORECASE)
# How often escapes may be nested.
NESTED = 4


class _At(Enum):
    """The position of a value."""

    BODY = auto()
    MEDIUM = auto()
    SCHEMA = auto()
    TEXT = auto()


def refuse_addresses(body: Mapping[str, Any]) -> None:
    """Check that a provider requests no address for this request.

    Raises:
        RequestUnclear: A string outside of text is an address, a medium is neither base64, a `data:` URL nor a word, or
            something is stored at the provider.
    """
    # A model's name may be a path of its server. Tickets and the provider's list decide about it.
    waiting: list[tuple[Any, str, _At]] = [({**body, "model": None}, "body", _At.BODY)]
    while waiting:
        value, name, at = waiting.pop()
        if at is _At.TEXT:
            continue
        if isinstance(value, str):
            _check(value, name, at)
        elif isinstance(value, list):
            waiting += [(item, name, at) for item in cast("list[Any]", value)]
        elif isinstance(value, dict):
            row = cast("dict[str, Any]", value)
            waiting += _members(row, name, at)


def _members(row: Mapping[str, Any], parent: str, at: _At) -> list[tuple[Any, str, _At]]:
    if at is _At.SCHEMA:
        return [(value, name, _At.SCHEMA) for name, value in row.items()]
    kind = row.get("type")
    if kind is not None and not (isinstance(kind, str) and kind in TEXT_TYPES):
        at = _At.MEDIUM
    for name in row:
        if name.casefold().replace("_", "") in STORED or str(kind) in STORED_TYPES:
            raise RequestUnclear(
                f"The gateway doesn't accept {name[:60]}, which names something stored at the provider.",
                hint=HINT,
            )
        if is_address(name):
            raise _refusal(name)
    return [(value, name, _position(row, name, value, parent, at)) for name, value in row.items()]


def _position(row: Mapping[str, Any], name: str, value: Any, parent: str, at: _At) -> _At:
    """Return the position of a member's value."""
    if at is _At.MEDIUM:
        return _At.MEDIUM
    if name in TEXT_MEMBERS:
        texts = isinstance(value, list) and name in LISTS_OF_TEXTS and _are_texts(cast("list[Any]", value))
        if isinstance(value, str) or texts or (name == "input" and row.get("type") == "tool_use"):
            return _At.TEXT
    is_call = "name" in row and row.get("type") is None
    if is_call and (name in ("args", "arguments") or (name == "response" and parent.endswith("esponse"))):
        return _At.TEXT
    if name in SCHEMAS or (is_call and name == "response"):
        return _At.SCHEMA
    if parent == "source" and row.get("type") == "text" and name == "data":
        return _At.TEXT
    if name == "source" and row.get("type") == "document":
        source = cast("dict[str, Any]", value).get("type") if isinstance(value, dict) else None
        return _At.BODY if source in ("text", "content") else _At.MEDIUM
    return _At.MEDIUM if MEDIA.search(name) else at


def _are_texts(items: list[Any]) -> bool:
    return all(isinstance(item, str) for item in items)


def _check(text: str, name: str, at: _At) -> None:
    if at is _At.SCHEMA:
        foreign = name in REFERENCES and not text.startswith("#")
        named = name in ("$schema", "$id") and DIALECT.fullmatch(text) is None and is_address(text)
        if foreign or named:
            raise _refusal(name)
    elif at is _At.MEDIUM:
        if not _is_medium(text, name):
            raise _refusal(name)
    elif is_address(text):
        raise _refusal(name)


def _is_medium(text: str, name: str) -> bool:
    """Return whether a medium contains its content, or is a word such as `high`."""
    if name in MEDIA_TYPES:
        return MEDIA_TYPE.fullmatch(text) is not None and LINKING_TYPE.search(text) is None
    if name in FILE_NAMES:
        return not is_address(text)
    if (found := DATA_URL.match(text)) is not None:
        return LINKING_TYPE.search(found[0]) is None and _is_content(text[found.end() :])
    return (WORD.fullmatch(text) is not None and not is_address(text)) or _is_content(text)


def _is_content(text: str) -> bool:
    """Return whether a text is base64 of something that names no further addresses."""
    compact = text.replace("\n", "").replace("\r", "")
    if BASE64.fullmatch(compact) is None:
        return False
    plain = compact.rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    try:
        beginning = base64.b64decode(plain[:400] + "=" * (-len(plain[:400]) % 4), validate=True)
    except binascii.Error:
        return False
    # A path, such as images/secret, has the letters of base64, too, but seldom its length.
    return (len(compact) % 4 == 0 or "/" not in compact) and LINKING_CONTENT.match(beginning) is None


def is_address(text: str) -> bool:
    """Return whether a text is an address, or contains one, in any spelling that a reader could undo."""
    if BASE64.fullmatch(text) is not None and not text.startswith("//"):
        return False
    for _ in range(NESTED):
        folded = "".join(
            each
            for each in unicodedata.normalize("NFKC", text)
            if not each.isspace() and unicodedata.category(each)[0] != "C"
        )
        folded = folded.casefold()
        slashed = folded.replace("\\", "/")
        if SCHEME.search(slashed) or slashed.startswith("//") or BARE_SCHEME.match(slashed):
            return True
        undone = ESCAPE.sub(
            lambda found: chr(min(int(found[1] or found[2], 16), 0x10FFFF)), html.unescape(unquote(text))
        )
        if undone == text:
            return False
        text = undone
    return True


def _refusal(name: str) -> RequestUnclear:
    return RequestUnclear(
        f"The gateway doesn't accept {name[:60]} with the address of another computer.", hint=HINT
    )
