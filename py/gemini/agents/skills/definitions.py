"""The front matter of a skill (https://agentskills.io/specification), and the names of tools in it."""

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from gemini.agents.skills.folders import broken_skill

NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"
# A tool may have a pattern of its arguments: `Bash(git add *)`.
TOOL = re.compile(r"([\w.:*-]+)(?:\([^)]*\))?")
# The names that other programs have for tools and groups here.
KNOWN = {
    "bash": ("terminals",), "shell": ("terminals",), "read": ("file_read", "file_list"), "write": ("file_write",),
    "edit": ("file_edit",), "multiedit": ("file_edit",), "glob": ("file_find", "file_list"), "ls": ("file_list",),
    "grep": ("file_find", "terminal_execute"), "webfetch": ("web_fetch",), "websearch": ("web_search",),
    "python": ("python_run",), "browser": ("dom", "dom_extra"),
}  # fmt: skip


def _tools(value: Any) -> Any:
    """Accept names separated by spaces or commas, as the specification and other programs write them."""
    return TOOL.findall(value) if isinstance(value, str) else value


class Definition(BaseModel):
    """The front matter of a skill. Further fields are ignored.

    Attributes:
        name: The name, which is also the folder's.
        description: The skill's purpose, and when to use it.
        allowed_tools: The tools that it needs, by the names of any program; None for all.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str = Field(pattern=NAME, max_length=64)
    description: str = Field(min_length=1, max_length=1_024)
    allowed_tools: Annotated[list[str], BeforeValidator(_tools)] | None = Field(
        default=None, alias="allowed-tools"
    )

    def tools(self) -> list[str] | None:
        """Return the names of tools and groups here that a run of the skill is narrowed to; None for all."""
        if self.allowed_tools is None:
            return None
        names = [name.partition("(")[0] for name in self.allowed_tools]
        return list(dict.fromkeys(known for name in names for known in KNOWN.get(name.lower(), (name,))))


def read_definition(path: str, text: str) -> Definition:
    """Return the front matter of a `SKILL.md`. The package of `gemini.agents.teamwork.packages` must be loaded.

    Raises:
        SkillBroken: It isn't valid; the error names the line and the reason.
    """
    from gemini.agents.teamwork.front_matter import FrontMatterBroken, parse

    try:
        document = parse(text)
    except FrontMatterBroken as broken:
        raise broken_skill(path, f"line {broken.line}: {broken.reason}") from broken
    try:
        found = Definition.model_validate(document.fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        line = document.line_of(tuple(first["loc"]))
        name = ".".join(map(str, first["loc"]))
        raise broken_skill(path, f"line {line}: {name}: {first['msg']}") from error
    folder = path.split("/")[-2]
    if found.name != folder:
        raise broken_skill(path, f"the name must be the folder's, {folder}")
    return found
