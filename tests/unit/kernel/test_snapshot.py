"""The state of Python before a memory snapshot."""

import os
import subprocess
import sys

SCRIPT = """
import sys
from gemini.kernel import snapshot

snapshot.prepare()

kernel = sys.modules["gemini.kernel.kernel"]
assert kernel.kernel is None, "a kernel is running"
assert "pydantic_core" in sys.modules
assert "pydantic.json_schema" in sys.modules
"""


def test_everything_is_imported_and_nothing_runs() -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", SCRIPT], env=env, check=True)
