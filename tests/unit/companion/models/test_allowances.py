"""Allowances: what scheduled runs may use of a model without a question, and who can change that."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gemini.errors import ProtocolError
from gemini_companion.errors import FolderUnusable
from gemini_companion.models import Gateway, Provider
from gemini_companion.models.allowances import RUNS_A_DAY, Allowances
from gemini_companion.models.amounts import Amount, Ceiling
from gemini_companion.models.errors import CeilingReached, TicketMissing
from gemini_companion.models.providers import OPENAI
from gemini_companion.models.uses import Uses
from gemini_companion.storage import private_json
from tests.unit.companion.models.pages import PageOfModels

PROVIDER = Provider("openai", OPENAI, "https://api.openai.com/v1")
RUN = {"provider": "openai", "model": "gpt-5", "scheduled": True}
DAY = Ceiling().times(RUNS_A_DAY)
MOST = Amount(1, 1_000, 0.5)


class Day:
    """A date that a test sets."""

    def __init__(self) -> None:
        self.date = date(2026, 11, 27)

    def __call__(self) -> date:
        return self.date


class Companion:
    """A companion whose pages come and go, and which starts again with its saved data."""

    def __init__(self, file: Path) -> None:
        self.file, self.day = file, Day()
        self.start()

    def start(self) -> None:
        self.allowances = Allowances(self.file, self.day)
        self.gateway = Gateway({"openai": PROVIDER}, allowances=self.allowances)

    def page(self, *, attended: bool = True) -> Page:
        return Page(self.gateway, attended=attended)

    async def allowed(self) -> Page:
        """Return a page whose person has allowed all scheduled runs."""
        page = self.page()
        asking = page.ticket()
        await page.person.decide("always")
        await asking
        return page


class Page(PageOfModels):
    """A page that requests tickets for scheduled runs."""

    def ticket(self, **params: Any) -> asyncio.Task[Any]:
        return self.asks("ticket", **{**RUN, **params})

    async def is_asked(self, **params: Any) -> bool:
        """Request a ticket, refuse it if that asks, and return whether it did."""
        asking = self.ticket(**params)
        shown = asyncio.create_task(self.person.shown())
        done, _ = await asyncio.wait({asking, shown}, return_when=asyncio.FIRST_COMPLETED)
        if asking in done:
            shown.cancel()
            return False
        await self.person.answer(shown.result()["id"], "refuse")
        with pytest.raises(ProtocolError, match="the user refused"):
            await asking
        return True


@pytest.fixture
def companion(tmp_path: Path) -> Companion:
    return Companion(tmp_path / "allowances.json")


async def test_the_person_allows_all_scheduled_runs_of_a_model(companion: Companion) -> None:
    page = companion.page()
    asking = page.ticket(words={"run": "run-1"})
    shown = await page.person.decide("always")
    assert shown["answers"] == ["once", "always"]
    assert shown["facts"]["ceiling"] == Ceiling().row() and shown["facts"]["day"] == DAY.row()
    assert (await asking)["ceiling"] == Ceiling().row()
    assert not await page.is_asked()
    # A page that nobody attends, after the companion has started again.
    companion.start()
    assert not await companion.page(attended=False).is_asked()
    assert companion.file.stat().st_mode & 0o777 == 0o600


async def test_an_answer_for_one_run_allows_no_other(companion: Companion) -> None:
    page = companion.page()
    asking = page.ticket()
    await page.person.decide("once")
    assert (await asking)["ticket"]
    assert companion.allowances.rows() == [] and await page.is_asked()


@pytest.mark.parametrize(
    "params",
    [{"scheduled": False}, {"model": "gpt-5-pro"}, {"ceiling": {"dollars": 10_000}, "scheduled": False}],
    ids=str,
)
async def test_an_allowance_is_for_scheduled_runs_of_one_model(
    companion: Companion, params: dict[str, Any]
) -> None:
    page = await companion.allowed()
    assert await page.is_asked(**params)


async def test_python_raises_no_ceiling(companion: Companion) -> None:
    page = companion.page()
    asking = page.ticket(ceiling={"dollars": 10_000, "tokens": 1_000_000_000})
    shown = await page.person.decide("always")
    assert shown["facts"]["day"] == DAY.row() and (await asking)["ceiling"] == Ceiling().row()
    assert (await page.ticket(ceiling={"dollars": 10_000}))["ceiling"] == Ceiling().row()


async def test_one_answer_is_for_all_runs_that_wait(companion: Companion) -> None:
    page = companion.page()
    first, second, other = page.ticket(), page.ticket(), page.ticket(model="gpt-5-mini")
    shown = [await page.person.shown() for _ in range(3)]
    await page.person.answer(shown[0]["id"], "always")
    assert (await first)["ticket"] != (await second)["ticket"]
    assert page.person.withdrawn == [shown[1]["id"]] and not other.done()
    other.cancel()


async def test_a_request_that_is_withdrawn_stays_so(companion: Companion) -> None:
    page = companion.page()
    asking = page.ticket()
    shown = await page.person.shown()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert page.person.withdrawn == [shown["id"]]
    assert not await (await companion.allowed()).is_asked()


async def test_a_provider_at_another_address_has_no_allowance(companion: Companion) -> None:
    await companion.allowed()
    companion.gateway = Gateway(
        {"openai": Provider("openai", OPENAI, "https://other.example/v1")}, allowances=companion.allowances
    )
    assert await companion.page().is_asked()


async def test_all_tickets_of_a_day_share_its_ceiling(companion: Companion) -> None:
    page = await companion.allowed()
    for number in range(RUNS_A_DAY):
        for _ in range(2):
            ticket = companion.gateway.tickets.find((await page.ticket())["ticket"])
            assert ticket is not None
            ticket.reserve(MOST)
        # A companion that ends in the middle of a request counts it as its most.
        companion.start()
        page = companion.page()
        assert companion.allowances.rows()[0]["spent"]["dollars"] == number + 1
    asking = page.ticket()
    shown = await page.person.decide("once")
    assert shown["facts"]["used_up"] is True and shown["answers"] == ["once"]
    # Usage that the user allows beyond it isn't counted.
    ticket = companion.gateway.tickets.find((await asking)["ticket"])
    assert ticket is not None
    ticket.reserve(MOST)
    companion.day.date = date(2026, 11, 28)
    assert not await page.is_asked()


async def test_a_request_has_room_in_its_run_and_in_its_day(companion: Companion) -> None:
    page = await companion.allowed()
    ticket = companion.gateway.tickets.find((await page.ticket())["ticket"])
    assert ticket is not None and ticket.allowance is not None
    ticket.reserve(MOST)
    ticket.count(MOST, Amount(1, 10, 0.01))
    assert companion.allowances.rows()[0]["spent"] == pytest.approx(
        {"requests": 1, "tokens": 10, "dollars": 0.01}
    )
    with pytest.raises(CeilingReached, match=r"allows 1\.0 dollars"):
        ticket.reserve(Amount(1, 1, 1.0))
    ticket.allowance.reserve(Amount(1, 1, 4.5))
    with pytest.raises(CeilingReached, match=r"may use 5\.0 dollars; 4\.51 are used today") as problem:
        ticket.reserve(MOST)
    assert problem.value.hint is not None and "Tomorrow" in problem.value.hint
    assert ticket.reserved == Amount()


async def test_a_clock_that_is_set_back_adds_nothing(companion: Companion) -> None:
    await companion.allowed()
    allowance = companion.allowances.find(PROVIDER, "gpt-5")
    assert allowance is not None
    allowance.reserve(MOST)
    companion.day.date = date(2026, 11, 26)
    assert companion.allowances.rows()[0]["spent"]["dollars"] == 0.5


async def test_revoking_ends_its_tickets(companion: Companion) -> None:
    page = await companion.allowed()
    ticket = companion.gateway.tickets.find((await page.ticket())["ticket"])
    assert ticket is not None
    assert companion.allowances.revoke("openai", "gpt-5") and not companion.allowances.revoke(
        "openai", "gpt-5"
    )
    with pytest.raises(TicketMissing, match="was revoked"):
        ticket.reserve(MOST)
    assert ticket.reserved == Amount() and await page.is_asked()
    # Another permission for the same model isn't this ticket's.
    await companion.allowed()
    with pytest.raises(TicketMissing):
        ticket.reserve(MOST)


@pytest.mark.parametrize("text", ["", "[]", '{"openai gpt-5": {}}', "{"])
async def test_a_broken_file_allows_nothing(companion: Companion, text: str) -> None:
    companion.file.write_text(text)
    companion.file.chmod(0o600)
    assert await companion.page().is_asked()
    assert not await (await companion.allowed()).is_asked()


async def test_a_file_that_others_can_write_allows_nothing(companion: Companion) -> None:
    page = await companion.allowed()
    companion.file.chmod(0o666)
    assert await page.is_asked()


async def test_a_use_that_cannot_be_saved_is_refused(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise FolderUnusable(f"{path.parent} can't be used: no space left", hint="Make room.")

    await companion.allowed()
    allowance = companion.allowances.find(PROVIDER, "gpt-5")
    assert allowance is not None
    allowance.reserve(MOST)
    monkeypatch.setattr(private_json, "write_private", full)
    with pytest.raises(CeilingReached, match=r"can't be counted.*no space left"):
        allowance.reserve(MOST)
    # A request under way counts as its most.
    allowance.count(MOST, Amount(1, 1, 0.01))
    assert companion.allowances.rows()[0]["spent"]["dollars"] == 0.5


async def test_the_companion_lists_what_was_used_under_an_allowance(companion: Companion) -> None:
    page = await companion.allowed()
    for used in (Amount(1, 10, 0.01), Amount(1, 20, 0.02), Amount()):
        ticket = companion.gateway.tickets.find((await page.ticket())["ticket"])
        assert ticket is not None
        ticket.reserve(MOST)
        ticket.count(MOST, used)
    companion.start()
    uses = companion.allowances.uses.rows()
    assert {(use["provider"], use["model"]) for use in uses} == {(PROVIDER.name, "gpt-5")}
    assert sum(use["requests"] for use in uses) == 2 and sum(use["tokens"] for use in uses) == 30
    # What was used stays in the list.
    companion.allowances.revoke(PROVIDER.name, "gpt-5")
    assert companion.allowances.uses.rows() == uses


def test_a_flood_of_requests_hides_no_others(tmp_path: Path) -> None:
    now = datetime(2026, 11, 28, 12, tzinfo=UTC)
    uses = Uses(tmp_path / "uses.json", lambda: now)
    for _ in range(20):
        uses.add("openai", "gpt-5", Amount(1, 1, 0.001))
    now += timedelta(minutes=1)
    uses.add("openai", "gpt-5", Amount(1, 5, 0.0))
    assert [(use["requests"], use["tokens"]) for use in uses.rows()] == [(1, 5), (20, 20)]
    assert (tmp_path / "uses.json").stat().st_mode & 0o777 == 0o600
