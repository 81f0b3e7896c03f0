"""Automations: a run is saved as one in the Agent panel, and the user runs it again in the Automations panel."""

from __future__ import annotations

import pytest

from gemini_testing import Surface
from tests.web.agent import close_tabs
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.test_agent_panel import script, start_task

pytestmark = pytest.mark.fortnightly

PAGE = """<!doctype html><title>Tea</title>{adverts}<label>Tea <input id=tea></label>
<button onclick="cart.append(`1 ${{tea.value}};`)">Add</button>
<button onclick="cart.append(`10 ${{tea.value}};`)">Add</button>
<p id=cart></p>"""
# The model looks the refs up in its snapshots.
ORDERS = """
import re

def ref(request, name, nth=0):
    seen = "\\n".join(str(message.text) for message in request.messages)
    return re.findall(r"\\[(e\\d+)\\] \\w+ \\[[^\\]]*\\] \\"" + name, seen)[nth]

gemini.agents.current().model = ScriptedModel([
    call("browser_navigate", url="{folder}/tea.html"),
    lambda request: call("browser_type", ref=ref(request, "Tea"), text="Sencha"),
    lambda request: call("browser_click", ref=ref(request, "Add", -1)),
    call("browser_get_text"),
    call("done", result="Ordered"),
])
"""
FORM = 'region "Automations" [data-automation=order-tea]'


def test_a_run_is_saved_and_run_again_by_the_user(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/tea.html", content=PAGE.format(adverts=""))
    script(surface, ORDERS, folder=folder)
    start_task(person, "Order ten packs of tea")
    surface.wait_for("document.querySelector('.agent-run')?.dataset.status === 'done'")
    person.click('region "Agent" .agent-save [name=text]')
    person.type("order-tea")
    person.click(".agent-save [data-action=save_automation]")
    person.sees('region "Editor"', "order-tea.py")

    # Other elements come first now, so the refs are others.
    adverts = "<button>Advert</button>" * 3
    surface.call("file_write", path=f"{folder}/tea.html", content=PAGE.format(adverts=adverts))
    person.open_panel("automations")
    assert "Order ten packs of tea" in person.sees(FORM)
    person.click(f"{FORM} button.primary")
    person.click(f"{FORM} [name=tea]")
    person.type("Mint")
    assert violations(surface, 'region "Automations"') == []
    person.click(f"{FORM} [data-action=run_automation]")
    assert "10 Mint;" in person.sees(f"{FORM} .automation-result pre")
    person.sees(f"{FORM} .automation-result", "Done in 4 steps")
    close_tabs(surface)
    surface.python("import shutil; shutil.rmtree('/project/.agents/automations')")
