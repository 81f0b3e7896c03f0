"""The ways to pass tools and pictures to a model: by what its server says of itself, then by what it has refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast, get_args

Form = Literal["forced", "native", "offered", "constrained", "prompted"]
"""The way that a model gets tools, and is made to call one.

- `forced`: the API's own tools; `tool_choice` requires a call.
- `native`: the API's own tools; a required call is the only thing that a JSON schema of the answer allows.
- `offered`: the API's own tools; a call can't be required.
- `constrained`: tools are in the prompt, calls in text; a JSON schema of the answer requires one.
- `prompted`: tools are in the prompt, calls in text; a call can't be required.
"""
# Forms by what an endpoint does after it has refused one: with a request that required a call, and with another one.
AFTER: dict[Form, tuple[Form | None, Form | None]] = {
    "forced": ("offered", "constrained"),
    "native": ("offered", "constrained"),
    "offered": ("constrained", "constrained"),
    "constrained": ("prompted", None),
    "prompted": (None, None),
}
IN_PROMPT: frozenset[Form] = frozenset({"constrained", "prompted"})
BY_SCHEMA: frozenset[Form] = frozenset({"native", "constrained"})

# The key's end of a model that takes no pictures; the form that is saved there doesn't matter.
NO_PICTURES = " without pictures"


@dataclass(frozen=True)
class About:
    """A model, as its server describes it; None for what the server doesn't say.

    Attributes:
        tokens: The size of its window.
        tools: Whether its template passes tools on to it.
        pictures: Whether it takes pictures.
        server: The program, if its answers show it: `llama.cpp`, `ollama`, `lmstudio` or `vllm`.
        sure: Whether the model is loaded with this window. Ollama and LM Studio load it with one of their choice.
    """

    tokens: int | None = None
    tools: bool | None = None
    pictures: bool | None = None
    server: str | None = None
    sure: bool = True

    @property
    def form(self) -> Form:
        """The form of the first request."""
        if self.tools is False:
            return "constrained"
        # llama.cpp lets text come before a required call, and that text may never end; Ollama ignores `tool_choice`
        # (docs/api/openai-compatibility.mdx of 0.33, 2026-08-21). A schema holds from the first word. vLLM requires the
        # call by a schema itself (https://docs.vllm.ai/en/v0.33.0/features/tool_calling/, read 2026-11-30).
        return "native" if self.server in ("llama.cpp", "ollama") and self.tools else "forced"


UNKNOWN = About()


class Forms:
    """The known forms, by endpoint and model.

    Args:
        known: The forms known from earlier.
        save: Called with all known forms when they change.
    """

    def __init__(
        self, known: dict[str, str] | None = None, save: Callable[[dict[str, str]], None] | None = None
    ) -> None:
        forms = get_args(Form)
        self._known: dict[str, str] = {name: form for name, form in (known or {}).items() if form in forms}
        self._save = save

    def find(self, base_url: str, model: str, about: About = UNKNOWN) -> Form:
        """Return the form to try."""
        known = cast("Form | None", self._known.get(_name(base_url, model)))
        if about.tools is False and known != "prompted":
            # The server may have been started again with another template.
            return "constrained"
        return known or about.form

    def takes_pictures(self, base_url: str, model: str, about: About = UNKNOWN) -> bool:
        """Return whether to send pictures."""
        return about.pictures is not False and _name(base_url, model) + NO_PICTURES not in self._known

    def leave_out_pictures(self, base_url: str, model: str) -> None:
        """Record that pictures were refused."""
        self._record(_name(base_url, model) + NO_PICTURES, "prompted")

    def step_down(self, base_url: str, model: str, refused: Form, *, must_call: bool) -> Form | None:
        """Record that a form was refused, and return the next one; None if there is none.

        Args:
            base_url: The endpoint.
            model: The model's name.
            refused: The form of the request.
            must_call: Whether the request required a call.
        """
        after = AFTER[refused][0 if must_call else 1]
        if after is not None:
            self._record(_name(base_url, model), after)
        return after

    def call_by_schema(self, base_url: str, model: str) -> None:
        """Record that an endpoint took a required call, and that its answer had none."""
        self._record(_name(base_url, model), "native")

    def _record(self, name: str, form: Form) -> None:
        self._known[name] = form
        if self._save is not None:
            self._save(dict(self._known))


def _name(base_url: str, model: str) -> str:
    return f"{base_url.rstrip('/')} {model}"
