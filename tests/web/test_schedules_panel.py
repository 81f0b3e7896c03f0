"""The Schedules and Inbox panels: the user schedules a run, and answers what waits, also after a reload."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.devtools import devtools
from tests.web.names import NOTIFYING
from tests.web.person import Person, erase
from tests.web.test_agent_panel import IMPORTS

pytestmark = pytest.mark.fortnightly

MODEL = """
def answer(request):
    answers = sum(message.role == "assistant" for message in request.messages)
    return TURNS[min(answers, len(TURNS) - 1)]

gemini.agents.current().model = ScriptedModel([answer] * 40)

sent = []

@gemini.tool(effect="outside")
def send_mail(to: str) -> str:
    "Send a mail."
    sent.append(to)
    return f"sent to {to}"
"""
SEND = "call('send_mail', to='ann@example.org')"
ROW = 'list "Schedules" > li'
INBOX = 'region "Inbox" [data-kind={}] li'


def use_model(surface: Surface, turns: str) -> None:
    surface.python(f"{IMPORTS}\nTURNS = [{turns}]\n{MODEL}")


def add(person: Person, when: str, task: str) -> None:
    person.click('region "Schedules" textbox "When"')
    person.type(when)
    person.press(Keys.TAB)
    person.type(task)
    person.click('region "Schedules" [data-action=add_schedule]')


@pytest.mark.extended
def test_the_user_schedules_a_run(surface: Surface, person: Person) -> None:
    use_model(surface, "say('Nothing happened.')")
    person.open_panel("schedules")
    person.sees('region "Schedules" .empty', "Nothing is scheduled")
    add(person, "whenever", "Sum up the log")
    assert "every weekday at 9:30" in person.sees('region "Schedules" [role=alert]', "isn't understood")
    erase(person.find('region "Schedules" textbox "When"'))
    person.click('region "Schedules" textbox "When"')
    person.type("every day at 9")
    person.press(Keys.ENTER)
    assert "Sum up the log" in person.sees(ROW, "Next: ")

    person.click(f"{ROW} [data-action=run_schedule]")
    person.sees(f"{ROW} .schedule-last", "Nothing happened.")
    person.click(f"{ROW} [data-action=change_schedule]")
    person.sees(f"{ROW} .schedule-due", "Paused.")
    assert violations(surface, 'region "Schedules"') == []

    person.click(f"{ROW} [data-does='Opens the form']")
    erase(person.find(f"{ROW} input[name=when]"))
    person.click(f"{ROW} input[name=when]")
    person.type("at noon")
    person.press(Keys.ENTER)
    person.sees(ROW, "at noon")
    person.click(f"{ROW} [data-action=delete_schedule]")
    person.sees('region "Schedules" .empty', "Nothing is scheduled")


def test_what_waits_is_answered_in_the_inbox_also_after_a_reload(surface: Surface, person: Person) -> None:
    use_model(surface, SEND)
    person.open_panel("inbox")
    person.sees('region "Inbox" .empty', "Nothing waits for you")
    surface.python("await gemini.schedule('every day at 9', 'Send the figures')")
    surface.python("gemini.schedule.run_now(gemini.schedule.all()[0]['id'])")
    person.click('button "Later: the run waits, and the question is in the Inbox"')
    person.sees(INBOX.format("permissions"), "send_mail")

    surface.reload()
    # The call was cut off: the model is informed, and calls again.
    use_model(surface, f"{SEND}, {SEND}, call('ask', question='Again?'), say('Sent.')")
    assert "page was closed" in person.sees(INBOX.format("permissions"), "send_mail")
    assert violations(surface, 'region "Inbox"') == []
    person.click(f"{INBOX.format('permissions')} [data-action=go_on]")
    person.click('button "Allow once"')
    person.click(f"{INBOX.format('questions')} input[name=text]")
    person.type("No")
    person.press(Keys.ENTER)
    person.sees('region "Inbox" .empty', "Nothing waits for you")
    assert surface.python("sent") == ["ann@example.org"]
    person.open_panel("schedules")
    person.sees(f"{ROW} .schedule-last", "Sent.")


# Records the browser's actual notifications.
WATCH = """
globalThis.shownNotifications = [];
globalThis.Notification = class extends Notification {
  constructor(title, options) {
    super(title, options);
    this.addEventListener("show", () => shownNotifications.push(this));
  }
};
"""
ANSWER = """
[team] = gemini.agents.teams().unfinished()
gemini.agents.teams().get(team).answer(team, "That of the night")
"""
SHOWN = "shownNotifications.map(({ title, body }) => `${title}: ${body}`).toSorted()"


def permit_notifications(surface: Surface, script: str) -> None:
    """Run a script that changes their constructor, and have the browser permit them."""
    origin = surface.javascript(f"{script}; return location.origin")
    permitted = {"origin": origin, "permissions": ["notifications"]}
    surface.driver.execute_cdp_cmd("Browser.grantPermissions", permitted)


@pytest.mark.extended
def test_the_system_notifies_the_user_who_looks_elsewhere(surface: Surface, person: Person) -> None:
    permit_notifications(surface, WATCH)
    use_model(surface, "call('ask', question='Which log?'), say('Done.')")
    person.open_panel("inbox")
    person.click(NOTIFYING)
    person.sees('region "Inbox" [role=status]', "Notifications are on.")
    surface.python("row = await gemini.schedule('every day at 9', 'Sum up the log')")
    surface.driver.minimize_window()
    try:
        surface.wait_for("document.visibilityState === 'hidden'")
        surface.python("gemini.schedule.run_now(row['id'])")
        surface.wait_for(f"{SHOWN}.length === 1")
        surface.python(ANSWER)
        surface.wait_for(f"{SHOWN}.length === 2")
    finally:
        surface.driver.set_window_rect(0, 0, 1400, 900)
    surface.wait_for("document.visibilityState === 'visible'")
    assert surface.javascript(f"return {SHOWN}") == [
        "A question waits for you: agent asks a question",
        "A scheduled run is done: Sum up the log",
    ]
    # A press on the second one, which headless Chromium can't show.
    surface.javascript("shownNotifications[1].dispatchEvent(new Event('click'))")
    person.sees('region "Schedules" .schedule-list > li', "Sum up the log")


# Chrome on Android refuses the constructor.
ANDROID = """
globalThis.Notification = class extends Notification {
  constructor() {
    throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
  }
};
"""
OF_WORKER = """
const registration = await navigator.serviceWorker.getRegistration();
return (await registration?.getNotifications() ?? []).map(({ title, body }) => `${title}: ${body}`);
"""
PRESS = """
registration.getNotifications().then(([notification]) => {
  dispatchEvent(new NotificationEvent("notificationclick", { notification }));
})
"""


@pytest.mark.extended
def test_on_android_the_service_worker_notifies_the_user(surface: Surface, person: Person) -> None:
    permit_notifications(surface, ANDROID)
    use_model(surface, "say('Done.')")
    person.open_panel("inbox")
    # A test before may have switched it on.
    if not person.find(NOTIFYING).is_selected():
        person.click(NOTIFYING)
    surface.python("row = await gemini.schedule('every day at 9', 'Sum up the log')")
    surface.driver.minimize_window()
    try:
        surface.wait_for("document.visibilityState === 'hidden'")
        surface.python("gemini.schedule.run_now(row['id'])")
        surface.wait_for(
            f"(async () => {{ {OF_WORKER} }})().then((texts) => (globalThis.shown = texts)), globalThis.shown?.length"
        )
        assert surface.javascript(OF_WORKER) == ["A scheduled run is done: Sum up the log"]
        with devtools(surface.driver, "service_worker") as worker:
            worker.call("Runtime.evaluate", expression=PRESS, awaitPromise=True)
    finally:
        surface.driver.set_window_rect(0, 0, 1400, 900)
    person.sees('region "Schedules" .schedule-list > li', "Sum up the log")
    assert surface.javascript(OF_WORKER) == []
