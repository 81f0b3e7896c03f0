"""Pydantic models of tools' arguments, and their JSON Schemas in WebMCP's subset.

The subset (https://github.com/webmachinelearning/webmcp) has neither references nor unions. Every `$ref` is replaced
by its definition, and unions are described in words. pydantic still validates the full type.
"""

import inspect
import json
import types
import typing
from collections.abc import Callable, Generator, Iterator
from functools import wraps
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from pydantic import ConfigDict, Field, PydanticSchemaGenerationError, TypeAdapter, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic.main import BaseModel

from gemini.errors import ToolDeclarationError
from gemini.tools.budgets import PARAMETER_BUDGET, check_budget
from gemini.tools.content import Content
from gemini.tools.declaration import Declaration

JsonSchema = dict[str, Any]
Made = TypeVar("Made")
GENERATORS = (Iterator, Generator)
# The formats that pydantic describes bytes by.
BYTES = {"base64url", "binary"}

KEYWORDS = (
    "type",
    "enum",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
)
# Constraints that the subset has no keyword for, as text.
IN_WORDS = {
    "format": "Format: {}.",
    "multipleOf": "A multiple of {}.",
    "minItems": "At least {} items.",
    "maxItems": "At most {} items.",
}


class _Generator(GenerateJsonSchema):
    # A default that JSON can't represent doesn't concern callers.
    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}


def _once(make: Callable[[Declaration], Made]) -> Callable[[Declaration], Made]:
    """Make something once for a declaration: it takes milliseconds, and a snapshot of Python has it."""
    made: WeakKeyDictionary[Declaration, Made] = WeakKeyDictionary()

    @wraps(make)
    def find(declaration: Declaration) -> Made:
        if declaration not in made:
            made[declaration] = make(declaration)
        return made[declaration]

    return find


@_once
def arguments_model(declaration: Declaration) -> type[BaseModel]:
    """Return a model with a field for each parameter, always the same for a declaration.

    Fields are named `p0`, `p1`, … and aliased to the parameters' names, because names such as `copy` and
    `schema` would clash with pydantic's methods.

    Raises:
        ToolDeclarationError: JSON can't represent a parameter's type.
    """
    fields: dict[str, Any] = {}
    for position, parameter in enumerate(declaration.parameters):
        options: dict[str, Any] = {"alias": parameter.name}
        if parameter.default is not inspect.Parameter.empty:
            options["default"] = parameter.default
        if parameter.description:
            options["description"] = parameter.description
        fields[f"p{position}"] = (parameter.annotation, Field(**options))
    try:
        return create_model(declaration.name, __config__=ConfigDict(extra="forbid"), **fields)
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise _unfit(declaration, error) from error


@_once
def input_schema(declaration: Declaration) -> JsonSchema:
    """Return the JSON Schema of the arguments: the declared one, or one generated from the signature.

    A generated one is without `$ref`, `anyOf`, `format` and `title`.

    Raises:
        ToolDeclarationError: JSON can't represent a type, or a description is too long.
    """
    try:
        # In any case, because it checks that JSON can represent the types.
        full = arguments_model(declaration).model_json_schema(by_alias=True, schema_generator=_Generator)
    except PydanticInvalidForJsonSchema as error:
        raise _unfit(declaration, error) from error
    schema = _Inliner(full.get("$defs", {})).inline(full)
    # `additionalProperties: false` would cost tokens in every tool; validation reports it when it matters.
    schema.pop("additionalProperties", None)
    for name, inner in schema.setdefault("properties", {}).items():
        where = f"the description of parameter {name!r} of tool {declaration.name!r}"
        check_budget(where, inner.get("description", ""), PARAMETER_BUDGET)
    return schema if declaration.schema is None else declaration.schema


@_once
def output_schema(declaration: Declaration) -> JsonSchema | None:
    """Return the JSON Schema of the result; None for a tool that returns `Content`, whose form MCP defines."""
    returns = declaration.returns
    return None if isinstance(returns, type) and issubclass(returns, Content) else schema_of(returns)


def schema_of(returns: Any) -> JsonSchema:
    """Return the JSON Schema (2020-12) of a tool's result, as `encode` writes it.

    Args:
        returns: The return annotation. A generator becomes a list.

    Returns:
        The schema; `{}`, which allows any value, for `Any` and for types that pydantic can't describe.
    """
    item = typing.get_args(returns)[:1] if typing.get_origin(returns) in GENERATORS else ()
    try:
        listed: Any = types.GenericAlias(list, item) if item else returns
        schema = TypeAdapter[Any](listed).json_schema(mode="serialization", schema_generator=_Generator)
    except (PydanticSchemaGenerationError, PydanticUserError):
        # The value is encoded anyway, by pydantic's rules for any type.
        return {}
    return cast(JsonSchema, _without_names(schema))


def may_hold_bytes(schema: JsonSchema) -> bool:
    """Return whether an output schema allows bytes, explicitly or because it allows any value."""
    definitions = cast("dict[str, JsonSchema]", schema.get("$defs", {}))
    return any(_allows_bytes(part) for part in [schema, *definitions.values()])


