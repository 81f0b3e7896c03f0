"""Python hides the end of a question, behind length or emptiness, and sends more than a page can draw."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.dav import DavServers
from gemini_companion.dav.servers import DavServer, server_at
from gemini_companion.network.credentials import Credential
from gemini_testing import Surface
from gemini_testing.browser import emulate
from tests.attacks.page_port import ask_page, is_asked
from tests.tiers import in_turn, sampled
from tests.unit.companion.dav.test_dav import PASSWORD, USER, radicale
from tests.web.axe import violations
from tests.web.conftest import Start
from tests.web.own_machine import machine, surface_of_module
from tests.web.person import Person

__all__ = ["machine", "surface_of_module"]

pytestmark = pytest.mark.usefixtures("empty_home")
READY = "document.querySelector('#approval .answers').dataset.guarded !== ''"
CHANGED = (
    "!document.querySelector('#approval').open"
    " || document.querySelector('#approval-question').innerText !== arguments[0]"
)
ARMED = "document.querySelector('#approval-once').ariaDisabled !== 'true'"
SENT = (
    "import asyncio, json\nfrom gemini.kernel.kernel import kernel\n"
    "asking = asyncio.ensure_future(kernel._documents.request(__METHOD__, json.loads(__PARAMS__)))\nNone"
)


@pytest.fixture
def shell(surface: Surface, person: Person, start: Start) -> str:
    """Open a shell of this computer, with the user's consent, and return its terminal."""
    opening = start("terminal_create", backend="host")
    person.sees("#approval-question", "open a shell")
    person.click('button "Allow once"')
    return opening.result()["terminal_id"]


@pytest.fixture(autouse=True)
def usual_window(surface: Surface) -> Iterator[None]:
    yield
    emulate(surface.driver, size=(1400, 900), dark=False, saves_data=True)


def send(surface: Surface, method: str, **params: Any) -> None:
    """Send a request to the page as hostile Python does, without waiting for its answer."""
    given = json.dumps(params)
    surface.python(SENT.replace("__METHOD__", repr(method)).replace("__PARAMS__", repr(given)))


def press_allow(surface: Surface, person: Person) -> str:
    """Press "Allow once" when presses count, and return why it didn't."""
    surface.wait_for(READY)
    surface.javascript("document.querySelector('#approval-once').focus()")
    person.press(Keys.ENTER)
    return person.sees("#approval-ignored", "Ignored")


def refuse(person: Person) -> None:
    person.click('button "Refuse"')
    person.no_longer_sees("#approval")


# --- the end of a question ---

HIDDEN_ENDS = {
    "400 other lines": "echo reading\n"
    + "".join(f"# line {number}\n" for number in range(400))
    + "touch __FILE__",
    "400 lines with a space": "echo reading\n" + " \n\t\n" * 200 + "# more\n" * 60 + "touch __FILE__",
    "one long line": "echo " + "x" * 12_000 + "; touch __FILE__",
    "a long line of words": "echo " + "some words " * 1_500 + "; touch __FILE__",
    "lines of one letter": "echo a" + "\\\na" * 300 + "; touch __FILE__",
    "a here-document": "cat <<EOF >/dev/null\n" + "text\n" * 200 + "EOF\ntouch __FILE__",
}


@pytest.mark.parametrize("command", sampled(HIDDEN_ENDS.values(), every=3), ids=HIDDEN_ENDS)
def test_a_command_s_end_is_read_before_it_is_allowed(
    surface: Surface, person: Person, start: Start, machine: Path, shell: str, command: str
) -> None:
    stolen = machine / "touched"
    stolen.unlink(missing_ok=True)
    call = start("terminal_execute", command=command.replace("__FILE__", str(stolen)), terminal_id=shell)
    person.sees("#approval-question", str(machine))
    person.sees("#approval-more", "more lines. Read to the end to allow.")
    assert "more lines" in press_allow(surface, person)
    assert call.is_running and not stolen.exists()

    # The control: the same command runs when its end was in view.
    surface.javascript("document.querySelector('#approval-facts').focus()")
    person.press(Keys.END)
    person.no_longer_sees("#approval-more")
    person.click('button "Allow once"')
    call.result()
    assert stolen.exists()


