"""From a declaration to a pydantic model of its arguments, and to JSON Schema in WebMCP's subset.

The subset (https://github.com/webmachinelearning/webmcp) has neither references nor unions, so every `$ref`
is replaced by what it names, and a union is said in words. pydantic still checks the full type.
"""

import inspect
import json
import types
import typing
from collections.abc import Generator, Iterator
from typing import Any, cast

from pydantic import ConfigDict, Field, PydanticSchemaGenerationError, TypeAdapter, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic.main import BaseModel

from gemini.errors import ToolDeclarationError
from gemini.tools.declaration import PARAMETER_BUDGET, Declaration, check_budget

JsonSchema = dict[str, Any]
GENERATORS = (Iterator, Generator)

KEPT = (
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
# What the subset has no keyword for, and what is as much a part of the type.
IN_WORDS = {
    "format": "Format: {}.",
    "multipleOf": "A multiple of {}.",
    "minItems": "At least {} items.",
    "maxItems": "At most {} items.",
}


class _Generator(GenerateJsonSchema):
    # A default that JSON can't hold is a fact about the function, and none of its callers'.
    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}


def arguments_model(declaration: Declaration) -> type[BaseModel]:
    """A model with one field a parameter.

    Fields are called `p0`, `p1`, … and aliased to the parameters' names, since a name such as `copy` or
    `schema` would clash with pydantic's own methods.
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


def input_schema(declaration: Declaration, model: type[BaseModel]) -> JsonSchema:
    """The JSON Schema of the arguments object, without `$ref`, `anyOf`, `format` or `title`.

    Raises:
        ToolDeclarationError: a type that JSON has none for, or a description over the budget.
    """
    try:
        full = model.model_json_schema(by_alias=True, schema_generator=_Generator)
    except PydanticInvalidForJsonSchema as error:
        raise _unfit(declaration, error) from error
    schema = _Inliner(full.get("$defs", {})).inline(full)
    # `additionalProperties: false` would say in every tool what validation says when it matters.
    schema.pop("additionalProperties", None)
    for name, inner in schema.setdefault("properties", {}).items():
        where = f"the description of parameter {name!r} of tool {declaration.name!r}"
        check_budget(where, inner.get("description", ""), PARAMETER_BUDGET)
    return schema


def output_schema(returns: Any) -> JsonSchema:
    """The JSON Schema (2020-12) of what a tool's function returns, as `encode` writes it.

    Args:
        returns: The annotation; a generator's stands for a list.

    Returns:
        `{}`, which allows any value, for `Any` and for types that pydantic can't describe.
    """
    item = typing.get_args(returns)[:1] if typing.get_origin(returns) in GENERATORS else ()
    try:
        listed: Any = types.GenericAlias(list, item) if item else returns
        schema = TypeAdapter[Any](listed).json_schema(mode="serialization", schema_generator=_Generator)
    except (PydanticSchemaGenerationError, PydanticUserError):
        # The value is encoded all the same, by pydantic's rules for values of any type.
        return {}
    return cast(JsonSchema, _without_names(schema))


def _without_names(schema: Any) -> Any:
    """Leave out titles, which pydantic makes of fields' names, and classes' docstrings, which are for readers."""
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
        f"a parameter of tool {declaration.name!r} has a type that JSON can't carry: {reason}",
        hint="Use str, int, float, bool, list, dict, Literal, Enum, a dataclass, TypedDict or a model.",
    )


class _Inliner:
    """Puts schemas into the subset.

    Args:
        definitions: What `$ref` may name.
    """

    def __init__(self, definitions: dict[str, JsonSchema]) -> None:
        self._definitions = definitions
        # Those that we are inside of, to stop at recursion.
        self._open: list[str] = []

    def inline(self, schema: JsonSchema) -> JsonSchema:
        """`schema` in the subset."""
        if "$ref" in schema:
            return self._reference(schema)
        for union in ("anyOf", "oneOf", "allOf"):
            if union in schema:
                return _described(_merge([self.inline(branch) for branch in schema[union]]), schema)
        kept = {key: schema[key] for key in KEPT if key in schema}
        if "const" in schema:
            kept["enum"] = [schema["const"]]
        if "properties" in schema:
            kept["properties"] = {name: self.inline(inner) for name, inner in schema["properties"].items()}
        if schema.get("required"):
            kept["required"] = schema["required"]
        if schema.get("additionalProperties") is False:
            kept["additionalProperties"] = False
        return _described({**kept, **self._items(schema)}, schema)

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
            return _described({} if kind is None else {"type": kind}, schema)
        self._open.append(name)
        try:
            return _described(self.inline(target), schema)
        finally:
            self._open.pop()


def _described(kept: JsonSchema, source: JsonSchema) -> JsonSchema:
    """Carry over what describes a value; what the subset can't say is said in the description."""
    described = dict(kept)
    words = [str(source.get("description") or kept.get("description") or "")]
    # A tuple's length is said by its places.
    if "prefixItems" not in source:
        words += [text.format(source[key]) for key, text in IN_WORDS.items() if key in source]
    text = " ".join(word for word in words if word)
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
    """One schema for a union.

    That is the branch itself where only one isn't null; what branches of one type have in common; and
    otherwise any value, with the choice in words.
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
    """The members that an object of any of the branches may have; required are those that each requires."""
    members: dict[str, list[JsonSchema]] = {}
    for branch in branches:
        for name, schema in branch["properties"].items():
            members.setdefault(name, []).append(schema)
    merged: JsonSchema = {"properties": {name: _merge(schemas) for name, schemas in members.items()}}
    required = [name for name in members if all(name in branch.get("required", ()) for branch in branches)]
    return {**merged, "required": required} if required else merged
