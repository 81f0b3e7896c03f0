"""The catalogue of tools and actions for the build.

`python -m gemini.kernel.catalogue` prints as JSON: `tools`, those of a new surface, which the page registers from
`dist/tools.json` before Python has booted; `actions` of the panels, and `types` of the state that they show, from which
the build generates typed functions and types (builder/declared.py).
"""

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from gemini.kernel.kernel import Kernel
from gemini.kernel.shown import Snapshot, event_types
from gemini.tools import Registry
from gemini.tools.events import ToolRow


@cache
def _registry() -> Registry:
    """Return the tools of a new surface, which nothing is asked of."""
    registry = Registry()
    Kernel(registry)
    return registry


def rows() -> list[ToolRow]:
    """Return every built-in tool as `tools/list` lists it."""
    return _registry().rows()


def actions() -> list[dict[str, Any]]:
    """Return the panels' actions: `{action, tool, scripts, description, input, output}`, with JSON Schemas (2020-12).

    `scripts` says whether scripts can call the tool, too.
    """
    return [
        {
            "action": tool.declaration.action,
            "tool": tool.declaration.name,
            "scripts": not tool.declaration.person_only,
            "description": tool.declaration.description,
            "input": tool.model.model_json_schema(by_alias=True),
            "output": tool.output_schema,
        }
        for tool in _registry()
        if tool.declaration.action is not None
    ]


def types() -> dict[str, Any]:
    """Return JSON Schemas of the state that the page shows: `{snapshot, events: [schema]}`."""
    return {"snapshot": _schema(Snapshot), "events": [_schema(event) for event in event_types()]}


def _schema(of: Any) -> dict[str, Any]:
    return TypeAdapter(of).json_schema(mode="serialization")


if __name__ == "__main__":
    catalogue = {"tools": rows(), "actions": actions(), "types": types()}
    print(json.dumps(catalogue, ensure_ascii=False, separators=(",", ":")))