@pytest.mark.fortnightly
def test_empty_lines_push_nothing_out_of_sight(
    surface: Surface, person: Person, start: Start, machine: Path, shell: str
) -> None:
    end = machine / "after"
    call = start("terminal_execute", command="echo reading" + "\n" * 401 + f"touch {end}", terminal_id=shell)
    person.sees("#approval-question", "400 empty lines")
    person.sees("#approval-question", str(end))
    assert "402 lines" in person.sees("#approval-question")
    in_view = "const box = document.querySelector('#approval-question pre').getBoundingClientRect(); return box.height"
    assert surface.javascript(in_view) < 200
    # The exact text can be shown.
    person.click("#approval-question details.empty summary")
    surface.wait_for("document.querySelector('#approval-question pre').getBoundingClientRect().height > 4000")
    person.click("#approval-question details.empty summary")
    person.click('button "Allow once"')
    call.result()
    assert end.exists()


@pytest.mark.extended
def test_spaces_push_nothing_out_of_sight(surface: Surface, person: Person, start: Start, shell: str) -> None:
    call = start("terminal_execute", command="echo ok" + " " * 6000 + "; touch stolen", terminal_id=shell)
    assert "6,000 spaces" in person.sees("#approval-question", "; touch stolen")
    surface.wait_for(ARMED)
    refuse(person)
    assert call.result()["error"]["type"] == "Refused"


LONG = "line\n" * 300 + "the end"
LONG_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "a text for the clipboard": ("personal", {"action": "copy", "given": {"text": LONG}}),
    "a draft with a long subject": (
        "personal",
        {"action": "draft", "given": {"text": "short", "to": "a@b.test", "subject": "word " * 4_000}},
    ),
    "an address": ("open", {"tab": "t80", "url": "https://attacked.test/?" + "a" * 20_000 + "&SECRET"}),
    "a courtesy's arguments": ("consent", {"words": {"tool": "x", "arguments": {"body": LONG}}}),
    "a courtesy's tool": ("consent", {"words": {"tool": "word " * 4_000}}),
    "a courtesy within another tool": ("consent", {"words": {"tool": "x", "within": "y " * 5_000}}),
}


@pytest.mark.parametrize("kind", sampled(LONG_KINDS, every=3))
def test_each_kind_of_question_is_read_to_its_end(surface: Surface, person: Person, kind: str) -> None:
    method, params = LONG_KINDS[kind]
    send(surface, method, **params)
    person.sees("#approval-more", "Read to the end to allow.")
    assert "Ignored" in press_allow(surface, person)
    for part in ("facts", "words"):
        surface.javascript(f"document.querySelector('#approval-{part}').focus()")
        person.press(Keys.END)
    person.no_longer_sees("#approval-more")
    surface.wait_for(ARMED)
    refuse(person)


@in_turn(("width", "height"), [(360, 480), (360, 720), (700, 450), (1400, 900)])
def test_a_question_is_read_page_by_page_in_any_window(
    surface: Surface, person: Person, width: int, height: int
) -> None:
    emulate(surface.driver, size=(width, height), dark=False, saves_data=True)
    send(surface, "open", tab="t81", url="https://attacked.test/?" + "word-" * 800 + "SECRET")
    person.sees("#approval-more")
    wide = (
        "const part = document.querySelector('#approval-facts'); return part.scrollWidth - part.clientWidth"
    )
    assert surface.javascript(wide) <= 0
    pages = 0
    while surface.javascript("return document.querySelector('#approval-read-on') !== null"):
        person.click('button "Read on"')
        pages += 1
        assert pages < 80
    assert pages > 0
    surface.wait_for(ARMED)
    assert violations(surface, "#approval") == []
    refuse(person)


