"""The published wheel lacks what only the page's Python imports: the companion and the plugin work without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

IMPORT_ALL = """
import importlib, json, pkgutil, sys

left_out = {name.replace("/", ".") for name in json.loads(sys.argv[1])}

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in left_out:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
for top in ("gemini_companion", "gemini_testing"):
    package = importlib.import_module(top)
    for module in pkgutil.walk_packages(package.__path__, f"{top}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
import gemini
assert not hasattr(gemini, "start")
try:
    gemini.create_terminal()
except gemini.NotStarted as refused:
    print(refused.hint)
"""


@pytest.mark.extended
@pytest.mark.skipif(sys.platform == "win32", reason="it has no terminals of the host")
def test_the_companion_and_the_plugin_import_without_them() -> None:
    hook = pytest.importorskip("builder.wheel_hook", reason="hatchling builds the wheel")
    ran = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, json.dumps(hook.ONLY_IN_THE_PAGE)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "pyodide-dist" in ran.stdout
