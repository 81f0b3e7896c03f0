"""Files of the surface as web pages, on their own origins."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from gemini_testing.server import Server, server_of_sites
from tests.web.person import Background, Person
from tests.web.site import Site, write_site

pytestmark = pytest.mark.fortnightly


@pytest.fixture
def site(surface: Surface) -> Site:
    write_site(surface)
    return Site(surface)


def test_a_page_loads_its_linked_files(site: Site) -> None:
    opened = site.open("/project/site/index.html")
    assert opened["title"] == "Grüße"
    # It has its own host.
    assert re.fullmatch(r"[0-9a-f]{32}\.localhost", urlsplit(opened["url"]).hostname or "")
    assert site.says("said.textContent") == "Hello Zoë"
    assert site.run("return [document.title, document.compatMode]") == ["Grüße", "CSS1Compat"]
    assert site.run("return getComputedStyle(document.querySelector('h1')).color") == "rgb(1, 2, 3)"
    assert site.run("return document.images[0].naturalWidth") == 1


@pytest.mark.fortnightly
def test_the_page_script_loads_first_and_controls_the_page(site: Site, surface: Surface) -> None:
    surface.call(
        "file_write",
        path="/project/site/form.html",
        content="<title>Form</title><script>console.log('before', typeof geminiPage)</script>"
        "<div id=go>Go</div><script>go.addEventListener('click', () => console.info('went'))</script>",
    )
    opened = site.open("/project/site/form.html")
    snapshot = surface.call("browser_snapshot", tab=opened["tab"])
    assert "clickable" in json.dumps(snapshot)
    surface.call("browser_click", selector="#go")
    messages = surface.call("browser_console", tab=opened["tab"])["messages"]
    assert [(each["level"], each["text"]) for each in messages] == [
        ("log", "before object"),
        ("info", "went"),
    ]


@pytest.mark.fortnightly
def test_directories_names_queries_and_fragments_resolve(site: Site) -> None:
    site.open("/project/site/sub")
    assert site.run("return [document.title, document.links[0].pathname]") == [
        "Sub", "/project/site/index.html"
    ]  # fmt: skip
    assert site.run("const r = await fetch('../sub?x=1'); return r.redirected + r.url.split('site')[1]") == (
        "true/sub/?x=1"
    )
    site.run("setTimeout(() => (location.href = '../sub?x=1#y'))")
    assert site.says("location.href.endsWith('/project/site/sub/?x=1#y') && document.title") == "Sub"
    site.open("/project/site/tür & tor.html?a=b%20c#d")
    assert site.run("return [document.title, location.search, location.hash]") == ["Tür", "?a=b%20c", "#d"]


@pytest.mark.extended
def test_a_page_is_read_and_captured_under_its_policy(site: Site, surface: Surface) -> None:
    opened = site.open("/project/site/index.html")
    site.says("said.textContent")
    assert "Hello Zoë" in surface.call("browser_get_text")["text"]
    picture = surface.call("browser_screenshot")
    assert [picture["width"], picture["height"]] == site.run("return [innerWidth, innerHeight]")
    assert surface.python(f"open({picture['path']!r}, 'rb').read(4).hex()") == "89504e47"
    site.run("setTimeout(() => (location.href = 'sub/'))")
    assert site.says("location.pathname.endsWith('/sub/') && document.title") == "Sub"
    surface.call("browser_tabs", action="back", tab=opened["tab"])
    assert site.says("document.querySelector('h1') && document.title") == "Grüße"


@pytest.mark.fortnightly
def test_missing_and_outside_files_are_reported(site: Site, surface: Surface) -> None:
    surface.python(
        "open('/project/secret.txt', 'w').write('secret')\n"
        "os.symlink('/project/secret.txt', '/project/site/link.txt')"
    )
    site.open("/project/site/index.html")
    get = "const r = await fetch(arguments[0]); return [r.status, (await r.text()).includes(arguments[1])]"
    assert site.run(get, "none.html", "/project/site/none.html") == [404, True]
    assert site.run(get, "/project/secret.txt", "secret</p>") == [404, False]
    assert site.run(get, "..%2fsecret.txt", "secret</p>") == [404, False]
    assert site.run(get, "link.txt", "secret</p>") == [404, False]
    assert site.run("return (await fetch('main.js', { method: 'POST', body: 'x' })).status") == 405
    assert site.run("const r = await fetch('data.json', { method: 'HEAD' }); return await r.text()") == ""


def test_a_page_can_t_reach_the_surface(site: Site, surface: Surface) -> None:
    surface.javascript("localStorage.setItem('of the surface', '1')")
    site.open("/project/site/index.html")
    assert "SecurityError" in site.run("return parent.document.title")
    assert "SecurityError" in site.run("return parent.gemini")
    assert site.run("return localStorage.getItem('of the surface')") is None
    assert site.run("return (await indexedDB.databases()).length") == 0
    assert "SecurityError" in site.run("top.location = 'about:blank'")
    assert site.run("return open('about:blank')") is None


def test_a_page_can_t_reach_elsewhere(site: Site, surface: Surface) -> None:
    site.open("/project/site/index.html")
    assert "TypeError" in site.run("return await fetch(arguments[0])", surface.url)
    load = (
        "return await new Promise((done) => { const one = document.createElement('img');"
        "one.onload = () => done('loaded'); one.onerror = () => done('refused'); one.src = arguments[0]; })"
    )
    assert site.run(load, f"{surface.url}docs.png") == "refused"
    here = site.run("return location.href")
    site.run("location.href = arguments[0]", surface.url)
    assert site.run("return location.href") == here
    texts = [each["text"] for each in surface.call("browser_console")["messages"]]
    assert any("connect-src" in text for text in texts)
    assert any("Blocked navigation" in text for text in texts)


@pytest.mark.extended
def test_a_terminated_service_worker_restarts(site: Site, surface: Surface) -> None:
    site.open("/project/site/index.html")
    surface.driver.execute_cdp_cmd("ServiceWorker.enable", {})
    surface.driver.execute_cdp_cmd("ServiceWorker.stopAllWorkers", {})
    assert site.run("return (await (await fetch('data.json')).json()).name") == "Zoë"
    site.open("/project/site/sub/index.html")
    assert site.run("return document.title") == "Sub"


@pytest.mark.extended
def test_without_the_surface_a_site_shows_nothing_and_keeps_its_storage(site: Site, surface: Surface) -> None:
    url = site.open("/project/site/index.html")["url"]
    site.run("localStorage.setItem('mine', 'saved')")
    try:
        surface.driver.get(url)
        assert "Grüße" not in surface.driver.execute_script("return document.documentElement.innerText")
    finally:
        surface.load()
    write_site(surface)
    assert site.open("/project/site/index.html")["url"] == url
    assert site.run("return localStorage.getItem('mine')") == "saved"


@pytest.mark.extended
def test_on_a_static_host_sites_share_the_surface_s_origin(open_surface: OpenSurface) -> None:
    surface = open_surface(sites=False, isolated=False)
    write_site(surface)
    site = Site(surface)
    opening = Background(surface, "browser_navigate", {"url": "/project/site/index.html"})
    # The dialog explains the risk before the first site opens.
    Person(surface).click('button "Allow once"')
    opened = opening.result()
    assert opened["url"] == f"{surface.url}site/project/site/index.html"
    site.tab = opened["tab"]
    assert site.says("said.textContent") == "Hello Zoë"
    assert site.run("return crossOriginIsolated")
    assert "Site" in surface.call("browser_get_text")["text"]
    # The page is inside the surface's, of the same origin: places in it are its own.
    site.run("document.body.insertAdjacentHTML('beforeend', '<button>Buy</button>')")
    site.run("document.querySelector('button').onclick = () => { said.textContent = 'Bought' }")
    surface.call("browser_click", selector="button")
    assert site.says("said.textContent") == "Bought"
    assert "covered by" not in surface.call("browser_snapshot")


def test_sites_use_the_next_free_port(surface_dist: Path) -> None:
    with Server(surface_dist) as surface, server_of_sites(surface) as sites:
        assert sites.server_port == surface.server_port + 1
        # The server holds this port now.
        with server_of_sites(surface) as others:
            assert others.server_port not in (surface.server_port, sites.server_port)
            assert surface.sites == f"http://*.localhost:{others.server_port}/"
    assert json.loads((surface_dist / "serving.json").read_text()) == {
        "sites": None,
        "kernel": None,
        "network": False,
    }