COLLECTION = """<d:mkcol xmlns:d="DAV:"><d:set><d:prop><d:displayname>Diary</d:displayname><d:resourcetype>
<d:collection/><c:calendar xmlns:c="urn:ietf:params:xml:ns:caldav"/></d:resourcetype></d:prop></d:set></d:mkcol>"""
PUSHED = """
import asyncio
from gemini.kernel.kernel import kernel
changes = [{"name": f"{number}.ics", "text": text} for number, text in enumerate(__TEXTS__)]
given = {"server": "x", "path": "/ann/diary/", "changes": changes, "words": {"tool": "Your calendar is read"}}
asking = asyncio.ensure_future(kernel.host.ask_companion("dav/push", given))
None
"""
EVENT = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:__UID__\r\nDTSTAMP:20260101T000000Z\r\n"
    "DTSTART:20260101T000000Z\r\nSUMMARY:__TEXT__\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.fixture
def diary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Run a server with a calendar of the user's, and return the folder of its events."""

    async def credential(servers: DavServers, server: DavServer) -> Credential:
        return Credential(USER, PASSWORD)

    with radicale(tmp_path) as address:
        server = server_at(address, USER)
        monkeypatch.setattr(DavServers, "get", lambda servers, name: server)
        monkeypatch.setattr(DavServers, "credential", credential)
        login = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Content-Type": "application/xml"}
        made = Request(f"{address}/{USER}/diary/", COLLECTION.encode(), headers, method="MKCOL")
        with urlopen(made):
            pass
        yield tmp_path / "collections/collection-root" / USER / "diary"


def test_all_that_changes_a_calendar_is_read_before_it_is_allowed(
    surface: Surface, person: Person, diary: Path
) -> None:
    texts = ["Dentist" + " and so on" * 2_000, "SECRET"]
    events = [
        EVENT.replace("__UID__", str(number)).replace("__TEXT__", text) for number, text in enumerate(texts)
    ]
    surface.python(PUSHED.replace("__TEXTS__", repr(events)))
    person.sees("#approval-question", "Python wants to change what you have at")
    assert "Diary" in person.sees("#approval-question") and PASSWORD not in person.sees("#approval")
    person.sees("#approval-more", "Read to the end to allow.")
    assert "more lines" in press_allow(surface, person)
    assert surface.python("asking.done()") is False and list(diary.glob("*.ics")) == []

    # The control: the same changes arrive when their end was in view.
    surface.javascript("document.querySelector('#approval-facts').focus()")
    person.press(Keys.END)
    person.no_longer_sees("#approval-more")
    person.sees("#approval-question", "SECRET")
    person.click('button "Allow once"')
    surface.wait_for("gemini.python('asking.done()')")
    assert len(list(diary.glob("*.ics"))) == 2


def test_what_was_read_counts_for_its_question_only(surface: Surface, person: Person) -> None:
    for number in (1, 2):
        url = f"https://attacked{number}.test/?" + "a" * 20_000
        send(surface, "open", tab=f"t8{number}", url=url)
    person.sees("#approval-question", "attacked1")
    surface.javascript("document.querySelector('#approval-facts').focus()")
    person.press(Keys.END)
    person.no_longer_sees("#approval-more")
    person.click('button "Refuse"')
    person.sees("#approval-question", "attacked2")
    person.sees("#approval-more")
    assert "Ignored" in press_allow(surface, person)
    refuse(person)


def test_a_press_of_read_on_by_a_script_reads_nothing(surface: Surface, person: Person) -> None:
    send(surface, "open", tab="t83", url="https://attacked.test/?" + "a" * 20_000)
    person.sees("#approval-more")
    surface.javascript("for (let n = 0; n < 100; n += 1) document.querySelector('#approval-read-on').click()")
    assert "Ignored" in press_allow(surface, person)
    refuse(person)


# --- a question in another's place ---

