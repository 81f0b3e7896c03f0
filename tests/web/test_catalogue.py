"""Tools, resources and names that agents and scripts rely on are used once in the page, in order."""

from __future__ import annotations

import pytest

from gemini_testing import Surface

pytestmark = pytest.mark.fortnightly

PAGE = """<!doctype html><title>Shop</title><main><h1>Shop</h1>
<button id=add onclick="document.title='Added'">Add</button>
<label>Name <input id=name></label>
<label>Size <select id=size><option>Small<option>Large</select></label>
<button onmouseenter="this.textContent='Hovered'">Hover</button>
<button id=handle style="position:relative;touch-action:none">Handle</button>
<div style="height:3000px">Long</div></main>
<script>
  const handle = document.querySelector("#handle");
  let from = null;
  handle.onpointerdown = (event) => { from = event.clientX; };
  document.onpointermove = (event) => { if (from !== null) handle.style.left = `${event.clientX - from}px`; };
  document.onpointerup = () => { from = null; };
</script>"""
SETUP = f"""
import asyncio, json
from pathlib import Path
import gemini
from gemini.agents import ScriptedModel, call, say
from gemini.tools import registry

root = Path("/project/catalogue")
root.mkdir(exist_ok=True)
root.joinpath("shop.html").write_text({PAGE!r})
root.joinpath("note.txt").write_text("one\\ntwo\\n")

async def use(tool, **arguments):
    answer = json.loads(await registry.call_json(tool, arguments, caller="agent:catalogue"))
    if isinstance(answer, dict) and answer.get("isError"):
        raise RuntimeError(f"{{tool}}: {{answer['error']}}")
    return answer

async def ref(name):
    [line] = [line for line in (await use("browser_snapshot")).splitlines() if f'"{{name}}"' in line]
    return line.partition("[")[2].partition("]")[0]

async def value_of(code):
    return (await use("browser_execute_js", code=f"return {{code}}"))["result"]

async def until(is_so):
    while not await is_so():
        await asyncio.sleep(0.01)

async def sleeping(terminal):
    started = asyncio.create_task(use("terminal_execute", command="sleep 30", terminal_id=terminal, timeout_s=60))
    async def is_busy():
        return started.done() or any(row["busy"] for row in await use("terminal_list") if row["id"] == terminal)
    await until(is_busy)
    return started

async def shows(terminal, text):
    async def is_shown():
        return text in (await use("terminal_read", terminal_id=terminal))["text"]
    await asyncio.wait_for(until(is_shown), 10)
    return True
"""
# Rows are named as in the catalogue.
ROWS: dict[str, str] = {
    "terminal_create": "t = (await use('terminal_create', x=10, y=20))['terminal_id']; t",
    "terminal_execute": "(await use('terminal_execute', command='echo hi && echo no >&2', terminal_id=t, streams=True))"
    "['stdout'] == 'hi\\n'",
    "terminal_list": "{'id', 'working_dir', 'focused', 'x', 'y', 'width', 'height', 'backend', 'busy'} "
    "<= set((await use('terminal_list'))[0])",
    "terminal_focus": "(await use('terminal_focus', terminal_id=t))['success']",
    "terminal_read": "'hi' in (await use('terminal_read', terminal_id=t))['text']",
    "terminal_input": "asked = await use('terminal_execute', command='read -p Name: name && echo Hi $name', "
    "terminal_id=t); asked['waiting_for_input'] == 'Name:' and "
    "(await use('terminal_input', terminal_id=t, text='Ann\\n'))['success'] and await shows(t, 'Hi Ann')",
    "terminal_interrupt": "w = await sleeping(t); (await use('terminal_interrupt', terminal_id=t))['success'] "
    "and (await w)['exit_code'] == 130",
    "run_in_new_terminal": "(await use('run_in_new_terminal', command='echo new'))['output'] == 'new\\n'",
    "python_run": "(await use('python_run', code='print(1) or 6 * 7'))['result'] == 42",
    "terminal_close": "(await use('terminal_close', terminal_id=t))['success']",
    "file_list": "{'name', 'type', 'size', 'color'} <= set((await use('file_list', path=str(root)))[0])",
    "file_navigate": "(await use('file_navigate', path=str(root)))['files_count'] == 2",
    "file_find": "[row['name'] for row in await use('file_find', pattern='*.txt', path=str(root))] == ['note.txt']",
    "file_read": "(await use('file_read', path=str(root / 'note.txt'), max_bytes=3))['truncated']",
    "file_write": "(await use('file_write', path=str(root / 'new.txt'), content='a'))['size'] == 1",
    "file_write, append": "(await use('file_write', path=str(root / 'new.txt'), content='b', append=True))"
    "['size'] == 2",
    "file_edit": "(await use('file_edit', path=str(root / 'note.txt'), old='two', new='three'))['replacements'] == 1",
    "find_and_edit": "e = await use('find_and_edit', pattern='catalogue/note.txt'); "
    "len(e['files_found']) == 1 and 'three' in (await use('terminal_read', terminal_id=e['terminal_id']))['text']",
    "browser_navigate": "tab = (await use('browser_navigate', url=str(root / 'shop.html')))['tab']; tab",
    "browser_snapshot": "'button' in (s := await use('browser_snapshot')) and 'Hover' in s and await ref('Hover')",
    "browser_type": "(await use('browser_type', ref=await ref('Name'), text='Ann'))['value'] == 'Ann' == "
    "await value_of('document.querySelector(\"#name\").value')",
    "browser_select": "(await use('browser_select', ref=await ref('Size'), option='Large'))['value'] == 'Large' == "
    "await value_of('document.querySelector(\"#size\").value')",
    "browser_hover": "(await use('browser_hover', ref=await ref('Hover')))['success'] and await ref('Hovered')",
    "browser_drag": "(await use('browser_drag', ref=await ref('Handle'), dx=60, dy=0))['success'] and "
    "await value_of('document.querySelector(\"#handle\").style.left') == '60px'",
    "browser_press_key": "(await use('browser_press_key', key='Tab'))['success']",
    "browser_scroll": "(await use('browser_scroll', direction='down'))['scroll_y'] > 0",
    "browser_click": "(await use('browser_click', selector='#add'))['success']",
    "browser_wait_for": "(await use('browser_wait_for', text='Shop', seconds=5))['waited_s'] >= 0",
    "browser_get_text": "'# Shop' in (await use('browser_get_text'))['text']",
    "browser_screenshot": "(await use('browser_screenshot', format='jpeg', data=True))['data']",
    "browser_execute_js": "(await use('browser_execute_js', code='return document.title'))['result'] == 'Added'",
    "dom://current-page": "json.loads(await gemini.resources.read('dom://current-page'))",
    "tabs://list": "tab in str(await gemini.resources.read('tabs://list'))",
    "browser_tabs": "{'id', 'url', 'title', 'active'} <= set((await use('browser_tabs'))[0])",
    "browser_run_agent": "gemini.agents.current().model = ScriptedModel([say('Read.')] * 9); "
    "(await use('browser_run_agent', task='Read it'))['status'] == 'done'",
    "agent_run": "ran = await use('agent_run', task='Say it'); ran['status'] == 'done' and ran['result'] == 'Read.'",
    "agent_status": "(await use('agent_status', run_id=ran['run_id']))",
    "agent_cancel": "'success' in await use('agent_cancel', run_id=ran['run_id'])",
    "agent_create": "gemini.agents.create('clerk', 'Counts.', tools=['files']); "
    "Path('/home/user/.agents/clerk.md').exists()",
    "schedule_create": "(await use('schedule_create', when='every day at 9', brief='Water the plants'))",
    "schedule_list": "len(await use('schedule_list'))",
    "schedule_delete": "[await use('schedule_delete', schedule=row['id']) for row in await use('schedule_list')]",
    "memory_write": "(await use('memory_write', text='Ann likes tea.'))['id']",
    "memory_read": "gemini.agents.remember('Ann likes tea.', 'catalogue'); "
    "'Ann likes tea.' in str(await use('memory_read', query='tea'))",
    "terminal_manager, terminals, active_terminal": "gemini.create_terminal(x=1, y=2).term_id in gemini.terminals and "
    "gemini.terminal_manager and gemini.active_terminal",
    "run_command": "(await gemini.run_command('echo hi')).success",
    "create_terminal, MapTerminal": "m = gemini.create_terminal(x=5, y=6); await m.execute('echo 1'); "
    "(m.x, m.y, m.command_history) == (5, 6, ['echo 1']) and m.get_state() and m.lines and m.width and m.height "
    "and m.working_dir and m.focused in (True, False)",
    "MapTerminal.input": "await m.input('echo ty\\'\\'ped\\n'); await shows(m.term_id, 'typed')",
    "MapTerminal.clear": "m.clear(); True",
    "CommandResult": "r = await m.execute('echo out && echo err >&2 && exit 3'); "
    "(r.stdout, r.stderr, r.exit_code, r.success) == ('out\\n', 'err\\n', 3, False)",
    "list_files, FileInfo": "f = gemini.list_files(str(root))[0]; "
    "all(hasattr(f, n) for n in 'name path file_type size permissions modified x y color'.split())",
    "find_file": "gemini.find_file('*.html', str(root))[0].path == str(root / 'shop.html')",
    "file_browser": "b = gemini.file_browser; b.path and b.list(str(root)) and b.find_files('*.html', str(root)) and "
    "'one' in await b.read_file(str(root / 'note.txt'))",
    "file_browser.navigate": "b.navigate(str(root)) is not False",
    "tool, browser, agents": "callable(gemini.tool) and gemini.browser and gemini.agents",
    "calendar": "(await use('personal_calendar_change', action='add', title='Tea', start='2026-11-30T16:00+01:00'))",
    "calendar, read": "'Tea' in str(await use('personal_calendar', start='2026-11-30', end='2026-12-01'))",
    "contacts": "(await use('personal_contacts_change', action='add', name='Ann Lee'))",
    "contacts, read": "'Ann Lee' in str(await use('personal_contacts', query='ann'))",
    "photo_search": "(await use('photo_search', query='nothing'))['total'] == 0",
}


@pytest.fixture(scope="module")
def page(surface_of_module: Surface) -> Surface:
    surface_of_module.python(SETUP)
    return surface_of_module


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_the_catalogue_works(page: Surface, row: str) -> None:
    *before, last = ROWS[row].split("; ")
    code = "\n".join([*before, f"bool({last})"])
    assert page.python(code) is True
