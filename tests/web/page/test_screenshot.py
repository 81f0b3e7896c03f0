"""The page script's screenshots, compared with the browser's."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing.html_page import HtmlPage, PageThrew
from tests.web.page.conftest import OpenPage

# The mean difference of two images over all pixels and colors, as a percentage of the range.
DIFFERENCE = """
const pixels = async (data, format) => {
  const image = new Image();
  image.src = `data:image/${format};base64,${data}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
};
const [one, other, format] = arguments;
const [ours, theirs] = [await pixels(one, format), await pixels(other, "png")];
if (ours.width !== theirs.width || ours.height !== theirs.height) {
  throw new Error(`${ours.width}x${ours.height} and ${theirs.width}x${theirs.height}`);
}
let sum = 0;
for (let at = 0; at < ours.data.length; at++) sum += Math.abs(ours.data[at] - theirs.data[at]);
return (sum / (ours.data.length * 0.75) / 255) * 100;
"""

STYLE = """<style>
body { margin: 0; font: 16px/1.4 sans-serif; background: #eef3f8 }
.bar { position: fixed; top: 0; left: 0; right: 0; height: 48px; background: #123; color: white }
.foot { position: fixed; bottom: 10px; right: 10px; width: 120px; height: 60px; background: #c33 }
.card { margin: 60px 40px; padding: 20px; background: white; border: 2px solid #99a; border-radius: 12px }
.stick { position: sticky; top: 48px; height: 30px; background: gold }
.pinned { position: absolute; top: 900px; left: 300px; width: 200px; height: 100px; background: green }
.box { height: 120px; overflow: auto; border: 1px solid; background: linear-gradient(90deg, #fff, #8af) }
</style>"""
CARDS = "".join(
    f"<div class=card><h2>Card {number}</h2><p>Some words about it.</p><button>Press</button></div>"
    for number in range(40)
)
ORDINARY = f"<h1>Page</h1>{CARDS}"
SCROLLED = (
    f"<div class=bar>Shop</div><div class=foot>Chat</div><div class=pinned>Pinned</div>"
    f"<section>{CARDS}<div class=stick>Stays</div></section>"
)


def take(page: HtmlPage, **options: Any) -> dict[str, Any]:
    return page.run("return await geminiPage.screenshot(arguments[0])", options)


def difference(page: HtmlPage, screenshot: dict[str, Any], theirs: str) -> float:
    return page.run(DIFFERENCE, screenshot["data"], theirs, screenshot["format"])


def visible(page: HtmlPage) -> str:
    return page.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]


@pytest.mark.parametrize("format", ["png", "jpeg"])
def test_the_viewport_matches_the_browsers_screenshot(open_page: OpenPage, format: str) -> None:
    page = open_page(STYLE + ORDINARY)
    screenshot = take(page, format=format)
    assert screenshot["format"] == format
    size = page.run("return [innerWidth, innerHeight]")
    assert [screenshot["width"], screenshot["height"]] == size
    assert difference(page, screenshot, visible(page)) < 2


def test_a_scrolled_page_shows_the_viewport(open_page: OpenPage) -> None:
    page = open_page(STYLE + SCROLLED)
    page.run("scrollTo(0, 700)")
    assert difference(page, take(page), visible(page)) < 2


def test_fixed_absolute_sticky_and_scrolled_elements_are_in_place(open_page: OpenPage) -> None:
    lines = "".join(f"<p>Line {number}</p>" for number in range(30))
    page = open_page(
        f"{STYLE}<div class=bar>Shop</div><div class=foot>Chat</div>"
        f"<section style='padding-top: 400px; height: 3000px'><div class=stick>Stays</div>"
        f"<div class=box>{lines}</div><pre class=box>{'text<br>' * 40}</pre></section>"
    )
    page.run("scrollTo(0, 500); for (const box of document.querySelectorAll('.box')) box.scrollTop = 200")
    assert difference(page, take(page), visible(page)) < 2


@pytest.mark.parametrize("selector", [".card", "button"])
def test_one_element(open_page: OpenPage, selector: str) -> None:
    page = open_page(f"{STYLE}{ORDINARY}")
    screenshot = take(page, selector=selector)
    clip = page.run(
        "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return { x: Math.floor(box.x), y: Math.floor(box.y), width: Math.ceil(box.right) - Math.floor(box.x),"
        "height: Math.ceil(box.bottom) - Math.floor(box.y), scale: 1 }",
        selector,
    )
    theirs = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
    assert difference(page, screenshot, theirs["data"]) < 5
    ref = page.snapshot()["elements"][0]["ref"]
    assert take(page, ref=ref)["width"] == page.run(
        "return Math.ceil(geminiPage.element(arguments[0]).getBoundingClientRect().width)", ref
    )


def test_sticky_parts_of_an_element_are_in_place(open_page: OpenPage) -> None:
    page = open_page(
        f"{STYLE}<div style='margin: 90px 70px; height: 300px; background: white' id=part><div class=stick>Stays</div>"
        "</div><div style='height: 3000px'></div>"
    )
    page.run("scrollTo(0, 50)")
    clip = {"x": 70, "y": 90, "width": page.run("return part.offsetWidth"), "height": 300, "scale": 1}
    theirs = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
    assert difference(page, take(page, selector="#part"), theirs["data"]) < 1


@pytest.mark.fortnightly
def test_the_whole_page(open_page: OpenPage) -> None:
    page = open_page(STYLE + ORDINARY)
    page.run("scrollTo(0, 900)")
    screenshot = take(page, whole=True)
    assert screenshot["height"] == page.run("return document.documentElement.scrollHeight")
    theirs = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": {
        "x": 0, "y": 0, "width": screenshot["width"], "height": screenshot["height"], "scale": 1}})  # fmt: skip
    assert difference(page, screenshot, theirs["data"]) < 2


def test_a_screenshot_does_not_change_the_page(open_page: OpenPage) -> None:
    page = open_page(STYLE + ORDINARY)
    before = page.run("return document.documentElement.outerHTML")
    take(page)
    assert page.run("return document.documentElement.outerHTML") == before


def test_an_impossible_screenshot_fails(open_page: OpenPage) -> None:
    page = open_page("<p id=hidden hidden>hidden")
    with pytest.raises(PageThrew, match="InvalidArguments: There is no format"):
        take(page, format="gif")
    with pytest.raises(PageThrew, match="Hidden"):
        take(page, selector="#hidden")
    with pytest.raises(PageThrew, match="NotFound"):
        take(page, selector="#none", format="png")
