"""The user's models, their selection, and their stored settings."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.core.protocol import Params
from gemini.errors import (
    CompanionLost,
    InvalidArguments,
    ModelAway,
    ModelMissing,
    ModelRefused,
    NoPage,
    Refused,
    TicketRefused,
)
from gemini.models.interface.sampling import Sampling
from gemini.models.interface.scripted import ScriptedModel, call
from gemini.models.interface.tickets import Tickets, current_tickets, use_tickets
from gemini.models.interface.usage import Usage
from gemini.models.providers.choice import choice_of
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.events import ModelsRow
from gemini.models.providers.forms import UNKNOWN, About
from gemini.models.providers.gateway import Gateway
from gemini.models.providers.models import KEY_FORGOTTEN, Models
from gemini.models.providers.prices import context_tokens, cost
from gemini.models.providers.setup import serve
from gemini.tools import Registry
from gemini.tools.writers import current_run

DOCS = Path(__file__).parents[4] / "docs/models.md"
OPENAI = {
    "name": "openai",
    "api": "openai",
    "path": "/models/openai",
    "local": False,
    "ready": True,
    "why": None,
}
CLAUDE = {
    "name": "claude",
    "api": "anthropic",
    "path": "/models/claude",
    "local": False,
    "ready": False,
    "why": "No key.",
}


class World:
    """A companion that can disconnect, a page, and the saved settings and published rows."""

    def __init__(self) -> None:
        self.connected = True
        self.time_s = 0.0
        self.builtin: str | None = None
        self.tickets: list[Params] = []
        self.refuses_tickets = False
        self.saved: dict[str, Any] | None = None
        self.rows: list[ModelsRow] = []
        self.models = self.start()

    def start(self) -> Models:
        """Start with the settings that an earlier session saved."""
        models = Models(
            Gateway(self.ask, lambda: "http://127.0.0.1:8765", lambda: self.time_s),
            self.page,
            self.save,
            self.rows.append,
        )
        models.restore(self.saved)
        self.models = models
        return models

    async def ask(self, method: str, params: Params) -> Any:
        if not self.connected:
            raise CompanionLost("the companion isn't connected")
        if method == "models/ticket":
            self.tickets.append(params)
            if self.refuses_tickets:
                raise Refused("the user refused")
            return {"ticket": f"ticket-{len(self.tickets)}"}
        if method == "models/about":
            return {"tokens": 9_000 if params["model"] == "small" else None, "tools": False}
        return {"token": "a token", "providers": [OPENAI, CLAUDE]}

    async def page(self, method: str, params: Params) -> Any:
        if self.builtin is None:
            raise NoPage("no page")
        return {"availability": self.builtin}

    def save(self, row: dict[str, Any]) -> None:
        self.saved = row


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def models(world: World) -> Models:
    return world.models


async def test_without_a_model_two_sentences_say_how_to_add_one(models: Models) -> None:
    row = models.row()
    assert row["chosen"] is None
    for way in ("browser's own", "Ollama", "key"):
        assert way in str(row["why"])
    assert str(row["why"]).count(".") == 2


async def test_the_first_model_is_the_default_until_another_is_chosen(world: World, models: Models) -> None:
    await models.refresh()
    assert models.add(choice_of("openai", "gpt")) == "openai/gpt"
    models.add(choice_of("openai", "larger"))
    assert (models.row()["chosen"], models.row()["why"]) == ("openai/gpt", None)
    models.choose("openai/larger")
    models.choose("openai/gpt", "chat")
    names = [
        model.name if model else None for model in (models.find(None, "agent"), models.find(None, "chat"))
    ]
    assert names == ["larger", "gpt"]
    assert world.rows[-1]["agents"] == {"chat": "openai/gpt"}
    models.remove("openai/gpt")
    assert models.row()["agents"] == {} and models.row()["chosen"] == "openai/larger"


async def test_the_sampling_of_a_model_is_saved_and_removed_with_it(world: World, models: Models) -> None:
    added = models.add(choice_of("openai", "gpt-5"))
    models.tune(added, Sampling(temperature=0, effort="low"))
    [row] = world.start().row()["choices"]
    assert row["sampling"] == {"temperature": 0, "top_p": None, "max_tokens": None, "effort": "low"}
    world.models.remove(added)
    world.models.add(choice_of("openai", "gpt-5"))
    [row] = world.models.row()["choices"]
    assert set(row["sampling"].values()) == {None}
    with pytest.raises(ModelMissing):
        models.tune("nobody/none", Sampling())


async def test_the_companion_is_asked_about_a_model(world: World, models: Models) -> None:
    assert await models.gateway.about("openai", "small") == About(tokens=9_000, tools=False)
    assert (await models.gateway.about("openai", "large")).tokens is None
    world.connected = False
    assert await models.gateway.about("openai", "small") == UNKNOWN


async def test_settings_are_restored_without_keys(world: World, models: Models) -> None:
    models.add(choice_of("own", "mine", "http://127.0.0.1:11434/v1/", "openai", with_key=True), "sk-secret")
    models.instruct(" Be brief. ")
    assert "sk-secret" not in f"{world.saved} {world.rows} {models.row()} {vars(models)['_choices']}"
    endpoint = await models.endpoint(choice_of("own", "mine", "http://127.0.0.1:11434/v1", with_key=True))
    assert (endpoint.key, "sk-secret" in repr(endpoint)) == ("sk-secret", False)
    later = world.start()
    [row] = later.row()["choices"]
    assert (later.prompt, row["label"], row["ready"], row["why"]) == (
        "Be brief.",
        "mine (127.0.0.1:11434)",
        False,
        KEY_FORGOTTEN,
    )
    with pytest.raises(ModelMissing, match="no key"):
        await later.endpoint(choice_of("own", "mine", "http://127.0.0.1:11434/v1", with_key=True))


async def test_the_row_says_what_a_model_lacks(world: World, models: Models) -> None:
    models.add(choice_of("claude", "opus"))
    assert "isn't connected" in str(models.row()["why"])
    await models.refresh()
    assert (models.row()["chosen"], models.row()["why"]) == (None, "No key.")
    with pytest.raises(ModelMissing, match="isn't ready"):
        await models.gateway.endpoint("claude")
    world.connected = False
    await models.refresh()
    assert "isn't connected" in str(models.row()["why"])
    with pytest.raises(ModelMissing, match="companion"):
        await models.gateway.endpoint("openai")


@pytest.mark.parametrize(
    ("availability", "ready"), [(None, False), ("downloadable", False), ("available", True)]
)
async def test_the_availability_of_the_built_in_model_is_checked(
    world: World, models: Models, availability: str | None, ready: bool
) -> None:
    world.builtin = availability
    models.add(choice_of("builtin", ""))
    await models.refresh()
    assert models.row()["choices"][0]["ready"] is ready


async def test_the_gateway_gets_the_companions_token_and_prices_go_by_its_provider(models: Models) -> None:
    endpoint = await models.gateway.endpoint("openai")
    assert endpoint == Endpoint(
        "openai", "http://127.0.0.1:8765/models/openai", "a token", "openai", passed_on=True
    )
    assert not endpoint.is_local


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("own", "m", "no address"), "not a valid address"),
        (("own", "m", "ftp://example.org"), "not a valid address"),
        (("own", "m", "http://me:secret@example.org/v1"), "not a valid address"),
        (("own", "m", "http://127.0.0.1/v1", "google"), "api must be"),
        (("openai", " "), "model: it is empty"),
    ],
)
def test_invalid_models_are_refused(given: tuple[str, ...], words: str) -> None:
    with pytest.raises(InvalidArguments, match=words) as error:
        choice_of(*given)
    assert "secret" not in str(error.value)


def test_an_invalid_key_is_refused_without_being_shown() -> None:
    with pytest.raises(InvalidArguments) as error:
        Endpoint("openai", "http://127.0.0.1/v1", "schlüssel\n")
    assert "schl" not in str(error.value)


async def test_an_unknown_id_lists_the_known_ones(models: Models) -> None:
    models.add(choice_of("openai", "gpt"))
    for act in (models.remove, models.choose, lambda name: models.find(name, "agent")):
        with pytest.raises(ModelMissing) as error:
            act("openai/none")
        assert "openai/gpt" in str(error.value.hint)


async def test_runs_select_a_model_by_script_id_agent_or_default(models: Models, tmp_path: Path) -> None:
    registry = Registry()
    registry.results_folder = tmp_path
    runs = serve(models, Runs(registry))
    runs.clock = ManualClock()
    with pytest.raises(ModelMissing):
        runs.start("Anything")
    models.add(choice_of("openai", "gpt"))
    models.add(choice_of("openai", "larger"))
    models.instruct("Be brief.")
    started = [runs.start("Anything", tools=[]), runs.start("Anything", tools=[], model="openai/larger")]
    assert [run.model for run in started] == ["gpt", "larger"]
    for run in started:
        run.cancel()
        await run
    runs.model = ScriptedModel([call("done", result="fine")], name="scripted")
    assert (models.row()["chosen"], runs.start("Anything", tools=[]).model) == ("scripted", "scripted")
    [run] = [run for run in runs if run.model == "scripted"]
    await run
    assert "Be brief." in run.messages[0].text
    runs.model = None
    assert models.row()["chosen"] != "scripted"


async def test_the_question_for_a_ticket_names_the_run_that_waits(world: World, models: Models) -> None:
    async def ask() -> None:
        with use_tickets(Tickets("the run run-1: Count the files")):
            await models.endpoint(choice_of("openai", "gpt"), with_ticket=True)

    await ask()
    token = current_run.set("run-1")
    await ask()
    current_run.reset(token)
    assert [asked.get("words") for asked in world.tickets] == [None, {"run": "run-1"}]
    assert world.tickets[1]["for"] == "the run run-1: Count the files"


async def test_a_run_waits_for_a_companion_that_starts_again_and_not_for_one_that_there_is_not(
    world: World, models: Models
) -> None:
    async def endpoint() -> Endpoint:
        return await models.endpoint(choice_of("openai", "gpt"), with_ticket=True)

    world.connected = False
    # It may still be connecting.
    with pytest.raises(ModelAway, match="isn't connected"):
        await endpoint()
    world.time_s = 60
    with pytest.raises(ModelMissing, match="isn't connected"):
        await endpoint()
    world.connected = True
    assert (await endpoint()).ticket == "ticket-1"
    world.connected, world.time_s = False, 3_600
    with pytest.raises(ModelAway, match="isn't connected") as problem:
        await endpoint()
    assert "control-surface serve" in str(problem.value.hint)


async def test_each_run_or_chat_requests_one_ticket_per_model(world: World, models: Models) -> None:
    async def ticket(model: str) -> str | None:
        return (await models.endpoint(choice_of("openai", model), with_ticket=True)).ticket

    with use_tickets(Tickets("a run")):
        assert await asyncio.gather(ticket("gpt"), ticket("gpt"), ticket("larger")) == [
            "ticket-1", "ticket-1", "ticket-2",
        ]  # fmt: skip
        current_tickets().discard("ticket-1", TicketRefused("refused"))
        assert await ticket("gpt") == "ticket-3"
    with use_tickets(Tickets("a chat", "of the press")):
        assert [await ticket("gpt"), await ticket("larger")] == ["of the press", "ticket-4"]
        current_tickets().add("of another press")
        assert await ticket("gpt") == "of another press"
    assert world.tickets[0] == {"provider": "openai", "model": "gpt", "for": "a run"}


async def test_a_scheduled_run_says_so_until_a_limit_is_reached(world: World, models: Models) -> None:
    async def scheduled() -> bool:
        await models.endpoint(choice_of("openai", "gpt"), with_ticket=True)
        return "scheduled" in world.tickets[-1]

    with use_tickets(Tickets("a scheduled run", scheduled=True)):
        assert await scheduled()
        # The companion was restarted, and no longer knows the ticket.
        current_tickets().discard("ticket-1", TicketRefused("", data={"reason": "TicketMissing"}))
        assert await scheduled()
        current_tickets().discard("ticket-2", TicketRefused("", data={"reason": "CeilingReached"}))
        assert not await scheduled()
    with use_tickets(Tickets("a run")):
        assert not await scheduled()


async def test_a_refused_ticket_refuses_the_model(world: World, models: Models) -> None:
    world.refuses_tickets = True
    with use_tickets(Tickets("a run")), pytest.raises(ModelRefused, match="the user refused") as refused:
        await models.endpoint(choice_of("openai", "gpt"), with_ticket=True)
    assert refused.value.hint is not None and "Run or Send" in refused.value.hint
    assert (await models.endpoint(choice_of("openai", "gpt"))).ticket is None


def test_prices_are_known_without_a_network() -> None:
    usage = Usage(input=1_000_000, output=1_000_000, cached=500_000)
    known = cost("gpt-5", "openai", usage)
    assert known is not None and known == cost("gpt-5", "https://api.openai.com/v1", usage)
    uncached = cost("gpt-5", "openai", Usage(input=1_000_000, output=1_000_000))
    assert uncached is not None and uncached > known > 1
    assert (cost("anything", "", usage), cost("anything", "nobody", usage)) == (None, None)
    assert context_tokens("gpt-5", "openai") == 400_000
    assert context_tokens("anything", "") is None


def test_the_example_of_the_guide_works() -> None:
    [code] = re.findall(
        r"<!-- example: models -->\n```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL
    )
    scope: dict[str, Any] = {}
    exec(code, scope)
    assert (scope["model"].name, scope["model"].context_tokens) == ("llama3.2", 32_000)
