"""Results for MCP clients fit the schema that was sent to them."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gemini.errors import PythonError
from gemini_companion.mcp.results import failure, result_of, structured_schema

ROW = {
    "type": "object",
    "properties": {"at": {"$ref": "#/$defs/Point"}},
    "required": ["at"],
    "$defs": {"Point": {"type": "object", "required": ["x"]}},
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (ROW, {"at": {"x": 1}}),
        ({"type": "string"}, "plain"),
        ({"type": "array", "items": {"type": "integer"}}, [1, 2]),
        ({}, None),
        ({}, {"any": 1}),
        (ROW, {"cut": {"total_chars": 100_000, "full_result": "/tmp/results/x.json"}}),
        ({"type": "string"}, {"value": "begin…", "cut": {"total_chars": 100_000}}),
    ],
)
def test_structured_content_fits_the_schema(schema: dict[str, Any], value: Any) -> None:
    content_schema = structured_schema(schema)
    assert content_schema is not None and content_schema["type"] == "object"
    Draft202012Validator.check_schema(content_schema)
    Draft202012Validator(content_schema).validate(result_of(value).structured_content)


@pytest.mark.parametrize("value", [{"at": {}}, {"at": 1}, {}, {"result": 1}])
def test_a_value_that_does_not_fit_is_found(value: Any) -> None:
    content_schema = structured_schema(ROW)
    assert content_schema is not None
    assert not Draft202012Validator(content_schema).is_valid(value)


def test_blocks_of_content_have_no_schema() -> None:
    assert structured_schema(None) is None


def test_the_text_of_a_failure_has_all_of_its_data() -> None:
    traceback = 'Traceback:\n  File "<console-1>", line 2\nZeroDivisionError: division by zero\n'
    data = {"traceback": traceback, "stdout": "before\nmore\n", "stderr": "", "package": "x", "lines": [1, 2]}
    result = failure(PythonError("ZeroDivisionError: division by zero", hint="Check the divisor.", data=data))
    (block,) = result.content
    assert getattr(block, "text", "") == (
        "PythonError: ZeroDivisionError: division by zero (Check the divisor.)\n"
        f"traceback:\n{traceback}stdout:\nbefore\nmore\npackage: x\nlines: [1, 2]"
    )
    assert result.structured_content is not None and result.structured_content["error"]["data"] == data


def test_a_failure_may_have_a_text_or_nothing_as_its_data() -> None:
    (block,) = failure({"type": "ToolFailed", "message": "no", "data": "<object>"}).content
    assert getattr(block, "text", "") == "ToolFailed: no\ndata: <object>"
    (block,) = failure({"type": "ToolFailed", "message": "no"}).content
    assert getattr(block, "text", "") == "ToolFailed: no"
