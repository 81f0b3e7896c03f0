"""Pictures of tabs and of the shared screen, their text, and questions about them to a scripted model."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.agents import ScriptedModel, call, say
from gemini.computer.files import pdf
from gemini.computer.shell import embedded
from gemini.core import ffi
from gemini.core.clock import ManualClock
from gemini.errors import GeminiError, InvalidArguments, ModelMissing, NoPage, NotFound, Refused, Unsupported
from gemini.kernel.kernel import Kernel
from gemini.pages.tabs import screenshots
from gemini.pages.tabs.documents import Documents
from gemini.pages.vision import tools
from gemini.tools import Registry
from tests.unit.pages.tabs.page import ORIGIN, Page

JPEG = base64.b64encode(b"\xff\xd8\xff\xe0 a picture").decode()
BOXED = base64.b64encode(b"\xff\xd8\xff\xe0 with boxes").decode()
ELEMENTS = [
    {"ref": "e1", "role": "button", "name": "Add to cart"},
    {"ref": "e2", "role": "button", "name": "Add to list"},
    {"ref": "e3", "role": "generic", "name": "", "description": "The story of tea"},
]


class Shop(Page):
    """A page with some elements, and a user who shares a screen."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.clicked: list[dict[str, Any]] = []
        self.screens = [JPEG]
        self.shares = True

    def _answer(self, method: str, given: dict[str, Any]) -> Any:
        if method == "snapshot":
            return {"url": ORIGIN, "title": "Shop", "text": "", "elements": ELEMENTS}
        if method == "screenshot":
            data = BOXED if given.get("boxes") else JPEG
            return {"data": data, "width": 200, "height": 100, "format": "jpeg"}
        if method == "click":
            self.clicked.append({name: given[name] for name in ("ref", "x", "y") if name in given})
        return {"success": True, "changed": 1}

    async def screen(self, params: dict[str, Any]) -> Any:
        if not self.shares:
            raise Refused("the user refused to share a screen")
        data = self.screens.pop(0) if len(self.screens) > 1 else self.screens[0]
        size = {"width": 800, "height": 600, "format": "jpeg"}
        return {"data": data, **size, "label": "screen:0:0", "surface": "monitor", "shared": True}


class World:
    def __init__(self, home: Path) -> None:
        self.page = Shop()
        self.page.serve("screen", self.page.screen)
        self.kernel = Kernel(Registry(), str(home / "project"), home / "saved")
        self.kernel.runs.clock = ManualClock()

    def answers(self, *texts: str) -> ScriptedModel:
        self.kernel.runs.model = model = ScriptedModel([say(text) for text in texts])
        return model

    async def call(self, tool: str, **arguments: Any) -> Any:
        return await self.kernel.registry.call(tool, arguments, caller="agent:a")


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    for folder in ("saved", "project"):
        (tmp_path / folder).mkdir()
    monkeypatch.setitem(embedded.ENVIRONMENT, "HOME", str(tmp_path / "home"))
    monkeypatch.setattr(screenshots.save, "__defaults__", (tmp_path / "screenshots",))
    monkeypatch.setattr(tools, "PAUSE_S", 0)
    world = World(tmp_path)
    await world.kernel.browser.attach(Documents(world.page.connection))
    await world.call("browser_navigate", url=f"{ORIGIN}/shop")
    yield world
    world.kernel.close()


async def test_a_picture_of_the_shared_screen_is_saved(world: World) -> None:
    shot = await world.call("screen_capture", data=True)
    assert (shot["surface"], shot["width"], shot["data"]) == ("monitor", 800, JPEG)
    assert Path(shot["path"]).read_bytes() == base64.b64decode(JPEG)
    assert "data" not in await world.call("screen_capture")
    world.page.shares = False
    with pytest.raises(Refused):
        await world.call("screen_capture")


async def test_the_tools_are_off_for_clients(world: World) -> None:
    with pytest.raises(GeminiError, match="switched off"):
        await world.kernel.registry.call("screen_capture", caller="webmcp")


@pytest.mark.parametrize(
    ("given", "data"), [({}, JPEG), ({"source": "screen"}, JPEG), ({"path": "a.png"}, None)]
)
async def test_the_model_is_asked_about_a_picture(
    world: World, tmp_path: Path, given: dict[str, str], data: str | None
) -> None:
    png = b"\x89PNG\r\n\x1a\n picture"
    (tmp_path / "project/a.png").write_bytes(png)
    model = world.answers("Two.")
    assert await world.call("analyze_picture", question="How many?", **given) == {"answer": "Two."}
    message = model.requests[0].messages[-1]
    assert message.text == "How many?"
    [image] = message.images  # type: ignore[union-attr]
    assert image.data == (data or base64.b64encode(png).decode())


