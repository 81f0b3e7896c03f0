"""The journey of a team: five agents research, write, draw, check and publish, and the user is asked once."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person

pytestmark = pytest.mark.extended

TASK = "Research three libraries, write a comparison with a chart, check it, publish it as a page"
LIBRARIES = {"alder": 120, "birch": 80, "cedar": 40}
# Each script looks only at the messages, so that a resumed run continues where it was.
MODELS = '''
import json
import gemini
from gemini.agents import ScriptedModel, call, say
from gemini.models.interface.messages import ToolMessage
FOLDER = {folder!r}
NAMES = {names!r}
CHART = """
import json, pathlib
folder = pathlib.Path({folder!r})
sizes = dict(line.split() for line in (folder / "facts.txt").read_text().splitlines())
bars = "".join(f'<rect y="{{20 * n}}" height="15" width="{{size}}"><title>{{name}}</title></rect>'
    for n, (name, size) in enumerate(sizes.items()))
(folder / "chart.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="150" height="60">{{bars}}</svg>')
"""

def made(request, tool=None):
    return [each for each in request.messages if isinstance(each, ToolMessage) and tool in (None, each.tool)]

def add(agent, brief, after=()):
    return call("task_add", agent=agent, brief=brief, expects="a sentence on what is done", after=list(after))

def task_of(message):
    return message.text.partition('"task":"')[2].partition('"')[0]

def orchestrator(request):
    tasks = [task_of(message) for message in made(request, "task_add")]
    if len(tasks) < 3:
        return add("researcher", f"Look up how large the library {{NAMES[len(tasks)]}} is, and note it in facts.txt.")
    if len(tasks) == 3:
        return add("analyst", "Draw the sizes in facts.txt as bars, into the file chart.svg beside it.", tasks)
    if len(tasks) == 4:
        return add("writer", "Write page.html, which compares the libraries and shows chart.svg.", tasks[3:])
    if len(tasks) == 5:
        return add("coder", "Check that page.html names each library and shows the chart.", tasks[4:])
    if not made(request, "browser_navigate"):
        waited = made(request)[-1]
        # Only the user knows the title.
        if waited.tool == "ask":
            return call("task_answer", task=tasks[4], text=json.loads(waited.text)["answer"])
        if waited.tool == "task_wait" and "Which title" in waited.text:
            return call("ask", question="The writer asks: which title shall the page have?")
        if waited.tool == "task_wait" and '"unfinished":[]' in waited.text:
            return call("browser_navigate", url=f"{{FOLDER}}/page.html")
        return call("task_wait")
    return say("The comparison is published as page.html")

def researcher(request):
    name = next(name for name in NAMES if any(f"library {{name}}" in each.text for each in request.messages))
    steps = [call("file_read", path=f"{{FOLDER}}/{{name}}.md"),
        call("terminal_execute", command=f"tail -n 1 {{FOLDER}}/{{name}}.md >> {{FOLDER}}/facts.txt")]
    return [*steps, say(f"The size of {{name}} is noted")][len(made(request))]

def analyst(request):
    return [call("python_run", code=CHART), say("The chart is drawn")][len(made(request))]

def writer(request):
    title = json.loads(made(request, "ask")[0].text)["answer"] if made(request, "ask") else ""
    page = f"<title>Libraries</title><h1>{{title}}</h1><p>{{', '.join(NAMES)}}</p><img src=chart.svg alt=Sizes>"
    steps = [call("ask", question="Which title shall the page have?"),
        call("file_write", path=f"{{FOLDER}}/page.html", content=page)]
    return [*steps, say("The page is written")][len(made(request))]

def coder(request):
    if not any("earlier attempt" in each.text for each in request.messages):
        return call("fail", reason="The page could not be opened")
    steps = [call("terminal_execute", command=f"grep -c cedar {{FOLDER}}/page.html"), say("All is there")]
    return steps[len(made(request))]

scripts = {{each.__name__: each for each in (orchestrator, researcher, analyst, writer, coder)}}
gemini.agents.current().selection.find = lambda wanted, agent: ScriptedModel([scripts[agent]] * 60)
'''
ATTEMPTS = "{task.agent: task.failures for task in gemini.agents.teams().get(team_id).tasks}"


def test_five_agents_compare_libraries(surface: Surface, person: Person, folder: str) -> None:
    for name, size in LIBRARIES.items():
        surface.call("file_write", path=f"{folder}/{name}.md", content=f"# {name}\n{name} {size}\n")
    models = MODELS.format(folder=folder, names=list(LIBRARIES))
    surface.python(f"{models}\nNone")
    person.open_panel("team")
    person.click('region "Team" textbox "Task"')
    person.type(TASK)
    person.click('region "Team" button "Start team"')
    person.sees('region "Team" .team-task:first-child .team-question', "which title")
    # The page is closed while the question waits.
    surface.reload()
    surface.python(f"{models}\n[team_id] = gemini.agents.teams().unfinished()\nNone")
    person.open_panel("team")
    person.click('region "Team" button "Continue"')
    person.click('region "Team" .team-task:first-child .team-question input')
    person.type("Three libraries of trees")
    person.press(Keys.ENTER)
    person.sees('region "Team" .team[data-status=done]')
    person.sees('region "Team" .team-task', "The comparison is published as page.html")
    assert violations(surface, 'region "Team"') == []
    failures = surface.python(ATTEMPTS)
    assert failures == {"orchestrator": 0, "researcher": 0, "analyst": 0, "writer": 0, "coder": 1}
    [*_, tab] = surface.call("browser_tabs")
    published = surface.call("browser_get_text", tab=tab["id"])["text"]
    assert published.startswith("# Three libraries of trees\n\nalder, birch, cedar\n\n![Sizes](")
    facts = surface.call("file_read", path=f"{folder}/facts.txt")["content"]
    assert sorted(facts.splitlines()) == [f"{name} {size}" for name, size in LIBRARIES.items()]
    assert surface.call("file_read", path=f"{folder}/chart.svg")["content"].count("<rect") == len(LIBRARIES)
