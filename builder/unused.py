"""Finds modules, exports and packages of web/ that nothing uses, with knip. `build.py check` runs it."""

from __future__ import annotations

import json
from pathlib import Path

from builder import npm
from builder.bundles import BUNDLES
from builder.meaning.model import WORKER
from builder.project import Project

# Modules that bundles replace others by (`--alias`), and that packages require by Node's names.
_ALIASES = ("node/shims/process/index.ts", "node/util/index.ts", "page/screenshot/unhidden.ts")
_BUILDER_READS = (
    *("@biomejs/biome", "@mcp-b/webmcp-polyfill", "esbuild", "pyright", "unhomoglyph"),
    "@tesseract.js-data/.*",
)
# knip takes them for Node's own modules.
_NAMED_AS_NODES = ("buffer", "events", "string_decoder", "url", "util")
# Names that only bundles resolve.
_OF_BUNDLES = ("jq-factory", "npm-util", "onnxruntime-web")
_TESTS_AND_BENCHMARKS_USE = (
    *("@copilotkit/aimock", "@page-agent/page-controller", "@testing-library/.*", "aria-api", "axe-core"),
    *("dom-accessibility-api", "playwright-core", "react", "react-dom", "svelte", "vue"),
)
CONFIGURATION = {
    "project": ["**/*.{js,ts}"],
    "ignoreDependencies": [*_BUILDER_READS, *_NAMED_AS_NODES, *_OF_BUNDLES, *_TESTS_AND_BENCHMARKS_USE],
    "include": ["files", "dependencies", "unlisted", "unresolved", "exports", "nsExports"],
    # An export that only tests use says so, by this tag.
    "tags": ["-test"],
    # It assigns to `module.exports` of other programs.
    "ignoreIssues": {"node/modules.{js,ts}": ["exports"]},
}


def command(project: Project) -> list[str | Path]:
    """Write knip's configuration, and return its command line.

    Raises:
        BuildProblem: Node.js is missing or too old.
    """
    entries = [bundle.entry.removeprefix("web/") for bundle in (*BUNDLES, WORKER)]
    configuration = project.work / "knip.json"
    configuration.parent.mkdir(exist_ok=True)
    configuration.write_text(json.dumps({**CONFIGURATION, "entry": [*entries, *_ALIASES]}), encoding="utf-8")
    knip = project.modules / "knip/bin/knip.js"
    options = ["--no-progress", "--no-config-hints", "--directory", project.web, "--config", configuration]
    return [npm.find_node().node, knip, *options]