SWAPPED = """
import asyncio
from gemini.kernel.kernel import kernel
request = kernel._documents.request
first = asyncio.ensure_future(request("open", {"tab": "__TAB__1", "url": "https://attacked.test/manual/page-1"}))
second = asyncio.ensure_future(request("open", {"tab": "__TAB__2", "url": "https://attacked.test/manual/page-1?SECRET"}))
None
"""
GUARDED = "document.querySelector('#approval .answers').dataset.guarded === ''"


def press_enter(surface: Surface, moment: float) -> None:
    """Press Enter with the given event timestamp, in seconds since the epoch."""
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r", "timestamp": moment}
    for kind in ("rawKeyDown", "char", "keyUp"):
        surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, **key})


def now(surface: Surface) -> float:
    return surface.javascript("return (performance.timeOrigin + performance.now()) / 1000")


@pytest.mark.parametrize("how", sampled(["withdrawn", "answered"]))
def test_a_question_in_another_s_place_says_so_and_waits_a_second(
    surface: Surface, person: Person, how: str
) -> None:
    surface.python(SWAPPED.replace("__TAB__", {"withdrawn": "t7", "answered": "t8"}[how]))
    assert person.sees("#approval-title") == "Allow this action?"
    surface.wait_for(READY)
    surface.javascript("document.querySelector('#approval-once').focus()")
    before = now(surface)
    if how == "withdrawn":
        surface.python("first.cancel()")
    else:
        person.click('button "Refuse"')
    person.sees("#approval-question", "?SECRET")
    after = now(surface)
    assert person.sees("#approval-title") == "Another request: allow this action?"
    assert person.sees("#approval-question ins") == "?SECRET"
    surface.javascript("document.querySelector('#approval-once').focus()")
    press_enter(surface, before + 0.9)
    person.sees("#approval-ignored", "had just appeared")
    assert surface.python("second.done()") is False

    # The control: the press counts after a second, and half a second after the ignored one.
    surface.javascript("document.querySelector('#approval-once').focus()")
    press_enter(surface, after + 1.5)
    person.no_longer_sees("#approval")


@pytest.mark.extended
def test_a_question_chosen_from_the_list_is_not_another_s(surface: Surface, person: Person) -> None:
    surface.python(SWAPPED.replace("__TAB__", "t9"))
    person.click("#approval-requests li:nth-child(2) button")
    person.sees("#approval-question", "?SECRET")
    assert person.sees("#approval-title") == "Allow this action?"
    for _ in range(2):
        person.click('button "Refuse"')
    person.no_longer_sees("#approval")


# --- floods ---

NAGGING = """
import asyncio
from gemini.kernel.kernel import kernel
request = kernel._documents.request
asked, errors, going = [0], [], [True]
async def nag(number):
    while going[0]:
        asked[0] += 1
        try:
            words = __WORDS__
            await request("open", {"tab": f"t{number}", "url": f"https://nag.test/{asked[0]}", "words": words})
        except Exception as error:
            errors.append(str(error))
            await asyncio.sleep(0.2)
naggers = [asyncio.ensure_future(nag(200 + number)) for number in range(60)]
None
"""
NAMES = {
    "nobody": "{}",
    "an invented caller": "{'caller': 'agent %d' % asked[0]}",
    "an invented run": "{'caller': 'agent', 'run': 'r%d' % asked[0]}",
    "the user": "{'caller': 'person'}",
    "odd types": "{'caller': [asked[0]], 'run': {'a': asked[0]}}",
    "names of objects": "{'caller': 'constructor', 'run': '__proto__' if asked[0] % 2 else ''}",
}


@pytest.fixture
def calm(surface: Surface) -> Iterator[None]:
    yield
    surface.python(
        "globals().get('going', [True])[0] = False\nfor task in globals().get('naggers', []): task.cancel()"
    )
    surface.wait_for("!document.querySelector('#approval').open")


