"""Modules of web/ as JavaScript, for scripts that tests run in Node.js."""

from __future__ import annotations

import atexit
import functools
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.npm import find_node

WEB = Path(__file__).parents[1] / "web"
OPTIONS = ("--bundle", "--splitting", "--format=esm", "--platform=node", "--target=es2022")


@functools.cache
def _folder() -> Path:
    """Return the folder of this process, which is deleted at its end."""
    folder = TemporaryDirectory(prefix="compiled-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


@functools.cache
def compiled(*modules: str) -> Path:
    """Compile modules and what they import, and return the folder that has them.

    Args:
        modules: Paths below web/, such as `ui/state/state.ts`, which becomes `ui/state/state.js`. Modules of one call
        share
            what they import.
    """
    folder = _folder() / str(abs(hash(modules)))
    command = [find_node().node, WEB / "node_modules/esbuild/bin/esbuild", *(WEB / name for name in modules)]
    options = [*OPTIONS, "--log-level=error", f"--outbase={WEB}", f"--outdir={folder}"]
    subprocess.run([*command, *options], check=True, cwd=WEB)
    return folder


def compiled_module(module: str) -> Path:
    """Compile a module, a path below web/, and return its file."""
    return compiled(module) / Path(module).with_suffix(".js")
