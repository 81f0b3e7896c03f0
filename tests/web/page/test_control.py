"""Who may control a document of another origin, and who may not."""

from __future__ import annotations

from tests.web.page.conftest import OpenPage

# The parent, which is of one origin, and a page of another one that names it, or doesn't.
PARENT = """<script>
heard = [];
addEventListener("message", (event) => heard.push({ ...event.data, origin: event.origin }));
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


def test_a_controller_that_the_tag_names_is_told_and_served(open_page: OpenPage) -> None:
    page = open_page(PARENT)
    url = page.server.url
    names = f" data-controllers='https://example.org {url}'"
    page = open_page(PARENT, files={"/inner.html": INNER.format(names)})
    page.run("await loaded")
    inner = f"{page.server.other_url}/inner.html"
    assert page.run("return heard") == [{"geminiPage": "here", "url": inner, "origin": page.server.other_url}]
    answer = page.run("return await ask('snapshot')")
    assert [each["name"] for each in answer["result"]["elements"]] == ["Buy"]
    # Another port takes the place of the first.
    assert page.run("return await ask('about')")["result"] == {"url": inner, "title": "Inner"}


def test_nobody_else_is(open_page: OpenPage) -> None:
    for names in ("", " data-controllers='https://example.org'"):
        page = open_page(PARENT, files={"/inner.html": INNER.format(names)})
        page.run("await loaded")
        assert page.run("return heard") == []
        assert page.run("return await ask('snapshot')") == "no answer"


def test_a_page_that_stays_doesn_t_leave_for_another_origin(open_page: OpenPage) -> None:
    page = open_page(
        "<script src='/gemini-page.js' data-controllers='https://example.org' data-stays></script>"
        "<a id=away href='OTHER/page.html'>away</a><a id=part href='#part'>part</a>",
        script=False,
        files={"/next.html": "<!doctype html><title>Next</title>"},
    )
    page.run("away.click(); location = away.href; location = 'blob:' + location.origin + '/x'; part.click()")
    assert page.run("return location.href").endswith("/page.html#part")
    told = [message["text"] for message in page.run("return geminiPage.console().messages")]
    assert len(told) == 3
    assert page.server.other_url in told[0]
    page.driver.execute_script("location = '/next.html'")
    assert page.driver.title == "Next"