def _allows_bytes(schema: JsonSchema) -> bool:
    kind = schema.get("type")
    if "$ref" in schema or "enum" in schema or "const" in schema:
        return False
    if kind == "string":
        return schema.get("format") in BYTES
    inner = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("prefixItems", ())]
    inner += schema.get("properties", {}).values()
    if kind == "array" and "prefixItems" not in schema:
        inner.append(schema.get("items", {}))
    if kind == "object" and ("properties" not in schema or "additionalProperties" in schema):
        members = schema.get("additionalProperties", True)
        inner += [] if members is False else [{} if members is True else members]
    return kind is None and not inner or any(_allows_bytes(part) for part in inner)


def _without_names(schema: Any) -> Any:
    """Remove titles, which pydantic derives from field names, and class docstrings, which are for developers."""
    if isinstance(schema, list):
        return [_without_names(inner) for inner in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast(JsonSchema, schema)
    return {
        key: _without_names(inner)
        for key, inner in members.items()
        if not isinstance(inner, str)
        or (key != "title" and not (key == "description" and "properties" in members))
    }


def _unfit(declaration: Declaration, error: PydanticUserError) -> ToolDeclarationError:
    reason = error.message.partition("\n")[0].partition(". Set `arbitrary_types_allowed")[0]
    return ToolDeclarationError(
        f"a parameter of tool {declaration.name!r} has a type that JSON can't represent: {reason}",
        hint="Use str, int, float, bool, list, dict, Literal, Enum, a dataclass, TypedDict or a model.",
    )


class _Inliner:
    """A converter of schemas to the subset.

    Args:
        definitions: The schemas that `$ref` may name.
    """

    def __init__(self, definitions: dict[str, JsonSchema]) -> None:
        self._definitions = definitions
        # The definitions being inlined, to stop at recursion.
        self._open: list[str] = []

    def inline(self, schema: JsonSchema) -> JsonSchema:
        """Return `schema` in the subset."""
        if "$ref" in schema:
            return self._reference(schema)
        for union in ("anyOf", "oneOf", "allOf"):
            if union in schema:
                return _describe(_merge([self.inline(branch) for branch in schema[union]]), schema)
        result = {key: schema[key] for key in KEYWORDS if key in schema}
        if "const" in schema:
            result["enum"] = [schema["const"]]
        if "properties" in schema:
            result["properties"] = {name: self.inline(inner) for name, inner in schema["properties"].items()}
        if schema.get("required"):
            result["required"] = schema["required"]
        if schema.get("additionalProperties") is False:
            result["additionalProperties"] = False
        return _describe({**result, **self._items(schema)}, schema)

    def _items(self, schema: JsonSchema) -> JsonSchema:
        items: JsonSchema = {}
        if isinstance(schema.get("items"), dict):
            items["items"] = self.inline(cast(JsonSchema, schema["items"]))
        if "prefixItems" in schema:
            items["prefixItems"] = [self.inline(inner) for inner in schema["prefixItems"]]
        return items

    def _reference(self, schema: JsonSchema) -> JsonSchema:
        name = str(schema["$ref"]).rpartition("/")[2]
        target = self._definitions[name]
        if name in self._open:
            kind = target.get("type")
            return _describe({} if kind is None else {"type": kind}, schema)
        self._open.append(name)
        try:
            return _describe(self.inline(target), schema)
        finally:
            self._open.pop()


def _describe(schema: JsonSchema, source: JsonSchema) -> JsonSchema:
    """Add the description and default of `source`; constraints outside the subset go into the description."""
    described = dict(schema)
    sentences = [str(source.get("description") or schema.get("description") or "")]
    # `prefixItems` already implies a tuple's length.
    if "prefixItems" not in source:
        sentences += [text.format(source[key]) for key, text in IN_WORDS.items() if key in source]
    text = " ".join(sentence for sentence in sentences if sentence)
    if text:
        described["description"] = text
    if source.get("default") is not None and _is_json(source["default"]):
        described["default"] = source["default"]
    return described


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


def _merge(branches: list[JsonSchema]) -> JsonSchema:
    """Return one schema for a union.

    It is the only branch that isn't null, or what branches of one type have in common; otherwise it allows any value
    and lists the types in its description.
    """
    real = [branch for branch in branches if branch.get("type") != "null"]
    if len(real) == 1:
        return real[0]
    types = list(dict.fromkeys(str(branch.get("type", "any value")) for branch in real))
    if len(types) != 1 or types == ["any value"]:
        return {"description": f"One of: {', '.join(types)}."}
    merged: JsonSchema = {"type": types[0]}
    if all("enum" in branch for branch in real):
        merged["enum"] = list(dict.fromkeys(value for branch in real for value in branch["enum"]))
    if all("properties" in branch for branch in real):
        merged |= _merge_members(real)
    return merged


def _merge_members(branches: list[JsonSchema]) -> JsonSchema:
    """Return the members of all branches; a member is required if every branch requires it."""
    members: dict[str, list[JsonSchema]] = {}
    for branch in branches:
        for name, schema in branch["properties"].items():
            members.setdefault(name, []).append(schema)
    merged: JsonSchema = {"properties": {name: _merge(schemas) for name, schemas in members.items()}}
    required = [name for name in members if all(name in branch.get("required", ()) for branch in branches)]
    return {**merged, "required": required} if required else merged
