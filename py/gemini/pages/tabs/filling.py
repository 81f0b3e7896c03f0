"""Fill the fields of a form by ref or label."""

import re
from typing import Any, NotRequired, cast

from typing_extensions import TypedDict

from gemini.errors import GeminiError, InvalidArguments, NotFound
from gemini.pages.tabs.tab import Row, Tab

REF = re.compile(r"e\d+")
SWITCHES = {"checkbox", "switch", "menuitemcheckbox"}
CHOICES = {"listbox", "radiogroup", "tree", "menu", "tablist"}
FIELDS = {
    "textbox", "searchbox", "spinbutton", "slider", "combobox", "radio", "button", "gridcell", *SWITCHES, *CHOICES,
}  # fmt: skip
MOST_CANDIDATES = 8


class FieldValue(TypedDict):
    """A field, by its ref or its label, and the value that it gets."""

    field: str
    value: str | bool


class FilledField(TypedDict):
    """The new value of a field, or the error that it caused."""

    field: str
    value: NotRequired[Any]
    consented: NotRequired[Any]
    error: NotRequired[dict[str, Any]]


class FilledFields(TypedDict):
    """The fields of a form. `success` is false if one of them wasn't filled; the others are."""

    success: bool
    fields: list[FilledField]
    submitted: NotRequired[dict[str, Any]]


async def fill(tab: Tab, fields: list[FieldValue], *, submit: bool) -> FilledFields:
    """Fill the fields in order. With `submit`, press Enter in the last one if all were filled."""
    filled: list[FilledField] = []
    for given in fields:
        try:
            element = await _find(tab, given["field"])
            filled.append(
                cast(FilledField, {"field": given["field"], **await _set(tab, element, given["value"])})
            )
        except GeminiError as error:
            filled.append({"field": given["field"], "error": error.as_json()["error"]})
    answer: FilledFields = {"success": all("error" not in row for row in filled), "fields": filled}
    if submit and answer["success"]:
        answer["submitted"] = dict(await tab.press_key("Enter"))
    return answer


async def _find(tab: Tab, field: str) -> Row:
    """Return the element with a ref or a label.

    Raises:
        NotFound: There is none, or several with the label.
    """
    listed: list[Row] = (await tab.snapshot(peek=True))["elements"]
    if REF.fullmatch(field):
        # A ref that isn't listed may still be scrolled into a list; the action reports if it isn't there.
        return next((each for each in listed if each["ref"] == field), {"ref": field, "role": "textbox"})
    fields = [each for each in listed if each["role"] in FIELDS and each["name"]]
    wanted = _plain(field)
    for matches in (str.__eq__, str.startswith, str.__contains__):
        found = [each for each in fields if matches(_plain(each["name"]), wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            refs = ", ".join(each["ref"] for each in found[:MOST_CANDIDATES])
            raise NotFound(
                f"{len(found)} fields have the label {field!r}", hint=f"Name one by its ref: {refs}."
            )
    names = ", ".join(f"{each['name']!r} ({each['ref']})" for each in fields[:MOST_CANDIDATES])
    raise NotFound(f"no field has the label {field!r}", hint=f"The fields are: {names}." if names else None)


async def _set(tab: Tab, element: Row, value: str | bool) -> Row:
    ref, role = element["ref"], element["role"]
    if role in SWITCHES:
        return await _check(tab, element, value)
    if role == "radio":
        await tab.click(ref=ref)
        return {"value": True}
    if not isinstance(value, str):
        raise InvalidArguments(
            f"a {role} takes a text, not {value!r}", hint="Only checkboxes take true or false."
        )
    if role in CHOICES or "options" in element:
        answer = cast(Row, await tab.select(value, ref=ref))
    else:
        answer = cast(Row, await tab.type(value, ref=ref))
    return {name: answer[name] for name in ("value", "consented", "invalid") if name in answer}


async def _check(tab: Tab, element: Row, value: str | bool) -> Row:
    wanted = value if isinstance(value, bool) else {"true": True, "false": False}.get(value.lower())
    if wanted is None:
        raise InvalidArguments(f"a {element['role']} is true or false, not {value!r}")
    if (element["states"].get("checked") in (True, "true")) is not wanted:
        await tab.click(ref=element["ref"])
    return {"value": wanted}


def _plain(name: str) -> str:
    return re.sub(r"[\s*:]+", " ", name).strip().casefold()
