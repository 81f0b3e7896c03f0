"""The MCP server: pages answer what clients ask (https://modelcontextprotocol.io/specification)."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gemini import manual
from gemini.errors import GeminiError, InvalidArguments, UnknownTool
from gemini_companion.errors import McpOff, PageLost
from gemini_companion.mcp import prompts
from gemini_companion.mcp.callers import McpCaller, ReturningCaller
from gemini_companion.mcp.clients import Clients, Context
from gemini_companion.mcp.keys import Keys
from gemini_companion.mcp.needs import EXTENSION, TASKS, declares, require
from gemini_companion.mcp.profile import Profiles
from gemini_companion.mcp.results import failure
from gemini_companion.mcp.rounds import TASK_AFTER_S, Params, Result, Rounds
from gemini_companion.mcp.switch import Switch
from gemini_companion.mcp.tasks import TaskParams, Tasks, TaskUpdateParams
from gemini_companion.mcp.tools import Tools
from gemini_companion.pages.pages import Pages, Row

NAME = "control-surface"
RESOURCES = (
    types.Resource(
        uri="dom://current-page",
        name="Current page",
        description="The elements of the active tab that can be acted on",
        mime_type="application/json",
    ),
    types.Resource(uri="tabs://list", name="Tabs", description="The open tabs", mime_type="application/json"),
    types.Resource(uri=manual.URI, name=manual.NAME, description=manual.ABOUT, mime_type="text/markdown"),
)
NOT_FOUND = -32002


class McpServer:
    """Answers MCP clients over every transport.

    Args:
        pages: The pages that run the tools.
        catalogue: `dist/tools.json`.
        version: The surface's version.
        keys: The tokens of clients.
        profiles: The tools that each client lists; by default all.
    """

    def __init__(
        self, pages: Pages, catalogue: Path, version: str, keys: Keys, profiles: Profiles | None = None
    ) -> None:
        self.profiles = profiles or Profiles()
        self.clients = Clients(keys)
        self.clients.on_end = lambda caller: self._spawn(self._end_session(caller))
        self.switch = Switch()
        self._pages = pages
        self._listening = ListenHandler(self.clients.bus)
        self._tools = Tools(pages, catalogue)
        self._running = Tasks()
        self._rounds = Rounds(self._running)
        self._listed_tools = self._list()
        self._tasks: set[asyncio.Task[None]] = set()
        self.sdk: Server[Any] = Server(
            NAME,
            version=version,
            title="Control Surface",
            instructions=manual.TEXT,
            # Without it, the SDK lists all tools again for every call.
            get_tool_input_schema=self._tools.input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listen,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        # The SDK's only one traces for OpenTelemetry, which nothing here collects.
        self.sdk.middleware.clear()
        # Only the versions before 2026-07-28 have this method, so the SDK's constructor warns of it.
        self.sdk.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_level)
        self.sdk.extensions = {EXTENSION: {}}
        self.sdk.add_request_handler("tasks/get", TaskParams, self._get_task)
        self.sdk.add_request_handler("tasks/update", TaskUpdateParams, self._update_task)
        self.sdk.add_request_handler("tasks/cancel", TaskParams, self._cancel_task)
        # The SDK creates these options itself for each HTTP session; without them it sends no notifications of changes.
        self._plain_options = self.sdk.create_initialization_options
        self.sdk.create_initialization_options = self.options
        pages.on_change(self._pages_changed)
        self.profiles.on_change(self._pages_changed)

    def options(self, *_: Any, **__: Any) -> InitializationOptions:
        """Return the options that a session starts with."""
        return self._plain_options(
            NotificationOptions(tools_changed=True, resources_changed=True, prompts_changed=True),
            # The versions with sessions have no tasks of this kind.
            extensions={},
        )

    def notify_clients(self, what: str, uri: str) -> None:
        """Notify clients that the current page's "resources" or "prompts" changed, or one resource was "updated"."""
        match what:
            case "resources":
                self._spawn(self.clients.resources_changed())
            case "prompts":
                self._spawn(self.clients.prompts_changed())
            case _:
                self._spawn(self.clients.resource_updated(uri))

    def turn_on(self) -> None:
        """Answer calls again."""
        self.switch.turn_on()
        self.clients.changed()

    def turn_off(self) -> None:
        """Refuse calls, and end calls under way with an error."""
        self.switch.turn_off()
        self._rounds.cancel_all()
        self._running.cancel_all(self.switch.off())
        self.clients.changed()

    async def _list_tools(self, context: Context, _: Any) -> types.ListToolsResult:
        self.clients.record(context)
        return types.ListToolsResult(tools=self._tools.listed(self.profiles.of(context)))

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> Result:
        name = self.clients.record(context, params.name)
        needs = self._tools.needs(params.name)
        require(context, needs, params.name)
        task_after: float | None = None
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS and declares(context, TASKS):
            task_after = 0 if TASKS in needs else TASK_AFTER_S
        try:
            return await self.switch.run(
                self._answer(name, context, params, partial(self._call, params), task_after)
            )
        except McpOff as error:
            return failure(error)

    async def _answer(
        self,
        name: str,
        context: Context,
        params: Params,
        call: Callable[[McpCaller], Awaitable[Any]],
        task_after: float | None = None,
    ) -> Result:
        """Return the result of a request whose answer may depend on questions to the client."""
        if params.request_state is not None:
            return await self._rounds.resume(name, context, params, task_after)
        level = self.clients.level(context)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            caller = ReturningCaller(name, context, level, self._spawn)
            return await self._rounds.begin(caller, params, call, task_after=task_after)
        return await call(McpCaller(name, context, level, self._spawn))

    async def _get_task(self, context: Context, params: TaskParams) -> Row:
        return self._running.get(self.clients.record(context), context, params)

    async def _update_task(self, context: Context, params: TaskUpdateParams) -> Row:
        return self._running.update(self.clients.record(context), context, params)

    async def _cancel_task(self, context: Context, params: TaskParams) -> Row:
        return self._running.cancel(self.clients.record(context), context, params)

    async def _call(self, params: types.CallToolRequestParams, caller: McpCaller) -> types.CallToolResult:
        with caller.waiting():
            result = await self._tools.call(params.name, params.arguments or {}, caller)
        content: Row = result.structured_content or {}
        error: Row = content.get("error", {}) if result.is_error else {}
        if error.get("type") == UnknownTool.__name__ and self._tools.input_schema(params.name) is None:
            # The specification has a protocol error for a tool that isn't there (server/tools, "Error Handling").
            raise MCPError(types.INVALID_PARAMS, error["message"], error)
        return result

    async def _list_resources(self, context: Context, _: Any) -> types.ListResourcesResult:
        self.clients.record(context)
        if self._pages.current is None:
            return types.ListResourcesResult(resources=list(RESOURCES))
        return types.ListResourcesResult.model_validate(await self._ask("resources/list", {}))

    async def _list_templates(self, context: Context, _: Any) -> types.ListResourceTemplatesResult:
        self.clients.record(context)
        if self._pages.current is None:
            return types.ListResourceTemplatesResult(resource_templates=[])
        result = await self._ask("resources/templates/list", {})
        return types.ListResourceTemplatesResult.model_validate(result)

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        self.clients.record(context)
        if str(params.uri) == manual.URI and self._pages.current is None:
            text = types.TextResourceContents(uri=manual.URI, mime_type="text/markdown", text=manual.TEXT)
            return types.ReadResourceResult(contents=[text])
        code = types.INVALID_PARAMS if context.protocol_version in MODERN_PROTOCOL_VERSIONS else NOT_FOUND
        result = await self._ask("resources/read", {"uri": str(params.uri)}, code)
        return types.ReadResourceResult.model_validate(result)

    async def _subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        self.clients.subscribe(context, str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self.clients.unsubscribe(context, str(params.uri))
        return types.EmptyResult()

    async def _listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        self.clients.record(context)
        return await self._listening(context, params)

    async def _list_prompts(self, context: Context, _: Any) -> types.ListPromptsResult:
        self.clients.record(context)
        listed = prompts.listed()
        if self._pages.current is not None:
            result = types.ListPromptsResult.model_validate(await self._ask("prompts/list", {}))
            listed += [prompt for prompt in result.prompts if prompt.name not in prompts.PROMPTS]
        return types.ListPromptsResult(prompts=listed)

    async def _get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> Result:
        name = self.clients.record(context)
        if params.name not in prompts.PROMPTS and self._pages.current is not None:
            return await self._answer(name, context, params, partial(self._prompt_of_page, params))
        try:
            return prompts.get(params.name, params.arguments or {})
        except InvalidArguments as error:
            raise _protocol_error(error, types.INVALID_PARAMS) from None

    async def _prompt_of_page(
        self, params: types.GetPromptRequestParams, caller: McpCaller
    ) -> types.GetPromptResult:
        asked: Row = {
            "name": params.name,
            "arguments": params.arguments or {},
            "_meta": {"caller": caller.name},
        }
        result = await self._ask("prompts/get", asked, types.INVALID_PARAMS, caller)
        return types.GetPromptResult.model_validate(result)

    async def _complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        self.clients.record(context)
        of_page = isinstance(params.ref, types.PromptReference) and params.ref.name not in prompts.PROMPTS
        if not of_page or self._pages.current is None:
            return types.CompleteResult(completion=types.Completion(values=[]))
        asked = params.model_dump(by_alias=True, mode="json", include={"ref", "argument"})
        result = await self._ask("completion/complete", asked, types.INVALID_PARAMS)
        return types.CompleteResult.model_validate(result)

    async def _set_level(self, context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        self.clients.set_level(context, params.level)
        return types.EmptyResult()

    async def _ask(
        self, method: str, params: Row, code: int = types.INTERNAL_ERROR, caller: McpCaller | None = None
    ) -> Any:
        """Return the current page's answer; its failure becomes a protocol error with that code."""
        try:
            self.switch.require_on()
            page = await self._pages.find()
            return await page.ask(method, params, caller)
        except GeminiError as error:
            raise _protocol_error(error, code) from None

    async def _end_session(self, caller: str) -> None:
        """Tell every page that a client's session has ended, so that what its code had there ends, too."""
        for page in list(self._pages):
            # Its sessions end with the page, too.
            with contextlib.suppress(PageLost):
                await page.ask("sessions/end", {"_meta": {"caller": caller}})

    def _pages_changed(self) -> None:
        listed = self._list()
        if listed != self._listed_tools:
            self._listed_tools = listed
            self._spawn(self.clients.tools_changed())

    def _list(self) -> list[str]:
        """Return every tool of each profile, and the usual profile, as text for a comparison."""
        tools = [*self._tools.listed("all"), *self._tools.listed("code")]
        return [self.profiles.chosen, *(tool.model_dump_json() for tool in tools)]

    def _spawn(self, coroutine: Any) -> None:
        """Run a notification in its own task, so that the cause of a change doesn't wait for all clients."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _protocol_error(error: GeminiError, code: int) -> MCPError:
    text = error.message if error.hint is None else f"{error.message} ({error.hint})"
    return MCPError(code, text, error.as_json()["error"])
