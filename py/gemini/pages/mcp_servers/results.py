"""The results of the MCP tools. Members that only some results have aren't required."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class McpServerRow(TypedDict):
    """A server that the user has added, and switched on.

    `module` is its name in Python, `state` is off, starting, ready, waiting or failed, `problem` says why it isn't
    ready, and `tools` is their number once it has started. `allowed` says whether it starts without a question, and
    `listed` whether agents have its tools in their lists.
    """

    name: str
    module: str
    listed: bool
    allowed: bool
    state: str
    problem: str | None
    restarts: int
    tools: int | None


class McpDeclaration(TypedDict):
    """A tool of a server, in the server's words, which nobody has checked.

    `function` is its name in Python, `input` the JSON Schema of its arguments, `output` of its result, and `hints` what
    the server claims about it. `problem` says why its schema isn't used.
    """

    name: str
    function: str
    title: str
    description: str
    input: dict[str, Any]
    output: dict[str, Any] | None
    hints: dict[str, bool]
    problem: str | None


class McpTools(TypedDict):
    """The tools of a server."""

    name: str
    module: str
    tools: list[McpDeclaration]
    problems: list[str]
    instructions: str


class McpTool(TypedDict):
    """A tool of a server, shortened for agents. `arguments` is its JSON Schema."""

    name: str
    description: str
    arguments: NotRequired[dict[str, Any]]


class McpToolList(TypedDict):
    """The tools of a server that fit a search, and the number of all its tools."""

    server: str
    total: int
    tools: list[McpTool]


class McpFile(TypedDict):
    """A picture, sound or resource of an answer, saved as a file."""

    path: str
    kind: Literal["image", "audio", "resource"]
    mime_type: str | None
    uri: NotRequired[str]


class McpLink(TypedDict):
    """A resource that an answer names, for mcp_read."""

    uri: str
    name: str
    mime_type: str | None


class McpResult(TypedDict):
    """The answer of a server's tool: text from outside."""

    structured: NotRequired[Any]
    text: NotRequired[str]
    files: NotRequired[list[McpFile]]
    links: NotRequired[list[McpLink]]
