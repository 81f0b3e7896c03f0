from __future__ import annotations

import time

from tests.web.test_agent_panel import open_panel, script, start_task, wait_until

RUN = """
gemini.agents.current().model = ScriptedModel([
    call("file_write", path="{folder}/main.py", content="import sys\\n\\nprint('hi')\\nsys.exit(1)\\n"),
    call("terminal_execute", command="cd {folder} && python main.py"),
    call("file_edit", path="{folder}/main.py", old="sys.exit(1)", new="sys.exit(0)"),
    call("file_edit", path="{folder}/main.py", old="nope", new="x"),
    call("terminal_execute", command="python main.py\\nls -l"),
    say("**Done.** It prints `hi`.\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |"),
])
"""


def shot(surface, name):
    surface.driver.save_screenshot(f"/tmp/watching/{name}.png")


def test_look(surface, person, folder):
    surface.driver.set_window_size(1280, 720 + 140)
    script(surface, RUN, folder=folder)
    start_task(person, "Write and run a script")
    wait_until(surface, "done", 6)
    shot(surface, "run-closed")
    for n in (1, 3, 4, 5):
        person.click(f".agent-step[data-step='{n}'] summary")
    surface.driver.execute_script("document.querySelector('#agent-body').scrollTop=0")
    shot(surface, "run-open")
    surface.driver.execute_script("document.querySelector(\"[data-step='4']\").scrollIntoView()")
    shot(surface, "run-open2")
    print(surface.call("terminal_list"))


def test_demo_look(surface, person):
    surface.driver.set_window_size(1280, 720 + 140)
    surface.python("import gemini; gemini.agents.current().model = None")
    open_panel(person)
    person.click('region "Agent" button "See a demo"')
    begin = time.time()
    n = 0
    while time.time() - begin < 60:
        n += 1
        shot(surface, f"demo-{n:02}")
        st = surface.javascript("return document.querySelector('.agent-run')?.dataset.status")
        if st == "done":
            break
        time.sleep(0.7)
    shot(surface, "demo-end")
    print(n, time.time() - begin)


def test_phone_look(surface, person, resize):
    resize(390, 844)
    surface.python("import gemini; gemini.agents.current().model = None")
    from selenium.webdriver.common.keys import Keys

    person.press("k", holding=Keys.CONTROL)
    person.type("!")
    person.sees("#omnibar-list [aria-selected=true]", "See a demo")
    person.press(Keys.ENTER)
    begin = time.time()
    n = 0
    while time.time() - begin < 60:
        n += 1
        shot(surface, f"phone-{n:02}")
        if surface.javascript("return document.querySelector('.agent-run')?.dataset.status") == "done":
            break
        time.sleep(0.7)
    time.sleep(1)
    shot(surface, "phone-end")
    resize(1280, 720)
    time.sleep(0.5)
    shot(surface, "wide-end")
