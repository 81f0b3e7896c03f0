"""Tickets to models: requests without one, for another model, and at the ceiling; attacks on the accounting."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest

from gemini.errors import ProtocolError
from gemini_companion.models import Gateway, Provider
from gemini_companion.models.amounts import Ceiling
from gemini_companion.models.prices import price_of
from gemini_companion.models.providers import ANTHROPIC, OPENAI
from gemini_companion.models.proxy import TICKET
from gemini_companion.models.tickets import Ticket
from gemini_companion.models.usage import Meter, Usage
from tests.tiers import in_turn
from tests.unit.companion.models.conftest import OpenGateway
from tests.unit.companion.models.pages import PageOfModels
from tests.unit.companion.models.upstreams import FakeProvider, error_of

CHAT = "/chat/completions"
SOON_S = 20
BODY: dict[str, Any] = {
    "model": "small",
    "messages": [{"role": "user", "content": "Hello"}],
    "max_tokens": 100,
}
ANSWER = {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}


def ticket_of(gateway: Gateway, model: str = "small", **ceiling: Any) -> Ticket:
    return gateway.tickets.issue(gateway.provider("test"), model, Ceiling(**ceiling))


async def asked(page: httpx2.AsyncClient, ticket: Ticket | str, body: Any = BODY) -> httpx2.Response:
    identifier = ticket if isinstance(ticket, str) else ticket.id
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await page.post(CHAT, content=content, headers={TICKET: identifier})


def answers(provider: FakeProvider, answer: Any) -> None:
    provider.says(json.dumps(answer).encode(), content_type="application/json")


@pytest.mark.usefixtures("key")
class TestWithoutATicket:
    @pytest.mark.parametrize("forged", ["", "1", "null", "undefined", "x" * 32, "../small", "*"])
    async def test_no_request_is_sent(
        self, open_gateway: OpenGateway, provider: FakeProvider, forged: str
    ) -> None:
        page, _ = await open_gateway()
        answer = await asked(page, forged)
        error = error_of(answer.content)
        assert (answer.status_code, error["type"]) == (402, "TicketMissing")
        assert answer.json()["type"] == "error" and "Request one" in error["hint"]
        assert provider.seen == []

    @in_turn(
        ("kind", "path"),
        [
            ("openai", "/completions"),
            ("openai", "/responses"),
            ("openai", "/embeddings"),
            ("anthropic", "/v1/messages"),
            ("anthropic", "/v1/messages/count_tokens"),
            ("google", "/v1beta/models/small:generateContent"),
            ("google", "/v1beta/models/small:embedContent"),
            ("google", "/v1beta/openai/chat/completions"),
            ("ollama", "/api/chat"),
            ("ollama", "/api/show"),
        ],
    )
    async def test_every_way_to_a_model_needs_one(
        self, open_gateway: OpenGateway, provider: FakeProvider, kind: str, path: str
    ) -> None:
        page, _ = await open_gateway(kind)
        answer = await page.post(path, content=json.dumps(BODY).encode(), headers={TICKET: "forged"})
        assert (answer.status_code, provider.seen) == (402, [])

    async def test_a_call_that_costs_nothing_needs_none(self, open_gateway: OpenGateway) -> None:
        page, _ = await open_gateway()
        assert (await page.get("/models", headers={TICKET: "none"})).status_code == 200


@pytest.mark.usefixtures("key")
class TestAnotherModel:
    async def test_a_ticket_is_for_one_model(self, open_gateway: OpenGateway, provider: FakeProvider) -> None:
        page, gateway = await open_gateway()
        answer = await asked(page, ticket_of(gateway), {**BODY, "model": "large"})
        assert (answer.status_code, error_of(answer.content)["type"]) == (402, "TicketForAnother")
        assert provider.seen == []

    async def test_a_ticket_is_for_one_provider(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        other = gateway.tickets.issue(Provider("other", OPENAI, "https://models.example"), "small", Ceiling())
        assert error_of((await asked(page, other)).content)["type"] == "TicketForAnother"
        assert provider.seen == []

    @in_turn(
        "body",
        [
            b'{"model": "small", "model": "large", "max_tokens": 1}',
            b'{"model": "small", "Model": "large", "max_tokens": 1}',
            b'{"model": "small", "MODEL": "large"}',
            b'{"model": "small", "models": ["large"]}',
            b'{"model": ["small", "large"]}',
            b'{"model": ""}',
            b'{"messages": []}',
            b'[{"model": "small"}]',
            b'"small"',
            b"model=small",
            b"",
            '{"model": "small", "ma\u017f_tokens": 1}'.encode(),
        ],
        ids=str,
    )
    async def test_an_ambiguous_body_is_refused(
        self, open_gateway: OpenGateway, provider: FakeProvider, body: bytes
    ) -> None:
        page, gateway = await open_gateway()
        answer = await asked(page, ticket_of(gateway), body)
        assert (answer.status_code, error_of(answer.content)["type"]) == (400, "RequestUnclear")
        assert provider.seen == []

    @in_turn(
        "more",
        [
            {"tools": [{"type": "web_search_preview"}]},
            {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
            {"tools": [{"type": "mcp", "server_url": "https://evil.example"}]},
            {"tools": [{"type": "code_interpreter"}]},
            {"tools": {"type": "web_search"}},
            {"tools": [{"google_search": {}}]},
            {"tools": [{"url_context": {}}]},
            {"tools": [{"functionDeclarations": [], "googleSearch": {}}]},
            {"tools": [{"type": "function", "function": {"name": "a"}, "code_execution": {}}]},
            {"tools": [{"type": {}}]},
            {"prompt": {"id": "pmpt_1"}},
            {"mcp_servers": [{"url": "https://evil.example"}]},
            {"web_search_options": {}},
            {"service_tier": "priority"},
            {"background": True},
            {"previous_response_id": "resp_1"},
            {"plugins": [{"id": "web"}]},
            {"max_tokens": -1},
            {"max_tokens": 1.5},
            {"max_tokens": True},
            {"n": 0},
            {"Max_Tokens": 1},
        ],
        ids=str,
    )
    async def test_a_request_with_uncounted_costs_is_refused(
        self, open_gateway: OpenGateway, provider: FakeProvider, more: dict[str, Any]
    ) -> None:
        page, gateway = await open_gateway()
        answer = await asked(page, ticket_of(gateway), {**BODY, **more})
        assert (answer.status_code, error_of(answer.content)["type"]) == (400, "RequestUnclear")
        assert provider.seen == []


ADDRESS = "https://evil.example/?all=secrets"


@pytest.mark.usefixtures("key")
class TestAddresses:
    @in_turn(
        "part",
        [
            {"type": "image_url", "image_url": {"url": ADDRESS}},
            {"type": "image_url", "image_url": {"URL": ADDRESS}},
            {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}},
            {"type": "video_url", "video_url": {"url": ADDRESS}},
            {"type": "input_image", "image_url": ADDRESS},
            {"type": "input_file", "file_url": ADDRESS},
            {"type": "image", "source": {"type": "url", "url": ADDRESS}},
            {
                "type": "tool_result",
                "content": [{"type": "document", "source": {"type": "url", "url": ADDRESS}}],
            },
            {"fileData": {"mimeType": "image/png", "fileUri": ADDRESS}},
            {"file_data": {"file_uri": ADDRESS}},
            {"type": "document_url", "document_url": ADDRESS},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": ADDRESS}},
            {"type": "image", "image": ADDRESS},
        ],
        ids=str,
    )
    async def test_a_provider_requests_no_address_for_python(
        self, open_gateway: OpenGateway, provider: FakeProvider, part: dict[str, Any]
    ) -> None:
        page, gateway = await open_gateway()
        body = {**BODY, "messages": [{"role": "user", "content": [part]}]}
        answer = await asked(page, ticket_of(gateway, tokens=10_000_000), body)
        error = error_of(answer.content)
        assert (answer.status_code, error["type"]) == (400, "RequestUnclear")
        assert "The provider would request it" in error["hint"] and provider.seen == []

    async def test_embedded_pictures_and_what_tools_were_called_with_are_sent(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        content = [
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            {"type": "tool_use", "name": "web_fetch", "input": {"url": ADDRESS}},
            {"functionCall": {"name": "web_fetch", "args": {"url": ADDRESS}}},
            {"type": "text", "text": ADDRESS},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}},
            {"type": "document", "title": ADDRESS, "source": {"type": "text", "data": ADDRESS}},
        ]
        properties = {"url": {"type": "string"}, "pages": {"default": [{"url": ADDRESS}]}}
        schema = {"type": "object", "properties": properties, "examples": [{"url": ADDRESS}]}
        tools = [{"type": "function", "function": {"name": "web_fetch", "parameters": schema}}]
        answers(provider, ANSWER)
        body = {**BODY, "messages": [{"role": "user", "content": content}], "tools": tools}
        assert (await asked(page, ticket_of(gateway), body)).status_code == 200
        assert len(provider.seen) == 1


@pytest.mark.usefixtures("key")
class TestCeiling:
    async def test_the_usage_that_the_provider_reports_is_counted(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        ticket = ticket_of(gateway)
        answers(provider, ANSWER)
        assert (await asked(page, ticket)).status_code == 200
        assert (ticket.spent.requests, ticket.spent.tokens, ticket.reserved.tokens) == (1, 15, 0)

    async def test_usage_in_the_request_or_in_the_content_is_ignored(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        ticket = ticket_of(gateway)
        answer = await asked(page, ticket, {**BODY, "usage": {"completion_tokens": -1_000}})
        assert (answer.status_code, provider.seen) == (400, [])
        echo = {"choices": [{"message": {"content": json.dumps({"usage": {"total_tokens": 0}})}}]}
        answers(provider, echo)
        await asked(page, ticket)
        assert ticket.spent.tokens > BODY["max_tokens"]

    async def test_negative_or_invalid_usage_refunds_nothing(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        ticket = ticket_of(gateway)
        for usage in ({"prompt_tokens": -5, "completion_tokens": -5}, {"prompt_tokens": "9"}, {"x": 1}):
            before = ticket.spent.tokens
            answers(provider, {"usage": usage})
            await asked(page, ticket)
            assert ticket.spent.tokens >= before and ticket.spent.requests > 0

    async def test_requests_beyond_the_ceiling_are_refused(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        answers(provider, ANSWER)
        ticket = ticket_of(gateway, requests=2)
        assert [(await asked(page, ticket)).status_code for _ in range(3)] == [200, 200, 402]
        answer = await asked(page, ticket_of(gateway, tokens=120))
        error: Any = error_of(answer.content)
        assert error["type"] == "CeilingReached" and error["data"]["ceiling"]["tokens"] == 120
        assert len(provider.seen) == 2

    async def test_concurrent_requests_do_not_exceed_a_ceiling_together(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway(concurrent=50, requests_per_minute=1_000)
        ticket = ticket_of(gateway, tokens=1_000)
        queue = provider.streams()
        asking = [asyncio.create_task(asked(page, ticket)) for _ in range(20)]
        async with asyncio.timeout(SOON_S):
            refused = 0
            while refused < 15:
                done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
                refused = sum(each.result().status_code == 402 for each in done)
            assert ticket.reserved.tokens <= 1_000
            for _ in asking:
                queue.put_nowait(None)
            answered = await asyncio.gather(*asking)
        assert sum(each.status_code == 200 for each in answered) <= 5
        assert ticket.spent.tokens <= 1_000 and ticket.reserved.tokens == 0

    async def test_n_answers_are_reserved_together(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        answer = await asked(page, ticket_of(gateway, tokens=5_000), {**BODY, "n": 100})
        assert (answer.status_code, provider.seen) == (402, [])

    async def test_a_request_without_a_limit_gets_one(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        await asked(page, ticket_of(gateway), {"model": "small", "messages": [], "max_tokens": None})
        await asked(page, ticket_of(gateway), {"model": "small", "messages": []})
        assert [json.loads(each.body)["max_tokens"] for each in provider.seen] == [8_192, 8_192]

    @pytest.mark.parametrize("end", [None, b""], ids=["ends", "breaks off"])
    async def test_a_stream_without_usage_counts_as_the_most_it_can_be(
        self, open_gateway: OpenGateway, provider: FakeProvider, end: bytes | None
    ) -> None:
        page, gateway = await open_gateway()
        ticket = ticket_of(gateway)
        queue = provider.streams()
        for chunk in (b'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\n', end):
            queue.put_nowait(chunk)
        await asked(page, ticket)
        assert ticket.spent.tokens >= BODY["max_tokens"] + 50

    async def test_a_page_that_leaves_early_pays_for_the_request(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        ticket = ticket_of(gateway)
        provider.silent = True
        asking = asyncio.create_task(asked(page, ticket))
        async with asyncio.timeout(SOON_S):
            await provider.asked.wait()
            asking.cancel()
            await provider.left.wait()
            while ticket.reserved.tokens:
                await asyncio.sleep(0)
        assert ticket.spent.tokens >= BODY["max_tokens"]

    async def test_an_error_of_the_provider_costs_a_request_and_no_tokens(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        ticket = ticket_of(gateway)
        provider.says(b"{}", 500)
        await asked(page, ticket)
        assert (ticket.spent.requests, ticket.spent.tokens) == (1, 0)

    async def test_a_picture_counts_as_the_most_that_it_can_take(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        content = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}] * 3
        body = {**BODY, "messages": [{"role": "user", "content": content}]}
        assert (await asked(page, ticket_of(gateway, tokens=5_000), body)).status_code == 402
        assert provider.seen == []

    async def test_a_revoked_ticket_is_unknown(
        self, open_gateway: OpenGateway, provider: FakeProvider
    ) -> None:
        page, gateway = await open_gateway()
        ticket = ticket_of(gateway)
        gateway.tickets.revoke(ticket.id)
        assert error_of((await asked(page, ticket)).content)["type"] == "TicketMissing"


def metered(*texts: str, is_lines: bool = True) -> Usage | None:
    meter = Meter(is_lines=is_lines)
    for text in texts:
        meter.feed(text.encode())
    return meter.finish()


def event(row: Any) -> str:
    return f"data: {json.dumps(row)}\n\n"


def test_usage_is_read_in_each_wire_format_however_it_is_split() -> None:
    anthropic = "".join(
        [
            "event: message_start\n",
            event({"type": "message_start", "message": {"usage": {
                "input_tokens": 7, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 3,
                "output_tokens": 1}}}),
            event({"type": "message_delta", "usage": {"output_tokens": 9}}),
        ]
    )  # fmt: skip
    assert metered(*anthropic) == Usage(7, 9, 20, 3)
    openai = event({"choices": []}) + event({"usage": {
        "prompt_tokens": 30, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 10}}})  # fmt: skip
    assert metered(openai, "data: [DONE]\n\n") == Usage(20, 4, 10)
    responses = event(
        {"type": "response.completed", "response": {"usage": {"input_tokens": 3, "output_tokens": 2}}}
    )
    assert metered(responses) == Usage(3, 2)
    google = {"usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 4}}
    assert metered(json.dumps([google, google], indent=1), is_lines=False) == Usage(5, 6)
    assert metered('{"done": false}\n', '{"prompt_eval_count": 8, "eval_count": 1, "done": true}') == Usage(
        8, 1
    )


def test_the_beginning_of_an_answer_is_not_its_usage() -> None:
    start = event({"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}})
    assert metered(start) is None
    meter = Meter(is_lines=True)
    meter.feed(start.encode())
    assert meter.so_far == Usage(7, 1)


def test_prices_are_known_for_providers_but_not_for_servers_on_this_machine() -> None:
    price = price_of(Provider("openai", OPENAI, "https://api.openai.com/v1"), "gpt-5")
    assert price is not None and price.row()["output"] > price.row()["input"] > 0.1
    assert (
        price_of(Provider("claude", ANTHROPIC, "https://api.anthropic.com"), "claude-sonnet-4-5") is not None
    )
    assert price_of(Provider("openai", OPENAI, "http://127.0.0.1:1/v1"), "gpt-5") is None
    assert price_of(Provider("other", OPENAI, "https://models.example/v1"), "gpt-5") is None


def test_a_ceiling_in_dollars_counts_where_the_price_is_known() -> None:
    gateway = Gateway({"openai": Provider("openai", OPENAI, "https://api.openai.com/v1")})
    ticket = gateway.tickets.issue(gateway.provider("openai"), "gpt-5", Ceiling(dollars=0.5))
    assert ticket.amount(Usage(input=1_000_000)).dollars > 0.5
    local = Gateway({"here": Provider("here", OPENAI, "http://127.0.0.1:1/v1", key="none")})
    assert local.tickets.issue(local.provider("here"), "gpt-5", Ceiling()).ceiling.dollars is None


@pytest.fixture
def gateway() -> Gateway:
    here = Provider("here", OPENAI, "http://127.0.0.1:1/v1", key="none")
    return Gateway({"openai": Provider("openai", OPENAI, "https://api.openai.com/v1"), "here": here})


async def test_a_question_for_a_ticket_has_the_companions_own_facts(gateway: Gateway) -> None:
    page = PageOfModels(gateway)
    words = {"tool": "file_read", "price": {"input": 0}, "ceiling": {"dollars": 0}}
    asking = page.asks("ticket", provider="openai", model="gpt-5", words=words, **{"for": "a run"})
    shown = await page.person.decide("once")
    assert (shown["kind"], shown["answers"]) == ("model", ["once"])
    assert shown["facts"]["ceiling"] == {"requests": 200, "tokens": 1_000_000, "dollars": 1.0}
    assert shown["facts"]["price"]["output"] > 1 and shown["facts"]["local"] is False
    assert shown["words"] == {**words, "for": "a run"}
    assert (await asking)["ceiling"]["dollars"] == 1.0


async def test_a_local_provider_needs_consent_too_and_has_no_price(gateway: Gateway) -> None:
    page = PageOfModels(gateway)
    asking = page.asks("ticket", provider="here", model="gpt-5", ceiling={"dollars": 0.1})
    shown = await page.person.decide("refuse")
    assert (shown["facts"]["price"], shown["facts"]["ceiling"]["dollars"], shown["facts"]["local"]) == (
        None,
        None,
        True,
    )
    with pytest.raises(ProtocolError, match="the user refused"):
        await asking


async def test_a_page_without_a_person_gets_no_ticket(gateway: Gateway) -> None:
    with pytest.raises(ProtocolError, match="nobody is at the page"):
        await PageOfModels(gateway, attended=False).asks("ticket", provider="openai", model="gpt-5")


@pytest.mark.parametrize(
    "params",
    [
        {"provider": "none", "model": "gpt-5"},
        {"provider": "openai", "model": ""},
        {"provider": "openai"},
        {"provider": "openai", "model": "gpt-5", "ticket": "forged"},
        {"provider": "openai", "model": "gpt-5", "ceiling": {"dollars": -1}},
        {"provider": "openai", "model": "gpt-5", "ceiling": {"dollars": "NaN"}},
        {"provider": "openai", "model": "gpt-5", "ceiling": {"tokens": 10**12}},
    ],
    ids=str,
)
async def test_an_invalid_request_is_refused_without_a_question(
    gateway: Gateway, params: dict[str, Any]
) -> None:
    page = PageOfModels(gateway)
    with pytest.raises(ProtocolError):
        await page.asks("ticket", **params)
    assert page.person.asked == []


async def test_a_press_grants_up_to_the_setting_and_the_ticket_ends_with_the_page(gateway: Gateway) -> None:
    page = PageOfModels(gateway)
    await page.asks("ceiling", dollars=0.2, tokens=10, requests=3)
    granted = await page.asks("grant", provider="openai", model="gpt-5")
    assert granted["ceiling"] == {"requests": 3, "tokens": 10, "dollars": 0.2}
    assert page.person.asked == []
    assert gateway.tickets.find(granted["ticket"]) is not None
    page.access.close()
    assert gateway.tickets.find(granted["ticket"]) is None
