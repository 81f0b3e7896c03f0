"""A program that breaks the protocol in one way: `python hostile_server.py WAY`."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

WAY = sys.argv[1]
GOOD: dict[str, Any] = {"name": "look", "description": "Look.", "inputSchema": {"type": "object"}}


def send(message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def deep(levels: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


def tools() -> list[Any]:
    match WAY:
        case "schemas":
            return [
                {
                    **GOOD,
                    "name": "kind",
                    "inputSchema": {"type": "object", "properties": {"x": {"type": "banana"}}},
                },
                {
                    **GOOD,
                    "name": "pattern",
                    "inputSchema": {"type": "object", "properties": {"x": {"pattern": "("}}},
                },
                {**GOOD, "name": "deep", "inputSchema": deep(40)},
                {**GOOD, "name": "long", "inputSchema": {"type": "object", "description": "x" * 100_000}},
                {**GOOD, "name": "good"},
            ]
        case "names":
            names = [
                "look-up",
                "look.up",
                "look_up",
                "class",
                "1st",
                "naïve",
                "__init__",
                "",
                "twice",
                "twice",
                "a\nb",
                "z" * 200,
            ]
            return [{**GOOD, "name": name} for name in names]
        case "many":
            return [{**GOOD, "name": f"tool_{number}"} for number in range(2_100)]
        case _:
            return [GOOD]


def result(identifier: Any) -> None:
    answer = {"id": identifier, "result": {"content": [{"type": "text", "text": "seen"}]}}
    match WAY:
        case "garbage":
            sys.stdout.write("not json\n" * 10)
            send(answer)
        case "only-garbage":
            sys.stdout.write("not json\n" * 200)
            sys.stdout.flush()
        case "twice":
            send(answer)
            send(answer)
        case "never":
            return
        case "much":
            sys.stdout.write("x" * 70_000_000)
            sys.stdout.flush()
        case "nonsense":
            send({"id": identifier, "result": {"content": "seen"}})
        case "foreign":
            send({"id": 12345, "result": {}})
            send(answer)
        case "samples":
            asked = {"messages": [], "maxTokens": 10}
            send({"id": "mine", "method": "sampling/createMessage", "params": asked})
        case "asks":
            schema = {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}
            asked = {"message": "How large?", "requestedSchema": schema}
            send({"id": "mine", "method": "elicitation/create", "params": asked})
        case _:
            send(answer)


def main() -> None:
    if WAY == "silent":
        time.sleep(600)
    if WAY in ("dead", "leak"):
        print("no licence", os.environ.get("TOKEN", ""), file=sys.stderr, flush=True)
        os._exit(1)
    waiting: Any = None
    for line in sys.stdin:
        message = json.loads(line)
        method, identifier = message.get("method"), message.get("id")
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            about = {"name": WAY, "version": "1"}
            send(
                {
                    "id": identifier,
                    "result": {
                        "protocolVersion": version,
                        "capabilities": {"tools": {}},
                        "serverInfo": about,
                    },
                }
            )
        elif method == "tools/list":
            answer: Any = {"tools": tools()}
            if WAY == "endless":
                answer["nextCursor"] = "again"
            send({"id": identifier, "result": answer})
        elif method == "tools/call":
            waiting = identifier
            result(identifier)
        elif identifier == "mine":
            said = message.get("error", {}).get("message") or json.dumps(message["result"])
            send({"id": waiting, "result": {"content": [{"type": "text", "text": said}]}})
        elif method == "server/discover":
            send({"id": identifier, "error": {"code": -32601, "message": "unknown"}})


main()
