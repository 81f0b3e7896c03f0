"""Checks tools' answers against their output schemas."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


def check(text: str, schema: dict[str, Any], tool: str) -> None:
    """Raise AssertionError if JSON text doesn't fit the schema (JSON Schema 2020-12)."""
    errors = [error.message for error in _validator(json.dumps(schema)).iter_errors(json.loads(text))]
    assert not errors, f"the answer of {tool} doesn't fit its outputSchema: {errors[:3]}"