async def test_a_question_without_a_model_or_a_picture_says_so(world: World, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        await world.call("analyze_picture", question="How many?")
    (tmp_path / "project/a.txt").write_text("no picture")
    with pytest.raises(InvalidArguments, match="no picture"):
        await world.call("analyze_picture", question="How many?", path="a.txt")
    world.answers("Two.").takes_pictures = False  # type: ignore[attr-defined]
    with pytest.raises(Unsupported, match="takes no pictures"):
        await world.call("analyze_picture", question="How many?")


async def test_a_run_pays_for_its_questions(world: World) -> None:
    world.kernel.runs.model = ScriptedModel(
        [call("analyze_picture", question="How many?"), say("Two."), say("Done.")]
    )
    run = world.kernel.runs.start("Count.", tools=["eyes", "dom"])
    await run
    # 120 tokens for each turn of the script.
    assert run.spent.usage.total == 360


@pytest.mark.parametrize(
    ("description", "answers", "target", "how"),
    [
        ("add to cart", [], {"ref": "e1"}, "snapshot"),
        ("The story of tea", [], {"ref": "e3"}, "snapshot"),
        ("the “Add to list” button", [], {"ref": "e2"}, "snapshot"),
        ("the upper button", ["It is e1."], {"ref": "e1"}, "boxes"),
        ("the drawing", ["none", "20, 30"], {"x": 20.0, "y": 30.0}, "point"),
    ],
)
async def test_an_element_is_found_by_the_snapshot_then_by_boxes_then_by_a_point(
    world: World, description: str, answers: list[str], target: dict[str, Any], how: str
) -> None:
    model = world.answers(*answers)
    tapped = await world.call("find_and_tap", description=description)
    assert tapped["how"] == how and tapped["success"]
    assert world.page.clicked == [target]
    assert len(model.requests) == len(answers)


@pytest.mark.parametrize(
    "answer",
    [
        '{"x": 20, "y": 30}', "x=20, y=30", "(20, 30)", "[20.0, 30.0]", "<point>20 30</point>", '{"point": [20, 30]}',
        "The drawing is at **20,30**.", "```json\n{'X': 20, 'Y': 30}\n```", "x: 20 px; y: 30 px",
    ],
)  # fmt: skip
async def test_a_point_is_read_as_models_write_it(world: World, answer: str) -> None:
    world.answers("none", answer)
    await world.call("find_and_tap", description="the drawing")
    assert world.page.clicked == [{"x": 20.0, "y": 30.0}]


async def test_nothing_is_tapped_if_the_model_sees_nothing_or_names_what_is_not_there(world: World) -> None:
    world.answers("e99", "500, 20")
    with pytest.raises(NotFound, match="no 'the drawing'"):
        await world.call("find_and_tap", description="the drawing")
    assert world.page.clicked == []


async def test_a_shared_screen_is_not_tapped(world: World) -> None:
    await world.call("browser_tabs", action="close")
    with pytest.raises(Unsupported, match="nothing to tap"):
        await world.call("find_and_tap", description="the drawing")


async def test_watching_asks_only_about_pictures_that_changed(world: World) -> None:
    world.page.screens = [JPEG, JPEG, JPEG, BOXED]
    model = world.answers("No, it is at 20 %.", "Yes, it says done.")
    watched = await world.call("watch_screen", condition="the download has finished", timeout=60)
    assert watched["met"] and watched["answer"].startswith("Yes")
    assert len(model.requests) == 2
    world.answers("No.")
    assert not (await world.call("watch_screen", condition="it is red", timeout=0.01))["met"]


def line(text: str, x: int = 10, y: int = 20, confidence: int = 95, block: int = 1) -> dict[str, Any]:
    """Return a line as the worker answers it, with words of 10 pixels for each letter."""
    words: list[dict[str, Any]] = []
    left = x
    for word in text.split():
        width = 10 * len(word)
        words.append(
            {"text": word, "x": left, "y": y, "width": width, "height": 12, "confidence": confidence}
        )
        left += width + 10
    box = {"x": x, "y": y, "width": left - 10 - x, "height": 12, "confidence": confidence}
    return {"text": text, **box, "block": block, "words": words}


class Tesseract:
    """The answers of the page's workers."""

    def __init__(self, *lines: dict[str, Any], **answer: Any) -> None:
        self.asked: list[tuple[str, bytes, dict[str, str]]] = []
        self.answer = {
            "width": 200,
            "height": 100,
            "lines": list(lines),
            "languages": ["eng"],
            "scale": 2,
            "turned": 0,
        } | answer

    async def ask(self, module: str, data: bytes, *, seconds: float, **request: str) -> Any:
        self.asked.append((module, data, request))
        if module == pdf.WORKER:
            return {"data": JPEG, "width": 1654, "height": 2339, "pages": 3}
        return self.answer


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Tesseract]:
    def use(*lines: dict[str, Any], **answer: Any) -> Tesseract:
        tesseract = Tesseract(*lines, **answer)
        monkeypatch.setattr(ffi, "ask_worker", tesseract.ask)
        return tesseract

    return use