@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize("words", sampled(NAMES.values(), every=3), ids=NAMES)
def test_three_refusals_end_a_flood(surface: Surface, person: Person, start: Start, words: str) -> None:
    surface.python(NAGGING.replace("__WORDS__", words))
    person.sees("#approval-flood", "Refuse all from this caller")
    refusals = 0
    # A named run may be refused the same site at the first one.
    while is_asked(surface):
        shown = person.sees("#approval-question")
        surface.wait_for(READY)
        person.press(Keys.ESCAPE)
        refusals += 1
        surface.wait_for(CHANGED, shown)
    assert refusals <= 3
    if refusals == 3:
        person.sees("#refusing", "refused until")
    surface.python("import asyncio; await asyncio.sleep(0.5)")
    assert not is_asked(surface) and "the user refused" in surface.python("errors[-1]")

    # The control: another caller's question is asked, and allowed.
    call = start("browser_tabs", action="open", url="https://another.test/")
    person.sees("#approval-question", "https://another.test")
    person.click('button "Allow once"')
    call.result()


@pytest.mark.fortnightly
@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize("way", sampled(["refuse-all", "stop", "restart"]))
def test_the_dialog_has_a_way_out_of_a_flood(
    surface: Surface, person: Person, start: Start, way: str
) -> None:
    surface.python(NAGGING.replace("__WORDS__", "{}"))
    person.sees("#approval-flood")
    surface.wait_for(READY)
    # A press may meet a moment in which the browser hasn't drawn the dialog.
    for _ in range(3):
        if is_asked(surface):
            person.click(f"#approval-{way}")
    person.no_longer_sees("#approval")
    if way == "restart":
        surface.wait_for("document.documentElement.dataset.kernel === 'ready'")
        assert surface.python("'naggers' in globals()") is False
    else:
        assert not is_asked(surface) and surface.python("asked[0]") > 50
        # The control: once asked again, one of the flood goes through.
        person.click("#ask-again")
        person.sees("#approval-question", "nag.test")
        person.click('button "Allow once"')


@pytest.mark.extended
@pytest.mark.usefixtures("calm")
def test_questions_that_replace_each_other_do_not_keep_the_person_from_the_way_out(
    surface: Surface, person: Person
) -> None:
    surface.python(
        """
import asyncio
from gemini.kernel.kernel import kernel
request = kernel._documents.request
async def swap():
    number = 0
    while True:
        number += 1
        asking = asyncio.ensure_future(request("open", {"tab": "t87", "url": f"https://swap.test/{number}"}))
        await asyncio.sleep(0.3)
        asking.cancel()
naggers = [asyncio.ensure_future(swap())]
None
"""
    )
    surface.wait_for("document.querySelector('#approval-refuse-all')?.checkVisibility()")
    surface.python("import asyncio; await asyncio.sleep(1)")
    middle = (
        "const button = document.querySelector('#approval-refuse-all');"
        "if (!button?.checkVisibility()) return null;"
        "const { left, top, width, height } = button.getBoundingClientRect();"
        "return { x: left + width / 2, y: top + height / 2 };"
    )
    # A press that begins between two questions meets none.
    for _ in range(40):
        if place := surface.javascript(middle):
            for kind in ("mousePressed", "mouseReleased"):
                mouse = {"type": kind, "button": "left", "clickCount": 1, **place}
                surface.driver.execute_cdp_cmd("Input.dispatchMouseEvent", mouse)
        if surface.javascript("return !document.querySelector('#refusing').hidden"):
            break
    person.sees("#refusing", "refused until")
    surface.wait_for("!document.querySelector('#approval').open")


def test_stop_it_cancels_the_call_that_asks(surface: Surface, person: Person, start: Start) -> None:
    code = """
import asyncio
from gemini.kernel.kernel import kernel
words = {"caller": "webmcp"}
async def ask(number):
    await kernel._documents.request("open", {"tab": f"t{number}", "url": f"https://stop.test/{number}", "words": words})
await asyncio.gather(*[ask(300 + number) for number in range(6)], return_exceptions=True)
await asyncio.sleep(3600)
"""
    call = start("python_run", code=code)
    assert "an agent in your browser" in person.sees("#approval-flood")
    surface.wait_for(READY)
    person.click('button "Stop it"')
    person.no_longer_sees("#approval")
    assert call.result()["error"]["type"] == "Cancelled"


