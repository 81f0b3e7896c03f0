"""From a declaration to a pydantic model of its arguments, and to JSON Schema in the subset that WebMCP accepts.

The subset (https://github.com/webmachinelearning/webmcp) has neither references nor unions, so every `$ref` is
replaced by what it names, and a union is said in words. pydantic still checks the full type.
"""

import inspect
from typing import Any, cast

from pydantic import ConfigDict, Field, PydanticSchemaGenerationError, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.main import BaseModel

from gemini.errors import ToolDeclarationError
from gemini.tools.declaration import Declaration

JsonSchema = dict[str, Any]

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


def arguments_model(declaration: Declaration) -> type[BaseModel]:
    """A model with one field a parameter.

    Fields are called `p0`, `p1`, … and aliased to the parameters' names, since a name such as `copy` or `schema`
    would clash with pydantic's own methods.
    """
    fields: dict[str, Any] = {}
    for position, parameter in enumerate(declaration.parameters):
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[f"p{position}"] = (
            parameter.annotation,
            Field(default, alias=parameter.name, description=parameter.description),
        )
    try:
        return create_model(declaration.name, __config__=ConfigDict(extra="forbid"), **fields)
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise ToolDeclarationError(
            f"a parameter of tool {declaration.name!r} has a type that JSON can't carry: {error.message}",
            hint="Use str, int, float, bool, list, dict, Literal, Enum, a dataclass, TypedDict or pydantic model.",
        ) from error


def input_schema(declaration: Declaration, model: type[BaseModel]) -> JsonSchema:
    """The JSON Schema of the arguments object, without `$ref`, `anyOf`, `format` or `title`."""
    try:
        full = model.model_json_schema(by_alias=True)
    except PydanticInvalidForJsonSchema as error:
        raise ToolDeclarationError(f"tool {declaration.name!r}: {error.message}") from error
    schema = _inline(full, full.get("$defs", {}), ())
    # `additionalProperties: false` would say in every tool what validation says when it matters.
    return {"type": "object", "properties": {}, **{key: schema[key] for key in schema if key != "additionalProperties"}}


def _inline(schema: JsonSchema, definitions: dict[str, JsonSchema], open_refs: tuple[str, ...]) -> JsonSchema:
    """`schema` in the subset; `open_refs` are the definitions that we are inside of, to stop at recursion."""
    reference = schema.get("$ref")
    if reference is not None:
        own = {key: value for key, value in schema.items() if key != "$ref"}
        if reference in open_refs:
            return _described({"type": "object"}, own)
        target = definitions[str(reference).rpartition("/")[2]]
        return _described(_inline(target, definitions, (*open_refs, str(reference))), own)
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            branches = [_inline(branch, definitions, open_refs) for branch in schema[union]]
            return _described(_merge(branches), schema)
    kept = {key: schema[key] for key in KEPT if key in schema}
    if "const" in schema:
        kept["enum"] = [schema["const"]]
    if "properties" in schema:
        kept["properties"] = {
            name: _inline(inner, definitions, open_refs) for name, inner in schema["properties"].items()
        }
        if schema.get("required"):
            kept["required"] = schema["required"]
    if schema.get("additionalProperties") is False:
        kept["additionalProperties"] = False
    if isinstance(schema.get("items"), dict):
        kept["items"] = _inline(cast(JsonSchema, schema["items"]), definitions, open_refs)
    if "prefixItems" in schema:
        kept["prefixItems"] = [_inline(inner, definitions, open_refs) for inner in schema["prefixItems"]]
    return _described(kept, schema)


def _described(kept: JsonSchema, source: JsonSchema) -> JsonSchema:
    """Carry over what describes a value; what the subset can't say is said in the description."""
    described = dict(kept)
    words = [str(source.get("description") or kept.get("description") or "")]
    if "format" in source:
        words.append(f"Format: {source['format']}.")
    text = " ".join(word for word in words if word)
    if text:
        described["description"] = text
    if source.get("default") is not None:
        described["default"] = source["default"]
    return described


def _merge(branches: list[JsonSchema]) -> JsonSchema:
    """One schema for a union: the branch itself where only one isn't null, an enum where all are enums of a type,
    and otherwise any value, with the choice in words."""
    real = [branch for branch in branches if branch.get("type") != "null"]
    if len(real) == 1:
        return real[0]
    types = {branch.get("type") for branch in real}
    if len(types) == 1 and all("enum" in branch for branch in real):
        return {"type": types.pop(), "enum": [value for branch in real for value in branch["enum"]]}
    names = [str(branch.get("type", "any value")) for branch in real]
    return {"description": f"One of: {', '.join(dict.fromkeys(names))}."}
