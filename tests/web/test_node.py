"""The command `node`: programs of JavaScript in a worker of their own."""

from __future__ import annotations

import json

import pytest

from gemini_testing import Surface
from tests.web.node.record import FOLDER, PROGRAMS, RECORDED, normalized
from tests.web.person import Person

pytestmark = pytest.mark.extended

EXPECTED = json.loads(RECORDED.read_text())
PROJECT = "/project/programs"


@pytest.fixture(scope="module")
def programs(surface_of_module: Surface) -> str:
    """Write the programs and return their folder."""
    for file in FOLDER.rglob("*"):
        if file.suffix in {".js", ".mjs", ".cjs"} or file.name == "data.json":
            path = f"{PROJECT}/{file.relative_to(FOLDER)}"
            surface_of_module.call("file_write", path=path, content=file.read_text())
    return PROJECT


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_prints_in_node(surface: Surface, programs: str, name: str) -> None:
    command = f"cd {programs} && node {name} > /tmp/out 2> /tmp/err"
    ran = surface.call("terminal_execute", command=command, timeout_s=30, streams=True)
    out, err = (
        normalized(surface.python(f"open('/tmp/{each}').read()"), programs) for each in ("out", "err")
    )
    expected = EXPECTED[name]
    assert (out, err, ran["exit_code"]) == (expected["stdout"], expected["stderr"], expected["exit_code"])


LINES = {
    "node -p '[1, {a: 2}]'": "[ 1, { a: 2 } ]\n",
    "node -p 6*7": "42\n",
    "node -e 'console.log(process.argv.slice(1), os.EOL.length)' -- -x y": "[ '-x', 'y' ] 1\n",
    "echo 'console.log(process.argv.slice(2))' | node - a b": "[ 'a', 'b' ]\n",
    "node -e 'process.exit(3)'; echo $?": "3\n",
    "printf 'a\\nb' | node -e 'process.stdin.on(\"data\", (d) => console.log([String(d)]))'": "[ 'a\\nb' ]\n",
    "node --input-type=module -e 'import os from \"os\"; console.log(await 1)'": "1\n",
    "node -e 'for (let i = 0; ; i++) console.log(i)' | head -2": "0\n1\n",
    "timeout 0.3 node -e 'for (;;) {}'; echo $?": "124\n",
    "node -e 'for (;;) {}' & kill $!; wait $!; echo $?": "143\n",
    "node --no-such-option; echo $?": "9\n",
    "echo 'let x = ;' > wrong.js; node --check wrong.js; echo $?": "1\n",
    "node none.js; echo $?": "1\n",
    "echo 'require(\"node:test\")(\"one\", () => {})' > a.test.js; node --test | grep -c '^ok 1 - one'": "1\n",
    'python -c \'import subprocess; print(subprocess.check_output(["node", "-p", "1+1"]))\'': "b'2\\n'\n",
}


@pytest.mark.parametrize("line", LINES)
def test_the_command_line(surface: Surface, folder: str, line: str) -> None:
    ran = surface.call("terminal_execute", command=f"mkdir -p {folder} && cd {folder}\n{line}", streams=True)
    assert ran["stdout"] == LINES[line], ran["stderr"]


def test_an_endless_program_ends_with_the_time_limit(surface: Surface) -> None:
    ran = surface.call("terminal_execute", command="node -e 'for (;;) {}'", timeout_s=0.5)
    assert ran["timed_out"]
    assert surface.call("terminal_execute", command="echo next")["output"] == "next\n"


def test_a_person_types_into_a_program_and_interrupts_it(
    surface: Surface, terminal: str, shell: Person
) -> None:
    def press(text: str) -> None:
        surface.call("terminal_input", terminal_id=terminal, text=text)

    code = 'process.stdin.once("data", (d) => { console.log(process.stdout.isTTY, `got ${d}`); for (;;); })'
    press(f"node -e '{code}'\n")
    press("a line\n")
    shell.reads("true got a line")
    press("\x03")
    press("echo code $?\n")
    shell.reads_line("code 130")


GLOBALS = (
    "fetch XMLHttpRequest WebSocket WebTransport EventSource importScripts Worker SharedWorker BroadcastChannel "
    "navigator location self indexedDB caches postMessage close onmessage"
)
ROADS = """
const names = `%s`.split(" ");
const found = names.filter((name) => name in globalThis || Reflect.has(Object.getPrototypeOf(globalThis), name));
console.log(found);
const prototypes = [];
for (let at = globalThis; at; at = Object.getPrototypeOf(at)) prototypes.push(...Object.getOwnPropertyNames(at));
console.log(names.filter((name) => prototypes.includes(name)));
console.log(await import("https://example.org/x.mjs").catch((error) => error.code));
const direct = new Function("url", "return import(url)");
console.log(await direct("https://example.org/x.mjs").then(() => "reached", (error) => error.name));
console.log(await direct("data:text/javascript,1").then(() => "reached", (error) => error.name));
console.log(await direct(URL.createObjectURL(new Blob(["1"]))).then(() => "reached", (error) => error.name));
"""


def test_a_program_has_no_road_to_the_network_or_to_the_page_s_storage(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/roads.mjs", content=ROADS % GLOBALS)
    ran = surface.call("terminal_execute", command=f"node {folder}/roads.mjs")
    expected = ["[]", "[]", "ERR_UNSUPPORTED_ESM_URL_SCHEME", "TypeError", "TypeError", "TypeError"]
    assert ran["output"].splitlines() == expected


def test_node_is_loaded_on_first_use(surface: Surface) -> None:
    surface.reload()
    loaded = (
        "import js\n"
        "[str(each.name) for each in js.performance.getEntriesByType('resource') if 'node_' in each.name]"
    )
    assert surface.python(loaded) == []
    surface.call("terminal_execute", command="node -v")
    assert any(name.endswith("/node_command.mjs") for name in surface.python(loaded))