@pytest.mark.extended
@pytest.mark.usefixtures("calm")
def test_a_flood_leaves_places_for_others(surface: Surface, person: Person, start: Start) -> None:
    surface.python(NAGGING.replace("__WORDS__", "{'caller': 'agent %d' % asked[0]}"))
    person.sees("#approval-queue", "49 more requests")
    call = start("browser_tabs", action="open", url="https://another.test/place")
    person.sees("#approval-requests", "https://another.test")
    person.click("#approval-requests li:last-child button")
    person.sees("#approval-question", "https://another.test/place")
    person.click('button "Allow once"')
    call.result()


def test_what_was_refused_is_not_asked_again_at_once(surface: Surface, person: Person) -> None:
    send(surface, "open", tab="t88", url="https://again.test/same")
    person.sees("#approval-question", "again.test")
    refuse(person)
    answer = ask_page(
        surface, "open", tab="t89", url="https://again.test/same", words={"caller": "new", "tool": "x"}
    )
    assert answer["error"] == "Refused" and "is refused without a question until 20" in answer["message"]
    # The control: another address is asked, and opened when allowed.
    send(surface, "open", tab="t89", url="https://again.test/other")
    person.sees("#approval-question", "again.test/other")
    person.click('button "Allow once"')
    person.no_longer_sees("#approval")


@pytest.mark.parametrize("tab", sampled(["t-1", "x", "", "t1 ", "t" + "9" * 20, 5, None]))
def test_a_tab_s_odd_id_does_not_keep_the_next_python_from_starting(surface: Surface, tab: Any) -> None:
    answer = ask_page(surface, "open", tab=tab, url="about:blank")
    assert answer["error"] == "InvalidArguments"
    # The control: an ordinary id is opened.
    assert "result" in ask_page(surface, "open", tab="t99", url="about:blank")


# --- sizes ---

TOO_LARGE: dict[str, tuple[str, str]] = {
    "words of 150 MB": ("consent", "{'words': {'tool': 'x' * 150_000_000}}"),
    "a million short words": ("consent", "{'words': {'arguments': {str(n): n for n in range(1_000_000)}}}"),
    "a list of a million": ("consent", "{'words': {'origins': [{}] * 1_000_000}}"),
    "deep words": (
        "consent",
        "{'words': json.loads('{\"a\":' * 20 + '\"' + 'x' * 70_000 + '\"' + '}' * 20)}",
    ),
    "words of a navigation": (
        "open",
        "{'tab': 't1', 'url': 'https://x.test/', 'words': {'run': 'r' * 70_000}}",
    ),
    "an address of 1 MB": ("open", "{'tab': 't1', 'url': 'https://x.test/?' + 'a' * 1_000_000}"),
    "a text of 1 MB for the clipboard": (
        "personal",
        "{'action': 'copy', 'given': {'text': 'x' * 1_000_000}}",
    ),
}


@pytest.mark.parametrize("size", sampled(TOO_LARGE, every=3))
def test_what_nobody_can_read_is_refused_at_the_port(surface: Surface, person: Person, size: str) -> None:
    method, params = TOO_LARGE[size]
    code = (
        "import json\nfrom gemini.errors import GeminiError\nfrom gemini.kernel.kernel import kernel\n"
        f"try:\n    answer = await kernel._documents.request({method!r}, {params})\n"
        "except GeminiError as problem:\n    answer = [type(problem).__name__, str(problem), problem.data]\nanswer"
    )
    answer = surface.python(code)
    assert "characters" in json.dumps(answer) and "InvalidArguments" in json.dumps(answer)
    assert not is_asked(surface)
    # The control: a short one is asked.
    send(surface, "consent", words={"tool": "x"})
    person.sees("#approval-question", "grants no access by itself")
    refuse(person)
