"""Reading PDF files as text."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import PythonFailed, Surface, ToolCallFailed
from tests.pdf import pdf
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

LOCKED = "/Encrypt << /Filter /Standard /V 1 /R 2 /O <{}> /U <{}> /P -4 >> /ID [<00> <00>] "


def write(surface: Surface, name: str, content: str) -> str:
    path = f"/project/{name}"
    surface.call("file_write", path=path, content=content)
    return path


def test_its_pages_are_text_in_parts(surface: Surface) -> None:
    pages = [["Prices of tea", "from 2026"], ["\\u", "End"]]
    path = write(surface, "tea.pdf", pdf(pages, unicode="ﬁne Привет 日本"))
    whole = surface.call("file_read", path=path)
    expected = "--- Page 1 of 2 ---\nPrices of tea\nfrom 2026\n\n--- Page 2 of 2 ---\nfine Привет 日本\nEnd"
    assert whole == {
        "content": expected,
        "encoding": "utf-8",
        "size": len(expected.encode()),
        "truncated": False,
        "pdf": True,
    }
    first = surface.call("file_read", path=path, max_bytes=64)
    rest = surface.call("file_read", path=path, offset=first["next_offset"])
    assert first["truncated"] and first["content"] + rest["content"] == expected
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_navigate", url=path)
    assert failed.value.type == "Unsupported" and "file_read" in (failed.value.hint or "")


def test_the_user_sees_it(surface: Surface, person: Person) -> None:
    write(surface, "seen.pdf", pdf([["Seen by the user"]]))
    surface.call("file_navigate", path="/project")
    person.click('region "Files" [data-path="/project/seen.pdf"]')
    person.press(Keys.ENTER)
    frame = person.find('region "Content of the file" iframe[title="seen.pdf"]')
    assert (frame.get_attribute("src") or "").startswith("blob:")
    person.click('dialog.viewer button "Close"')


@pytest.mark.extended
def test_files_without_text_say_what_to_do(surface: Surface) -> None:
    locked = write(surface, "locked.pdf", pdf([["Secret"]], extra=LOCKED.format("00" * 32, "11" * 32)))
    cases = [
        (locked, "Unsupported", "has a password", "read_pdf"),
        (
            write(surface, "pictures.pdf", pdf([[], []])),
            "Unsupported",
            "its 2 pages are pictures",
            "read_screen_text",
        ),
        (
            write(surface, "broken.pdf", "%PDF-1.7\nbroken"),
            "FileProblem",
            "isn't a valid PDF",
            "Get it again",
        ),
    ]
    for path, error, said, hint in cases:
        with pytest.raises(ToolCallFailed) as failed:
            surface.call("file_read", path=path)
        assert failed.value.type == error, path
        assert said in str(failed.value) and hint in (failed.value.hint or "")
    code = f"await gemini.file_browser.read_pdf({locked!r}, password='wrong')"
    with pytest.raises(PythonFailed, match="another password"):
        surface.python(code)
    other = write(surface, "named.pdf", "no PDF at all")
    assert surface.call("file_read", path=other)["content"] == "no PDF at all"
