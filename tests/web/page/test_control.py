"""Control of a document from another origin."""

from __future__ import annotations

from tests.web.page.conftest import OpenPage

# The parent frames a page of another origin, which may list the parent as a controller.
PARENT = """<script>
events = [];
addEventListener("message", (event) => events.push({ ...event.data, origin: event.origin }));
async function ask(method, params = {}) {
  const { port1, port2 } = new MessageChannel();
  document.querySelector("iframe").contentWindow.postMessage({ geminiPage: "control" }, "*", [port2]);
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(JSON.parse(data));
    setTimeout(resolve, 1000, "no answer");
  });
  port1.postMessage(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  return answer;
}
loaded = new Promise((resolve) => addEventListener("load", resolve));
</script><iframe src="OTHER/inner.html"></iframe>"""
INNER = "<!doctype html><script src='/gemini-page.js'{}></script><title>Inner</title><button>Buy</button>"


def test_a_listed_controller_is_notified_and_served(open_page: OpenPage) -> None:
    page = open_page(PARENT)
    url = page.server.url
    names = f" data-controllers='https://example.org {url}'"
    page = open_page(PARENT, files={"/inner.html": INNER.format(names)})
    page.run("await loaded")
    inner = f"{page.server.other_url}/inner.html"
    assert page.run("return events") == [
        {"geminiPage": "here", "url": inner, "origin": page.server.other_url}
    ]
    answer = page.run("return await ask('snapshot')")
    assert [each["name"] for each in answer["result"]["elements"]] == ["Buy"]
    # A second port replaces the first.
    assert page.run("return await ask('about')")["result"] == {
        "url": inner,
        "title": "Inner",
        "type": "text/html",
        "tools": [],
    }


def test_other_controllers_are_ignored(open_page: OpenPage) -> None:
    for names in ("", " data-controllers='https://example.org'"):
        page = open_page(PARENT, files={"/inner.html": INNER.format(names)})
        page.run("await loaded")
        assert page.run("return events") == []
        assert page.run("return await ask('snapshot')") == "no answer"


def test_a_page_with_data_stays_cannot_leave_its_origin(open_page: OpenPage) -> None:
    page = open_page(
        "<script src='/gemini-page.js' data-controllers='https://example.org' data-stays></script>"
        "<a id=away href='OTHER/page.html'>away</a><a id=part href='#part'>part</a>",
        script=False,
        files={"/next.html": "<!doctype html><title>Next</title>"},
    )
    page.run("away.click(); location = away.href; location = 'blob:' + location.origin + '/x'; part.click()")
    assert page.run("return location.href").endswith("/page.html#part")
    texts = [message["text"] for message in page.run("return geminiPage.console().messages")]
    assert len(texts) == 3
    assert page.server.other_url in texts[0]
    page.driver.execute_script("location = '/next.html'")
    assert page.driver.title == "Next"
