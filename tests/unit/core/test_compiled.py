"""Code that the build compiles for the imports of a start."""

import os
import subprocess
import sys
from pathlib import Path

MODULE = '''
import re
from dataclasses import dataclass

FOUND = re.compile(r"(?P<name>[a-zé]+)=(\\d+)", re.IGNORECASE)
BYTES = re.compile(rb"[\\x80-\\xff]")


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A point."""

    x: int
    y: int = 2
'''
SCRIPT = """
import sys
from pathlib import Path

from gemini.core import compiled

if sys.argv[1] == "record":
    with compiled.record() as recorded:
        import module
    Path("compiled.bin").write_bytes(recorded.as_bytes())
else:
    compiled.install(Path("compiled.bin"))
    events = []
    sys.addaudithook(lambda event, arguments: events.append(arguments[0]) if event == "compile" else None)
    import re._parser
    parse, re._parser.parse = re._parser.parse, None
    import module
    re._parser.parse = parse
    # Only the module itself was compiled, if Python hasn't stored its bytecode.
    assert all(b"class Point" in (text or b"") for text in events), events
    compiled.remove()

found = module.FOUND.fullmatch("Né=12")
assert found and found.groupdict() == {"name": "Né"} and found[2] == "12"
assert module.FOUND.groupindex == {"name": 1} and module.FOUND.flags & 2
assert module.BYTES.search(b"a\\xff").span() == (1, 2)
assert repr(module.Point(1)) == "Point(x=1, y=2)" and module.Point(1) < module.Point(1, 3)
assert hash(module.Point(1)) == hash(module.Point(1, 2))
"""


def test_what_was_recorded_is_not_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    for step in ("record", "use"):
        subprocess.run([sys.executable, "-c", SCRIPT, step], cwd=tmp_path, env=env, check=True)


def test_a_start_without_a_record_compiles_all(tmp_path: Path) -> None:
    from gemini.core import compiled

    compiled.install(tmp_path / "missing.bin")
    assert "exec" not in vars(__import__("dataclasses"))
