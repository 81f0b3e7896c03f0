"""Text in pictures is read on the device: of known pages, bad pictures, scanned PDF files and canvases."""

from __future__ import annotations

import base64
import statistics
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from gemini_testing import PythonFailed, Surface
from gemini_testing.browser import emulate
from tests.web.agent import close_tabs
from tests.web.pictured_pages import KINDS, PicturedPage, font_of, pages, wrong_characters

pytestmark = pytest.mark.fortnightly

READ = """
import base64, gemini
from pathlib import Path
if {data!r}:
    Path({path!r}).write_bytes(base64.b64decode({data!r}))
await gemini.registry.call("read_screen_text", {{"path": {path!r}, **{given!r}}}, caller="agent:reader")
"""
CALL = "await gemini.registry.call({0!r}, {1!r}, caller='agent:reader')"
# A picture of a size in pixels, drawn by a script.
DRAW = """
const [width, height, kind, body, font] = arguments;
const face = new FontFace("drawn", `url(${font})`);
return face.load().then(() => {
  document.fonts.add(face);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  Object.assign(context, { fillStyle: "#fff", textBaseline: "top" });
  context.fillRect(0, 0, width, height);
  context.fillStyle = "#000";
  new Function("context", body)(context);
  document.fonts.delete(face);
  return canvas.toDataURL(kind).split(",")[1];
});
"""
LINES = """
context.font = "{size}px drawn";
["The ferry to the islands", "leaves at seven fifteen", "from the northern pier"].forEach((line, index) =>
  context.fillText(line, {size}, {size} * (1 + 2 * index)));
"""


def read(surface: Surface, path: str, data: str = "", **given: Any) -> dict[str, Any]:
    """Write a picture in base64 to a file, unless it is there, and return the text in it."""
    return surface.python(READ.format(path=path, data=data, given=given))


def draw(surface: Surface, body: str, *, size: tuple[int, int] = (900, 300), kind: str = "image/png") -> str:
    return surface.javascript(DRAW, *size, kind, body, font_of("DejaVuSans.ttf"))


def pictures(driver: Chrome, shown: Sequence[PicturedPage], folder: Path) -> Iterator[str]:
    """Yield screenshots of pages in base64, taken in a tab of their own."""
    surface = driver.current_window_handle
    driver.switch_to.new_window("tab")
    tab = driver.current_window_handle
    # Wider than a page, which a browser's own window may not be.
    emulate(driver, size=(960, 600))
    for page in shown:
        file = folder / f"{page.name}.html"
        file.write_text(page.html, encoding="utf-8")
        driver.switch_to.window(tab)
        driver.get(file.as_uri())
        driver.execute_async_script("document.fonts.ready.then(() => arguments[0]())")
        picture = driver.get_screenshot_as_base64()
        driver.switch_to.window(surface)
        yield picture
    driver.switch_to.window(tab)
    driver.close()
    driver.switch_to.window(surface)


def share_of(page: PicturedPage, text: str) -> float:
    """Return the share of a page's characters that are right in a text."""
    wrong = sum(wrong_characters(line, text) for line in page.lines)
    return 1 - wrong / sum(len(line.replace(" ", "")) for line in page.lines)


def surplus_of(page: PicturedPage, text: str) -> float:
    """Return the ratio of a text's surplus characters, such as edges that were read, to its page's characters."""
    known, found = (len("".join(each.split())) for each in ("".join(page.lines), text))
    return max(0, found - known) / known


def test_pictures_of_pages_are_read(surface: Surface, folder: str, tmp_path: Path) -> None:
    # German, where English would read `für` as `fiir`; and round corners and edges, which aren't letters.
    chosen = [page for page in pages() if page.name in ("prose-16-dark-serif", "buttons-16-light-serif")]
    for page, data in zip(chosen, pictures(surface.driver, chosen, tmp_path), strict=True):
        found = read(surface, f"{folder}/{page.name}.png", data, languages="en+de")
        assert share_of(page, found["text"]) > 0.99, found["text"]
        assert surplus_of(page, found["text"]) < 0.02, found["text"]
        box = next(line for line in found["lines"] if page.lines[0].split()[0] in line["text"])
        assert 0 < box["x"] < 200 and 0 < box["y"] < 200 and box["height"] < 60


@pytest.mark.extended
@pytest.mark.parametrize("kind", KINDS)
def test_twelve_pages_of_a_kind_are_read_nearly_without_errors(
    surface: Surface, folder: str, tmp_path: Path, kind: str
) -> None:
    shown = [page for page in pages() if page.kind == kind]
    shares = [
        share_of(page, read(surface, f"{folder}/page.png", data, languages="en+de")["text"])
        for page, data in zip(shown, pictures(surface.driver, shown, tmp_path), strict=True)
    ]
    assert len(shares) == 12 and statistics.mean(shares) > 0.98 and min(shares) > 0.95


def oriented(data: str, orientation: int) -> str:
    """Return a JPEG file in base64 with an orientation in its EXIF data."""
    directory = struct.pack("<HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    exif = b"Exif\0\0II*\0\x08\0\0\0" + directory
    jpeg = base64.b64decode(data)
    return base64.b64encode(
        jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]
    ).decode()


