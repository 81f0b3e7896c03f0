"""The JSON-RPC methods that any client may call on a registry, named as in MCP."""

from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, cast

from gemini import manual
from gemini.core.limitations import surface
from gemini.core.protocol import Connection, Handler, Params
from gemini.errors import NobodyToAsk, ProtocolError
from gemini.project import PROJECT
from gemini.tools import Registry
from gemini.tools.budgets import ANSWER_BUDGETS
from gemini.tools.calls import Call, Client, serving
from gemini.tools.registry import PERSON

PROTOCOL_VERSION = "2025-11-25"
# The action of the panel with a form for each tool; it takes `{name, arguments}`.
CALL_TOOL = "call_tool"


Ask = Callable[[str, Params], Awaitable[Any]]


async def _no_client(method: str, params: Params) -> Any:
    raise NobodyToAsk("the client that made this call can't be asked")


def connect(
    registry: Registry,
    send: Callable[[str], None],
    more: dict[str, Handler],
    *,
    interruptible: bool = False,
    ask: Ask = _no_client,
) -> Connection:
    """Serve a registry to a client.

    Args:
        registry: The tools, resources and prompts to serve.
        send: Sends a message to the client.
        more: Additional handlers, by method.
        interruptible: See `Connection`.
        ask: Sends a request to the MCP client that made the call named by `call` in the params.
    """
    handlers: dict[str, Handler] = {**_about(registry), **_offers(registry), **more}
    connection = Connection(send, handlers, interruptible=interruptible)
    handlers |= {
        "tools/call": partial(_call_tool, registry, connection, ask),
        "prompts/get": partial(_get_prompt, registry, connection, ask),
    }
    for kind, source in (
        ("tools", registry),
        ("resources", registry.resources),
        ("prompts", registry.prompts),
    ):
        changed = partial(connection.notify, f"notifications/{kind}/list_changed", {})
        connection.on_close(source.on_change(changed))
    connection.on_close(
        registry.resources.on_update(
            lambda uri: connection.notify("notifications/resources/updated", {"uri": uri})
        )
    )
    return connection


def _about(registry: Registry) -> dict[str, Handler]:
    """Return the handlers of the session itself, and of the list of tools."""

    async def ping(_: Params) -> Any:
        return {}

    async def initialize(_: Params) -> Any:
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {kind: {"listChanged": True} for kind in ("tools", "resources", "prompts")},
            "serverInfo": {"name": "gemini", "version": installed_version()},
            "instructions": manual.TEXT,
            "surface": surface(),
        }

    async def list_tools(_: Params) -> Any:
        return {"tools": registry.rows()}

    return {"initialize": initialize, "ping": ping, "tools/list": list_tools}


def _call_tool(registry: Registry, connection: Connection, ask: Ask, params: Params) -> Any:
    name, meta = params.get("name"), _meta(params)
    token = meta.get("progressToken")

    def progress(done: float, total: float | None, message: str | None) -> None:
        params = {"progressToken": token, "progress": done, "total": total, "message": message}
        connection.notify("notifications/progress", {k: v for k, v in params.items() if v is not None})

    if type(name) is not str:
        raise ProtocolError("tools/call needs the name of a tool")
    caller, call = str(meta.get("caller", "unknown")), meta.get("call")
    if caller == PERSON:
        raise ProtocolError("only panels can call as the user; tools/call can't")
    return registry.answer(
        name,
        params.get("arguments"),
        caller=caller,
        progress=None if token is None else progress,
        max_chars=meta.get("maxChars", ANSWER_BUDGETS.get(caller)),
        client=None if call is None else _client(connection, ask, call),
    )


async def _get_prompt(registry: Registry, connection: Connection, ask: Ask, params: Params) -> Any:
    name, meta = str(params.get("name")), _meta(params)
    prompt, arguments = registry.prompts.find(name), cast("dict[str, str]", params.get("arguments") or {})
    caller, call = str(meta.get("caller", "unknown")), meta.get("call")
    client = None if call is None else _client(connection, ask, call)
    # The prompt's function may ask the client, as a tool may.
    with serving(Call(registry.log.next_id(), name, caller, "read", arguments, client=client)):
        return await prompt.get(arguments)


def _client(connection: Connection, ask: Ask, call: Any) -> Client:
    """Return the MCP client that made a call."""

    def notify(level: str, message: Any) -> None:
        connection.notify("notifications/message", {"call": call, "level": level, "data": message})

    return Client(notify, lambda method, params: ask(method, {"call": call, **params}))


def _offers(registry: Registry) -> dict[str, Handler]:
    """Return the handlers of resources and prompts."""

    async def list_resources(_: Params) -> Any:
        return {"resources": registry.resources.rows()}

    async def list_templates(_: Params) -> Any:
        return {"resourceTemplates": registry.resources.templates()}

    async def read_resource(params: Params) -> Any:
        return await registry.resources.contents(str(params.get("uri")))

    async def list_prompts(_: Params) -> Any:
        return {"prompts": registry.prompts.rows()}

    async def complete(params: Params) -> Any:
        ref: Params = params.get("ref") or {}
        argument: Params = params.get("argument") or {}
        values: list[str] = []
        if ref.get("type") == "ref/prompt":
            prompt = registry.prompts.find(str(ref.get("name")))
            values = prompt.suggestions(str(argument.get("name")), str(argument.get("value", "")))
        return {"completion": {"values": values}}

    return {
        "resources/list": list_resources,
        "resources/templates/list": list_templates,
        "resources/read": read_resource,
        "prompts/list": list_prompts,
        "completion/complete": complete,
    }


def call_for_person(registry: Registry, params: Params) -> Any:
    """Perform a panel's action: `{action, arguments}`, with a tool's declared action or `CALL_TOOL`.

    Raises:
        ProtocolError: There is no such action.
    """
    action, arguments = str(params.get("action")), params.get("arguments")
    if action == CALL_TOOL:
        name, arguments = _form_call(registry, arguments)
    else:
        name = registry.actions.get(action)
    if name is None:
        raise ProtocolError(f"a panel's action must be one of {', '.join([*registry.actions, CALL_TOOL])}")
    return registry.answer(name, arguments, caller=PERSON)


def _form_call(registry: Registry, arguments: Any) -> tuple[str, Any]:
    """Return the tool that a form calls, and its arguments. Forms exist only for tools that agents can call."""
    form = cast(Params, arguments) if isinstance(arguments, dict) else {}
    name = str(form.get("name"))
    if registry.is_person_only(name):
        raise ProtocolError(f"{name} can't be called from a form; use its panel")
    return name, form.get("arguments")


def _meta(params: Params) -> Params:
    """Return a request's metadata: `{caller?, progressToken?, maxChars?, call?}`."""
    meta: Params = params.get("_meta") or {}
    if type(meta) is not dict:
        raise ProtocolError("_meta must be an object")
    max_chars = meta.get("maxChars")
    if max_chars is not None and (type(max_chars) is not int or max_chars < 1):
        raise ProtocolError("_meta.maxChars must be a number of characters, 1 or more")
    return meta


def installed_version() -> str:
    """Return the version of the installed package, or "0" if it isn't installed."""
    try:
        return version(PROJECT)
    except PackageNotFoundError:
        return "0"
