"""What any client may ask of a registry, over JSON-RPC with MCP's method names."""

from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, cast

from gemini.core.limitations import surface
from gemini.core.protocol import Connection, Encoded, Handler, Params, at_once
from gemini.errors import NobodyToAsk, ProtocolError
from gemini.tools import Registry
from gemini.tools.calls import Client
from gemini.tools.registry import PERSON

PROTOCOL_VERSION = "2025-11-25"
# Of the panel that has a form for each tool: `{name, arguments}`.
CALL_TOOL = "call_tool"


Ask = Callable[[str, Params], Awaitable[Any]]


async def _nobody(method: str, params: Params) -> Any:
    raise NobodyToAsk("the client that made this call can't be asked from here")


def connect(
    registry: Registry,
    send: Callable[[str], None],
    more: dict[str, Handler],
    *,
    interruptible: bool = False,
    ask: Ask = _nobody,
) -> Connection:
    """Answer a client of the tools alone.

    Args:
        registry: Of the tools.
        send: Takes each message for the client.
        more: Handlers beside those of the tools.
        interruptible: See `Connection`.
        ask: Asks an MCP client whose call is named by `call` in the params.
    """

    async def ping(_: Params) -> Any:
        return {}

    async def initialize(_: Params) -> Any:
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {kind: {"listChanged": True} for kind in ("tools", "resources", "prompts")},
            "serverInfo": {"name": "gemini", "version": installed_version()},
            "surface": surface(),
        }

    async def list_tools(_: Params) -> Any:
        return {"tools": registry.rows()}

    def call_tool(params: Params) -> Any:
        name, meta = params.get("name"), _meta(params)
        token = meta.get("progressToken")

        def progress(done: float, total: float | None, message: str | None) -> None:
            told = {"progressToken": token, "progress": done, "total": total, "message": message}
            connection.notify("notifications/progress", {k: v for k, v in told.items() if v is not None})

        if not isinstance(name, str):
            raise ProtocolError("tools/call needs the tool's name")
        caller = str(meta.get("caller", "unknown"))
        if caller == PERSON:
            raise ProtocolError("the person calls by panels, not by tools/call")
        answer = _encoded(
            registry.answer(
                name,
                params.get("arguments"),
                caller=caller,
                progress=None if token is None else progress,
                max_chars=meta.get("maxChars"),
                client=_client(connection, ask, meta.get("call")),
            )
        )
        return answer if registry.may_wait(name) else at_once(answer)

    handlers: dict[str, Handler] = {
        "initialize": initialize,
        "ping": ping,
        "tools/list": list_tools,
        "tools/call": call_tool,
        **_offers(registry),
        **more,
    }
    connection = Connection(send, handlers, interruptible=interruptible)
    for kind, listed in (
        ("tools", registry),
        ("resources", registry.resources),
        ("prompts", registry.prompts),
    ):
        changed = partial(connection.notify, f"notifications/{kind}/list_changed", {})
        connection.on_close(listed.on_change(changed))
    connection.on_close(
        registry.resources.on_update(
            lambda uri: connection.notify("notifications/resources/updated", {"uri": uri})
        )
    )
    return connection


def _client(connection: Connection, ask: Ask, call: Any) -> Client | None:
    """The MCP client behind a call that has a name for it; nobody behind others."""
    if call is None:
        return None

    def tell(level: str, message: Any) -> None:
        connection.notify("notifications/message", {"call": call, "level": level, "data": message})

    return Client(tell, lambda method, params: ask(method, {"call": call, **params}))


def _offers(registry: Registry) -> dict[str, Handler]:
    """What is there beside tools: resources and prompts."""

    async def list_resources(_: Params) -> Any:
        return {"resources": registry.resources.rows()}

    async def list_templates(_: Params) -> Any:
        return {"resourceTemplates": registry.resources.templates()}

    async def read_resource(params: Params) -> Any:
        return await registry.resources.contents(str(params.get("uri")))

    async def list_prompts(_: Params) -> Any:
        return {"prompts": registry.prompts.rows()}

    async def get_prompt(params: Params) -> Any:
        return await registry.prompts.find(str(params.get("name"))).get(params.get("arguments") or {})

    async def complete(params: Params) -> Any:
        about: Params = params.get("ref") or {}
        argument: Params = params.get("argument") or {}
        values: list[str] = []
        if about.get("type") == "ref/prompt":
            prompt = registry.prompts.find(str(about.get("name")))
            values = prompt.suggestions(str(argument.get("name")), str(argument.get("value", "")))
        return {"completion": {"values": values}}

    return {
        "resources/list": list_resources,
        "resources/templates/list": list_templates,
        "resources/read": read_resource,
        "prompts/list": list_prompts,
        "prompts/get": get_prompt,
        "completion/complete": complete,
    }


def call_for_person(registry: Registry, params: Params) -> Any:
    """Do what a panel of the page asks for: `{action, arguments}`, of a tool's declared action or `CALL_TOOL`.

    Raises:
        ProtocolError: there is no such action.
    """
    action, arguments = str(params.get("action")), params.get("arguments")
    if action == CALL_TOOL:
        name, arguments = _told_tool(registry, arguments)
    else:
        name = registry.actions.get(action)
    if name is None:
        raise ProtocolError(f"a panel's action is one of {', '.join([*registry.actions, CALL_TOOL])}")
    return _encoded(registry.answer(name, arguments, caller=PERSON))


def _told_tool(registry: Registry, given: Any) -> tuple[str, Any]:
    """The tool that a form calls, and its arguments; forms are for what agents can be given, too."""
    called = cast(Params, given) if isinstance(given, dict) else {}
    name = str(called.get("name"))
    if registry.is_person_only(name):
        raise ProtocolError(f"{name} has a panel of its own")
    return name, called.get("arguments")


async def _encoded(answer: Awaitable[tuple[str, Callable[[], None]]]) -> Encoded:
    return Encoded(*await answer)


def _meta(params: Params) -> Params:
    """What a request says about itself: `{caller?, progressToken?, maxChars?, call?}`."""
    meta: Any = params.get("_meta") or {}
    if not isinstance(meta, dict):
        raise ProtocolError("_meta is an object")
    told = cast(Params, meta)
    most = told.get("maxChars")
    if most is not None and (not isinstance(most, int) or most < 1):
        raise ProtocolError("_meta.maxChars is a number of characters, 1 or more")
    return told


def installed_version() -> str:
    try:
        return version("gemini-surface")
    except PackageNotFoundError:
        return "0"