Reads = Callable[..., Tesseract]


async def test_text_is_read_with_boxes_without_a_model(world: World, tmp_path: Path, reads: Reads) -> None:
    tesseract = reads(line("Buy some tea"), line("Today", block=2))
    (tmp_path / "project/a.png").write_bytes(b"\x89PNG picture")
    read = await world.call("read_screen_text", path="a.png", languages="de+en")
    assert read["text"] == "Buy some tea\n\nToday"
    assert (read["lines"][0]["x"], read["lines"][0]["width"]) == (10, 120)
    assert "words" not in read["lines"][0] and "note" not in read
    assert tesseract.asked == [("ocr_worker.mjs", b"\x89PNG picture", {"languages": "deu+eng"})]
    for source in ("screen", "tab"):
        read = await world.call("read_screen_text", source=source, words=True)
        assert [word["text"] for word in read["lines"][0]["words"]] == ["Buy", "some", "tea"]
        assert tesseract.asked[-1][1] == base64.b64decode(JPEG)
    # The text, without a question, needs no model either.
    assert await world.call("analyze_picture", path="a.png") == {"answer": "Buy some tea\n\nToday"}


async def test_a_page_of_a_pdf_file_is_drawn_and_read(world: World, tmp_path: Path, reads: Reads) -> None:
    tesseract = reads(line("Scanned"))
    (tmp_path / "project/scan.pdf").write_bytes(b"%PDF-1.7 scan")
    read = await world.call("read_screen_text", path="scan.pdf", page=2)
    assert (read["text"], read["pages"]) == ("Scanned", 3)
    assert [(module, request) for module, _, request in tesseract.asked] == [
        ("pdf_worker.mjs", {"picture": "2"}),
        ("ocr_worker.mjs", {"languages": ""}),
    ]


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ({"scale": 0.547, "width": 7680, "height": 5120}, "7680 x 5120 pixels and was scaled down to 55%"),
        ({"turned": 90}, "turned clockwise by 90 degrees"),
        ({"lines": []}, "No text was recognized."),
    ],
)
async def test_what_limits_a_reading_is_said(
    world: World, reads: Reads, answer: dict[str, Any], note: str
) -> None:
    reads(line("Text"), **answer)
    assert note in (await world.call("read_screen_text"))["note"]


@pytest.mark.parametrize(
    ("content", "languages", "answer", "error"),
    [
        (b"", "", {}, "the picture is empty"),
        (b"x", "", {"problem": "picture", "message": "this browser doesn't decode it"}, "broken or no picture"),
        (b"x", "tlh", {}, "'tlh' can't be read: there are en, de, fr, es"),
        (b"x", "", {"problem": "download", "message": "eng.data couldn't be downloaded"}, "couldn't be"),
    ],
)  # fmt: skip
async def test_a_picture_that_is_not_read_says_why(
    world: World, tmp_path: Path, reads: Reads, content: bytes, languages: str, answer: Any, error: str
) -> None:
    reads(**answer)
    (tmp_path / "project/a.png").write_bytes(content)
    with pytest.raises(GeminiError, match=error):
        await world.call("read_screen_text", path="a.png", languages=languages)


async def test_a_picture_needs_a_page(world: World) -> None:
    with pytest.raises(NoPage):
        await world.call("read_screen_text")


@pytest.mark.parametrize(
    ("description", "lines", "point"),
    [
        ("Start game", [line("Start game")], (60.0, 26.0)),
        ("the round “Start” on the drawing", [line("Start game"), line("Restart", y=60)], (35.0, 26.0)),
        ("start", [line("START!"), line("Press start twice", y=60)], (40.0, 26.0)),
        ("some tea", [line("Buy some tea now")], (90.0, 26.0)),
    ],
)
async def test_text_in_the_picture_of_a_page_is_pressed_without_a_model(
    world: World, reads: Reads, description: str, lines: list[dict[str, Any]], point: tuple[float, float]
) -> None:
    reads(*lines)
    tapped = await world.call("find_and_tap", description=description)
    assert (tapped["how"], tapped["x"], tapped["y"]) == ("text", *point)
    assert world.page.clicked == [{"x": point[0], "y": point[1]}]


@pytest.mark.parametrize(
    "lines",
    [
        [line("Start"), line("Start", y=60)],
        [line("Start", confidence=40)],
        [line("Restart")],
        [],
    ],
)
async def test_unsure_or_repeated_text_is_left_to_the_model(
    world: World, reads: Reads, lines: list[dict[str, Any]]
) -> None:
    reads(*lines)
    world.answers("none", "20, 30")
    assert (await world.call("find_and_tap", description="Start"))["how"] == "point"
