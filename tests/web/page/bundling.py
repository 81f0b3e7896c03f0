"""Bundle scripts with npm packages for test pages, with esbuild."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
MODULES = HERE.parents[2] / "web/node_modules"


def bundle(module: str) -> str:
    """Bundle a module's source and its imports into a classic script."""
    options = ["--bundle", "--minify", '--define:process.env.NODE_ENV="production"', "--log-level=warning"]
    # Svelte has separate entries for servers and browsers.
    options += ["--conditions=browser", "--define:process.env={}"]
    return run_node(module, str(MODULES / "esbuild/bin/esbuild"), *options)


def run_node(stdin: str, *command: str) -> str:
    """Run a Node program, or `stdin` as a script, and return its output."""
    node = shutil.which("node")
    assert node is not None
    done = subprocess.run(
        [node, *(command or ("-",))],
        env={"NODE_PATH": str(MODULES)},
        input=stdin,
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