def scanned(data: str, width: int, height: int) -> bytes:
    """Return a PDF file whose only page is a JPEG file in base64."""
    jpeg = base64.b64decode(data)
    content = b"q %d 0 0 %d 0 0 cm /I Do Q" % (width, height)
    image = (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R " % (width, height)
        + b"/Resources << /XObject << /I 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        image % (width, height)
        + b" /Filter /DCTDecode /Length %d >>\nstream\n%s\nendstream" % (len(jpeg), jpeg),
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, each) for number, each in enumerate(objects, 1))
    # Without a table of places pdf.js finds the objects itself.
    return b"%PDF-1.7\n" + body + b"trailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n"


def test_a_scanned_pdf_file_is_read(surface: Surface, folder: str) -> None:
    jpeg = draw(surface, LINES.format(size=36), kind="image/jpeg")
    path = f"{folder}/scan.pdf"
    found = read(surface, path, base64.b64encode(scanned(jpeg, 900, 300)).decode())
    assert "leaves at seven fifteen" in found["text"] and found["pages"] == 1
    with pytest.raises(PythonFailed, match="no such page"):
        read(surface, path, page=2)


def test_text_on_a_canvas_is_pressed_without_a_model(surface: Surface, folder: str) -> None:
    game = (
        "<!doctype html><title>Game</title><style>body{margin:0}</style><canvas width=500 height=300></canvas><script>"
        f"const face = new FontFace('drawn', 'url({font_of('DejaVuSans.ttf')})');"
        "const canvas = document.querySelector('canvas'), context = canvas.getContext('2d');"
        "face.load().catch(() => {}).then(() => { document.fonts.add(face); context.fillStyle = '#fff'; "
        "context.fillRect(0, 0, 500, 300); context.fillStyle = '#147'; context.fillRect(50, 100, 240, 60); "
        "context.fillStyle = '#fff'; context.font = '26px drawn'; context.fillText('Start game', 80, 140); "
        "document.body.dataset.drawn = 'yes'; });"
        "canvas.onclick = ({ offsetX, offsetY }) => { document.title = offsetX > 50 && offsetX < 290 "
        "&& offsetY > 100 && offsetY < 160 ? 'Started' : 'Missed'; };</script>"
    )
    surface.call("file_write", path=f"{folder}/game.html", content=game)
    # In a tab of the agent's own.
    surface.python(CALL.format("browser_navigate", {"url": f"{folder}/game.html"}))
    drawn = "for (let n = 0; n < 100 && !document.body.dataset.drawn; n += 1) await new Promise(requestAnimationFrame)"
    surface.python(CALL.format("browser_execute_js", {"code": drawn}))
    tapped = surface.python(CALL.format("find_and_tap", {"description": "the button “Start game”"}))
    assert tapped["how"] == "text"
    title = surface.python(CALL.format("browser_execute_js", {"code": "return document.title"}))
    assert title["result"] == "Started"
    close_tabs(surface)


@pytest.mark.extended
def test_bad_pictures_are_read_or_say_why(surface: Surface, folder: str) -> None:
    lines = LINES.format(size=36)
    large = read(surface, f"{folder}/large.png", draw(surface, LINES.format(size=300), size=(8000, 5000)))
    assert "leaves at seven fifteen" in large["text"]
    assert "8000 x 5000 pixels and was scaled down to 55%" in large["note"]
    assert 250 < large["lines"][0]["x"] < 400

    aside = "context.translate(0, 900); context.rotate(-Math.PI / 2);" + lines
    turned = read(surface, f"{folder}/turned.png", draw(surface, aside, size=(300, 900)))
    assert "leaves at seven fifteen" in turned["text"] and "turned clockwise by 90 degrees" in turned["note"]
    assert all(line["height"] > line["width"] for line in turned["lines"])
    exif = read(
        surface, f"{folder}/exif.jpg", oriented(draw(surface, aside, size=(300, 900), kind="image/jpeg"), 6)
    )
    assert "leaves at seven fifteen" in exif["text"] and "note" not in exif
    assert (exif["width"], exif["height"]) == (900, 300)

    dark = (
        "context.fillStyle = '#101010'; context.fillRect(0, 0, 900, 300); context.fillStyle = '#505050';"
        + lines
    )
    assert "leaves at seven fifteen" in read(surface, f"{folder}/dark.png", draw(surface, dark))["text"]
    both = "context.font = '36px drawn'; context.fillText('Größere Straßen', 30, 30); "
    both += "context.fillText('wider streets', 30, 120);"
    found = read(surface, f"{folder}/both.png", draw(surface, both), languages="de+en")
    assert found["text"].split() == ["Größere", "Straßen", "wider", "streets"]
    empty = read(surface, f"{folder}/empty.png", draw(surface, ""))
    assert (empty["text"], empty["lines"], empty["note"]) == ("", [], "No text was recognized.")
    with pytest.raises(PythonFailed, match="broken or no picture"):
        read(surface, f"{folder}/broken.png", base64.b64encode(b"\x89PNG\r\n\x1a\n broken").decode())
