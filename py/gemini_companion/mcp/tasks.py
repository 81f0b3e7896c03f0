"""Calls that outlive their requests: MCP's extension for tasks (SEP-2663).

https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html

A task lives in the companion's memory and ends with the page that runs its tool.
"""

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER, decode_header_value
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gemini.errors import GeminiError
from gemini_companion.errors import McpOff
from gemini_companion.mcp.callers import ReturningCaller
from gemini_companion.mcp.clients import Context
from gemini_companion.mcp.needs import TASKS, declares, require

Row = dict[str, Any]
# How long an ended task is available. A running one is at any time.
KEEP_S = 3600.0
# The most tasks at a time, running and ended, of all clients and of one. Calls above them are answered directly.
MAX_TASKS, MAX_OF_CLIENT = 200, 50
# Characters of results that wait in ended tasks.
MAX_CHARACTERS = 64_000_000
POLL_MS = 500
# Failures of the connection or the protocol: the tool itself had no say. The others are results with `isError`.
PROTOCOL_FAILURES = ("PageLost", "NoPageConnected", "ProtocolError")


class TaskParams(types.RequestParams):
    """The parameters of `tasks/get` and `tasks/cancel`."""

    task_id: str


class TaskUpdateParams(TaskParams):
    """The parameters of `tasks/update`. An answer without a question is ignored, so it may have any form."""

    input_responses: dict[str, Any]


@dataclass(eq=False)
class Task:
    """A call that continues after its request.

    Attributes:
        outcome: `{result}` or `{error}`, once it has ended on its own.
    """

    caller: ReturningCaller
    call: "asyncio.Task[Any]"
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    created: float = field(default_factory=time.time)
    updated: float = field(default_factory=time.time)
    message: str | None = None
    cancelled: bool = False
    outcome: Row | None = None
    size: int = 0

    @property
    def status(self) -> types.TaskStatus:
        """The status as the extension names it."""
        if self.cancelled:
            return "cancelled"
        if self.outcome is not None:
            return "completed" if "result" in self.outcome else "failed"
        return "input_required" if self.caller.questions else "working"

    @property
    def has_ended(self) -> bool:
        """True once the status can't change any more."""
        return self.cancelled or self.outcome is not None

    def report(self, message: str | None) -> None:
        """Show the latest progress to the client with the next `tasks/get`."""
        self.message, self.updated = message, time.time()

    def row(self) -> Row:
        """Return what creates the task at the client."""
        # A running task stays, so its time to live grows.
        until = self.updated if self.has_ended else time.time()
        row: Row = {
            "taskId": self.id,
            "status": self.status,
            "createdAt": _text(self.created),
            "lastUpdatedAt": _text(self.updated),
            "ttlMs": round((until - self.created + KEEP_S) * 1_000),
            "pollIntervalMs": POLL_MS,
        }
        return row if self.message is None else {**row, "statusMessage": self.message}

    def details(self) -> Row:
        """Return the answer to `tasks/get`."""
        row = {"resultType": "complete", **self.row()}
        if self.status == "input_required":
            questions = self.caller.questions
            row["inputRequests"] = {key: _dump(question) for key, question in questions.items()}
        return row if self.outcome is None or self.cancelled else {**row, **self.outcome}


class Tasks:
    """The tasks by id, a random text."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}

    def has_room(self, name: str) -> bool:
        """Return whether a client may have another task."""
        self._expire()
        of_client = sum(task.caller.name == name for task in self._tasks.values())
        return len(self._tasks) < MAX_TASKS and of_client < MAX_OF_CLIENT

    def adopt(self, caller: ReturningCaller, call: "asyncio.Task[Any]") -> Row:
        """Continue a call without its request; return what to answer."""
        task = Task(caller, call)
        self._tasks[task.id] = task
        caller.continue_as_task(task.report)
        created = {"resultType": "task", **task.row()}
        call.add_done_callback(lambda _: self._ended(task))
        return created

    def get(self, name: str, context: Context, params: TaskParams) -> Row:
        """Return the task with its questions or its result.

        Raises:
            MCPError: The client hasn't declared the extension, or has no such task.
        """
        return self._find(name, context, params).details()

    def update(self, name: str, context: Context, params: TaskUpdateParams) -> Row:
        """Pass the client's answers to the call. Raises as `get` does."""
        task = self._find(name, context, params)
        if not task.has_ended:
            task.updated = time.time()
            task.caller.answer(params.input_responses)
        return {}

    def cancel(self, name: str, context: Context, params: TaskParams) -> Row:
        """Cancel the call unless it has ended. Raises as `get` does."""
        self._cancel(self._find(name, context, params))
        return {}

    def cancel_all(self, error: McpOff) -> None:
        """End all running tasks with an error."""
        for task in self._tasks.values():
            if not task.has_ended:
                _fail(task, types.INTERNAL_ERROR, error)
                task.call.cancel()

    def _cancel(self, task: Task) -> None:
        if not task.has_ended:
            task.cancelled, task.updated = True, time.time()
            task.call.cancel()

    def _find(self, name: str, context: Context, params: TaskParams) -> Task:
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            raise MCPError(types.METHOD_NOT_FOUND, "tasks exist from version 2026-07-28 on")
        if not declares(context, TASKS):
            require(context, [TASKS], "this method")
        if context.request is not None:
            header = decode_header_value(context.request.headers.get(MCP_NAME_HEADER))
            if header != params.task_id:
                raise MCPError(types.HEADER_MISMATCH, "the header Mcp-Name must be the request's taskId")
        self._expire()
        task = self._tasks.get(params.task_id)
        if task is None or task.caller.name != name:
            raise MCPError(types.INVALID_PARAMS, "this client has no such task, or no longer")
        return task

    def _expire(self) -> None:
        before = time.time() - KEEP_S
        for task in [each for each in self._tasks.values() if each.has_ended and each.updated < before]:
            del self._tasks[task.id]

    def _ended(self, task: Task) -> None:
        if task.has_ended:
            return
        task.updated = time.time()
        if task.call.cancelled():
            task.cancelled = True
            return
        error = task.call.exception()
        if error is not None:
            code = error.error.code if isinstance(error, MCPError) else types.INTERNAL_ERROR
            _fail(task, code, error)
            return
        self._settle(task, task.call.result())

    def _settle(self, task: Task, result: types.CallToolResult) -> None:
        content: Any = result.structured_content
        details = cast(Row, content["error"]) if result.is_error and content else {}
        if details.get("type") in PROTOCOL_FAILURES:
            error: Row = {
                "code": types.INTERNAL_ERROR,
                "message": str(details.get("message")),
                "data": details,
            }
            task.outcome = {"error": error}
            return
        task.size = len(result.model_dump_json())
        if sum(each.size for each in self._tasks.values()) > MAX_CHARACTERS:
            task.size = 0
            message = "the result is too large to wait for the client; ask for less, or call without tasks"
            task.outcome = {"error": {"code": types.INTERNAL_ERROR, "message": message}}
            return
        task.outcome = {"result": {"resultType": "complete", **_dump(result)}}


def _fail(task: Task, code: int, error: BaseException) -> None:
    row: Row = {"code": code, "message": error.message if isinstance(error, GeminiError) else str(error)}
    if isinstance(error, GeminiError):
        row["data"] = error.as_json()["error"]
    task.outcome, task.updated = {"error": row}, time.time()


def _dump(model: Any) -> Row:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


def _text(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
