"""Scripts of test pages with npm packages in them, as esbuild makes them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
MODULES = HERE.parents[2] / "web/node_modules"


def bundled(module: str) -> str:
    """The module's text as one classic script, with all that it imports."""
    options = ["--bundle", "--minify", '--define:process.env.NODE_ENV="production"', "--log-level=warning"]
    # Svelte has one entry for servers and another one for browsers.
    options += ["--conditions=browser", "--define:process.env={}"]
    return run_node(module, str(MODULES / "esbuild/bin/esbuild"), *options)


def run_node(given: str, *command: str) -> str:
    """What a program of Node prints, or a script where there is no program."""
    node = shutil.which("node")
    assert node is not None
    done = subprocess.run(
        [node, *(command or ("-",))],
        env={"NODE_PATH": str(MODULES)},
        input=given,
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
