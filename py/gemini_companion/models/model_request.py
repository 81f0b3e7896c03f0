"""Reads a request to a model before it is sent, and calculates the most that it can take.

A ticket is for one model and has a ceiling. So the gateway refuses a body that another reader could take for another
model's, and whatever a provider would do and bill beyond tokens (searches, tools on its side, a faster tier). Neither
may it name another computer (`gemini_companion.models.addresses`), or a prompt that is stored at the provider.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from gemini_companion.models.addresses import refuse_addresses
from gemini_companion.models.errors import RequestUnclear
from gemini_companion.models.providers import Provider

Body = dict[str, Any]
# The limit on an answer whose request sets none.
OUTPUT = 8_192
# The tokens that a picture counts for, as much as common models take at most, and a document, as a long one.
PICTURE, DOCUMENT = 3_000, 300_000
PICTURES = frozenset({"image", "image_url", "input_image"})
DOCUMENTS = frozenset({"document", "file", "input_file", "input_audio", "video_url"})
# Other calls, such as those for embeddings, return next to no tokens.
ANSWERS = re.compile(
    r"/(chat/completions|completions|responses|messages|api/chat|api/generate)$|:(stream)?[gG]enerateContent$"
)
GOOGLE_PATH = re.compile(r"/v1(?:beta)?/models/([^/:]+):[A-Za-z]+")
LIMITS = ("max_completion_tokens", "max_tokens", "max_output_tokens")
# Tools that the caller runs itself. All others run at the provider, and cost.
OWN_TOOLS = frozenset({None, "function", "custom"})
# The members of such tools, since Google names its own by members: https://ai.google.dev/api/caching#Tool.
_OWN_MEMBERS = """
type function custom name description parameters input_schema format strict cache_control defer_loading
eager_input_streaming
"""
OWN_MEMBERS = frozenset(_OWN_MEMBERS.split())
DECLARATIONS = frozenset({"functionDeclarations", "function_declarations"})
TIERS = frozenset({"default", "standard_only"})
_MEMBERS = """
model messages prompt input instructions system contents system_instruction systemInstruction stream stream_options
tools tool_choice tool_config toolConfig parallel_tool_calls functions function_call
max_tokens max_completion_tokens max_output_tokens generationConfig safetySettings
temperature top_p top_k min_p typical_p stop stop_sequences seed n best_of echo suffix logprobs top_logprobs
logit_bias presence_penalty frequency_penalty repeat_penalty repetition_penalty mirostat mirostat_eta mirostat_tau
response_format format text thinking think reasoning reasoning_effort verbosity output_config
metadata user safety_identifier prompt_cache_key cache_control service_tier store include truncation
dimensions encoding_format truncate content requests taskType title outputDimensionality
options keep_alive raw template images context name verbose ttl cache_prompt grammar json_schema
chat_template_kwargs generateContentRequest return_progress
"""
MEMBERS = frozenset(_MEMBERS.split())
# Members that decide what is asked and how much. No other spelling may pass, since some readers fold case.
DECIDING = {name.casefold().replace("_", ""): name for name in MEMBERS}


@dataclass(frozen=True)
class ModelRequest:
    """A request to a model.

    Attributes:
        input, output: The most tokens that it can take.
        body: The content to send.
    """

    model: str
    input: int
    output: int
    body: bytes


def parse_request(provider: Provider, path: str, content: bytes) -> ModelRequest:
    """Read a request.

    Raises:
        RequestUnclear: Its model, or its possible usage, is unknown, or the provider would request an address.
    """
    body = _parse(content)
    _refuse_unknown(body)
    refuse_addresses(body)
    model = _model(path, body)
    output = 0
    if ANSWERS.search(path):
        output = _limit(provider, path, body) * _choices(body)
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
    # A token has at least one byte.
    return ModelRequest(model, len(content) + _weight(body), output, content)


def _parse(content: bytes) -> Body:
    def unique(pairs: list[tuple[str, Any]]) -> Body:
        row = dict(pairs)
        if len(row) != len(pairs):
            raise RequestUnclear(
                "The request has a duplicate member.", hint="Use each name once in an object."
            )
        return row

    try:
        body: Any = json.loads(content, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RequestUnclear("The request's body isn't a JSON object.", hint="Send one, in UTF-8.")
    return cast(Body, body)


def _refuse_unknown(body: Body) -> None:
    for name in body:
        if name not in MEMBERS:
            known = DECIDING.get(name.casefold().replace("_", ""))
            meant = f"Did you mean {known}?" if known else "Leave it out: its cost isn't known."
            raise RequestUnclear(f"The gateway doesn't accept the member {name[:60]!r}.", hint=meant)
    if body.get("service_tier", "default") not in TIERS:
        raise RequestUnclear("The gateway accepts only the default service_tier.", hint="Leave it out.")
    if isinstance(body.get("prompt"), dict):
        raise RequestUnclear(
            "The gateway doesn't accept a prompt that is stored at the provider.", hint="Send its text."
        )
    tools: Any = body.get("tools") or []
    for tool in cast("list[Any]", tools) if isinstance(tools, list) else [tools]:
        if not isinstance(tool, dict) or not _is_own(cast(Body, tool)):
            raise RequestUnclear(
                "The gateway doesn't accept tools that run at the provider.",
                hint="Their price isn't known. Describe functions that you run yourself.",
            )


def _is_own(tool: Body) -> bool:
    declares = bool(tool) and set(tool) <= DECLARATIONS
    kind = tool.get("type")
    is_known = (kind is None or isinstance(kind, str)) and kind in OWN_TOOLS
    return declares or (is_known and set(tool) <= OWN_MEMBERS)


def _model(path: str, body: Body) -> str:
    named = GOOGLE_PATH.fullmatch(path)
    model = named[1] if named else body.get("model")
    if (
        not isinstance(model, str)
        or not model
        or (named and body.get("model", model) not in (model, f"models/{model}"))
    ):
        raise RequestUnclear("The request names no model.", hint="Name the ticket's model.")
    return model


def _limit(provider: Provider, path: str, body: Body) -> int:
    """Return the most tokens that one answer takes; set a limit in the body if it has none."""
    if path.endswith("enerateContent"):
        return _of(_within(body, "generationConfig"), "maxOutputTokens")
    if "/api/" in path:
        return _of(_within(body, "options"), "num_predict")
    limits = [_of(body, name) for name in LIMITS if name in body]
    if limits:
        return max(limits)
    name = "max_tokens"
    if path.endswith("/responses"):
        name = "max_output_tokens"
    elif provider.host == "api.openai.com" and path.endswith("/chat/completions"):
        # Its newer models refuse the older name.
        name = "max_completion_tokens"
    return _of(body, name)


def _within(body: Body, name: str) -> Body:
    inner = body.setdefault(name, {})
    if not isinstance(inner, dict):
        raise RequestUnclear(f"{name} of the request isn't an object.", hint="Make it one.")
    for other in cast(Body, inner):
        if other not in ("maxOutputTokens", "num_predict") and other.casefold().replace("_", "") in (
            "maxoutputtokens",
            "numpredict",
            "candidatecount",
        ):
            raise RequestUnclear(f"The gateway doesn't accept {name}.{other[:60]}.", hint="Leave it out.")
    return cast(Body, inner)


def _of(row: Body, name: str) -> int:
    value = row.setdefault(name, OUTPUT)
    if value is None:
        value = row[name] = OUTPUT
    if type(value) is not int or value < 1:
        raise RequestUnclear(f"{name} of the request isn't a number above 0.", hint="Use a whole number.")
    return value


def _choices(body: Body) -> int:
    most = 1
    for name in ("n", "best_of"):
        value = body.get(name, 1)
        if value is not None and (type(value) is not int or value < 1):
            raise RequestUnclear(f"{name} of the request isn't a number above 0.", hint="Use a whole number.")
        most = max(most, value or 1)
    return most


def _weight(value: Any) -> int:
    """Return the tokens of what may have more tokens than bytes: pictures and documents, which may be URLs."""
    total, waiting = 0, [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            row = cast(Mapping[str, Any], each)
            kind = row.get("type")
            if isinstance(kind, str):
                total += PICTURE * (kind in PICTURES) + DOCUMENT * (kind in DOCUMENTS)
            total += DOCUMENT * ("fileData" in row or "file_data" in row) + PICTURE * ("inlineData" in row)
            waiting += row.values()
        elif isinstance(each, list):
            waiting += cast("list[Any]", each)
    return total
