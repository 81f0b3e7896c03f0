"""Bundles each part of the front end into one file with esbuild."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from builder.npm import find_node
from builder.parallel import side_by_side
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, modestly, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Inputs, Steps, is_fresh

COMMON = (
    "--bundle",
    "--format=esm",
    "--platform=browser",
    "--target=es2022",
    "--minify",
    "--legal-comments=none",
)


@dataclass(frozen=True)
class Bundle:
    """One esbuild output in `.build/bundles`, next to the list of its inputs, `<name>.inputs.json`.

    Args:
        name: The file name of the output.
        entry: The entry module, relative to the root.
        options: esbuild options in addition to `COMMON`.
    """

    name: str
    entry: str
    options: tuple[str, ...] = ()

    def path(self, project: Project) -> Path:
        """Return the path of the bundled file."""
        return project.work / "bundles" / self.name

    def inputs_file(self, project: Project) -> Path:
        """Return the path of the list of its inputs."""
        return project.work / "bundles" / f"{self.name}.inputs.json"


UI = Bundle("ui.js", "web/ui/app/main.ts", ("--sourcemap=linked",))
EARLY = Bundle("early.js", "web/ui/app/early.ts", ("--format=iife",))
KERNEL = Bundle("kernel.js", "web/kernel/worker.ts", ("--sourcemap=linked",))
KERNEL_FRAME = Bundle("kernel_frame.js", "web/kernel/frame.ts")
NETWORK_WORKER = Bundle("network_worker.js", "web/network_door/worker.ts")
SERVICE_WORKER = Bundle("service_worker.js", "web/service_worker.ts")
# Any page may load it with a script tag, so it is not a module.
PAGE_SCRIPT = Bundle("gemini-page.js", "web/page/main.ts", ("--format=iife",))
# Parts that the page script loads on first use.
MODERN_SCREENSHOT = "modern-screenshot/dist/index.mjs"
UNHIDDEN = "modern-screenshot/dist/index.unhidden.mjs"
# Bundles that draw pages.
DRAWS = (
    f"--alias:modern-screenshot=./web/node_modules/{UNHIDDEN}",
    "--alias:unhidden=./web/page/screenshot/unhidden.ts",
)
# Where modern-screenshot reads a property of a node that may be a form or a document.
_READ = re.compile(
    r"(?<![.\w])(getDocument\([^()]*\)|node|clone|cloned2?|childCloned|chlidCloned|child|target|ownerDocument)"
    r"(?=\??\.[a-zA-Z])",
    re.ASCII,
)
_READ_OF_DOCUMENT = re.compile(
    r"(?<![.\w])((?:svg|style|root|context|unhidden\(\w+\))\.ownerDocument)(?=\??\.[a-zA-Z])"
)
LEAST_READS = 100
PAGE_PARTS = (
    Bundle("gemini-page-text.js", "web/page/text/main.ts"),
    Bundle("gemini-page-screenshot.js", "web/page/screenshot/main.ts", DRAWS),
)
# The page script in tabs that the companion drives.
DRIVEN = Bundle(
    "gemini-driven.js", "web/page/debugger_page.ts", ("--format=iife", "--global-name=geminiDriven")
)
# Parts that the page loads on first use.
UI_PARTS = (
    Bundle("ui-terminal.js", "web/ui/panels/terminals/view.ts", ("--sourcemap=linked",)),
    Bundle("ui-editor.js", "web/ui/panels/editor/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-notebook.js", "web/ui/panels/notebook/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-preview.js", "web/ui/panels/files/preview/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-link.js", "web/ui/panels/files/shared_link.ts", ("--sourcemap=linked",)),
    Bundle("ui-agents.js", "web/ui/panels/agents/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-changes.js", "web/ui/panels/changes/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-automations.js", "web/ui/panels/automations/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-screen.js", "web/ui/panels/screen/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-personal.js", "web/ui/personal/owner.ts", ("--sourcemap=linked",)),
    Bundle("ui-machines.js", "web/ui/panels/machines/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-calendar.js", "web/ui/panels/calendar/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-page-console.js", "web/ui/panels/page_console/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-problems.js", "web/ui/panels/problems/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-photos.js", "web/ui/panels/photos/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-memory.js", "web/ui/panels/memory/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-skills.js", "web/ui/panels/skills/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-schedules.js", "web/ui/panels/schedules/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-inbox.js", "web/ui/panels/inbox/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-team.js", "web/ui/panels/team/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-source-control.js", "web/ui/panels/source_control/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-search.js", "web/ui/panels/search/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-chat.js", "web/ui/panels/chat/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-models.js", "web/ui/panels/models/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-builtin-model.js", "web/ui/panels/models/builtin.ts", ("--sourcemap=linked",)),
    Bundle("ui-math.js", "web/ui/lib/math.ts", ("--sourcemap=linked",)),
    Bundle("ui-rich.js", "web/ui/panels/python/rich.ts", ("--sourcemap=linked",)),
    Bundle("ui-settings.js", "web/ui/panels/settings/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-tools.js", "web/ui/panels/tools/panel.ts", ("--sourcemap=linked",)),
    Bundle("ui-activity.js", "web/ui/panels/activity/panel.ts", ("--sourcemap=linked",)),
    Bundle("ui-calls.js", "web/ui/help/call_names.ts", ("--sourcemap=linked",)),
    Bundle("ui-help.js", "web/ui/panels/help/main.ts", ("--sourcemap=linked",)),
    Bundle("ui-chart.js", "web/ui/panels/python/chart.ts", ("--sourcemap=linked",)),
)
# The scripts of the frames in which charts are drawn, each loaded with the first chart of its library.
CHARTS = tuple(
    Bundle(f"chart_{library}.js", f"web/charts/{library}.ts", ("--format=iife",))
    for library in ("plotly", "vega")
)
# The worker that checks and formats Python for the editor, loaded with the first Python file.
PYTHON_CHECKS = Bundle("python_checks.js", "web/ui/panels/editor/python/worker.ts")
RUFF = "@astral-sh/ruff-wasm-web/ruff_wasm_bg.wasm"
SITE_HOST = Bundle("site_host.js", "web/site/host.ts")
SITE_WORKER = Bundle("site_worker.js", "web/site/worker.ts")
# The browser extension's service worker, the page that fetches for it, and the surface's part of it.
EXTENSION_BACKGROUND = Bundle("background.js", "web/extension/background.ts")
EXTENSION_NETWORK = Bundle("network_frame.js", "web/extension/network_frame.ts")
EXTENSION_PAGE = Bundle("ui-extension.js", "web/extension/page.ts")
# Its scripts in shared tabs, in their own world and in the page's.
EXTENSION_CONTENT = Bundle("content.js", "web/extension/content/main.ts", ("--format=iife", *DRAWS))
EXTENSION_HOOK = Bundle("hook.js", "web/extension/content/hook.ts", ("--format=iife",))
EXTENSION_FILES = (EXTENSION_BACKGROUND, EXTENSION_NETWORK, EXTENSION_CONTENT, EXTENSION_HOOK)
EXTENSION_PARTS = (*EXTENSION_FILES, EXTENSION_PAGE)
# Applications load it with a script tag; it includes the page script.
EMBED = Bundle("gemini-embed.js", "web/embed.ts", ("--format=iife",))
# It ships inside the wheel, where a source map would only add size.
SHELL_ENGINE = Bundle("shell_engine.mjs", "web/kernel/shell/engine.ts")
# The shell loads it with the first `git`. With a document just-git doesn't try to import Node's zlib, which the policy
# of the kernel blocks.
GIT_COMMAND = Bundle("git_command.mjs", "web/kernel/git/main.ts", ("--define:document=globalThis",))
# The shell loads it with the first `node`; a program runs in NODE_WORKER.
NODE_COMMAND = Bundle("node_command.mjs", "web/kernel/node/main.ts")
NODE_WORKER = Bundle(
    "node_worker.mjs",
    "web/node/main.ts",
    (
        # Packages require these by the names of Node's modules.
        "--alias:util=./web/node/util",
        "--alias:process=./web/node/shims/process",
        "--alias:npm-util=./web/node_modules/util/util.js",
        # Programs see the names of classes, in `util.inspect` and stacks.
        "--keep-names",
    ),
)
JQ_WEB = "jq-web/jq.js"
JQ_FACTORY = "jq-web/jq.factory.js"
# The worker of `jq` and `yq`, loaded with the first call.
JQ_WORKER = Bundle(
    "jq_worker.mjs",
    "web/jq/main.ts",
    (
        "--loader:.wasm=binary",
        f"--alias:jq-factory=./web/node_modules/{JQ_FACTORY}",
        # It requires these in Node.js only, as which it isn't to see the Node.js that a Pyodide may run in.
        *("--external:fs", "--external:path", "--external:crypto", "--define:process=undefined"),
    ),
)

# The worker that reads PDF files, loaded with the first of them, and the character maps that some need.
PDF_WORKER = Bundle("pdf_worker.mjs", "web/pdf/main.ts")
PDF_CMAPS = Bundle("pdf_cmaps.mjs", "web/pdf/cmaps.ts", ("--loader:.bcmap=binary",))

# Linux in the page: the code that the kernel's worker loads with its first terminal, and the worker that runs it.
LINUX_MACHINE = Bundle("linux_machine.mjs", "web/linux/machine.ts")
# v86 imports Node's modules in Node only.
LINUX_WORKER = Bundle(
    "linux_worker.mjs",
    "web/linux/worker.ts",
    tuple(f"--external:{name}" for name in ("node:*", "fs", "fs/promises", "crypto", "perf_hooks")),
)
LINUX = (LINUX_MACHINE, LINUX_WORKER)

# The worker that reads the text in pictures, and the one that makes thumbnails, loaded on first use. Tesseract's module
# requires these in Node.js only.
OCR_WORKER = Bundle(
    "ocr_worker.mjs", "web/ocr/main.ts", ("--external:fs", "--external:crypto", "--define:process=undefined")
)
THUMBNAILS_WORKER = Bundle("thumbnails_worker.mjs", "web/thumbnails/main.ts")
PICTURES = (OCR_WORKER, THUMBNAILS_WORKER)
# What OCR_WORKER loads: Tesseract itself, and the data of languages.
TESSERACT = "tesseract.js-core/tesseract-core-simd-lstm.wasm"
LANGUAGES = {code: f"@tesseract.js-data/{code}" for code in ("eng", "deu", "fra", "spa")}
# What PDF_WORKER loads for pictures in files: the decoders of JBIG2 and JPEG 2000.
PDF_DECODERS = {name: f"pdfjs-dist/wasm/{name}" for name in ("jbig2.wasm", "openjpeg.wasm")}

# The modules of `gemini.computer.shell`, which the wheel has (builder/wheel_hook.py).
IN_WHEEL = (SHELL_ENGINE, GIT_COMMAND, NODE_COMMAND, NODE_WORKER, JQ_WORKER, PDF_WORKER, PDF_CMAPS)
# Those that are loaded while Python starts; the others are loaded on first use.
AT_START = (SHELL_ENGINE,)

BUNDLES = (
    UI,
    EARLY,
    *UI_PARTS,
    *CHARTS,
    PYTHON_CHECKS,
    KERNEL,
    KERNEL_FRAME,
    SERVICE_WORKER,
    NETWORK_WORKER,
    PAGE_SCRIPT,
    *PAGE_PARTS,
    DRIVEN,
    SITE_HOST,
    SITE_WORKER,
    EMBED,
    *EXTENSION_PARTS,
    *LINUX,
    *PICTURES,
    *IN_WHEEL,
)


def build(
    project: Project,
    steps: Steps,
    pyodide: str,
    wanted: Iterable[Bundle] = BUNDLES,
    *,
    modest: bool = False,
) -> None:
    """Build the bundles whose sources changed, several at once.

    Args:
        project: The source tree.
        steps: The steps of this build.
        pyodide: The folder of the site that holds the Pyodide runtime.
        wanted: The bundles; all by default.
        modest: Whether a slower step runs at the same time.

    Raises:
        BuildProblem: A source doesn't parse or resolve; `details` has esbuild's messages.
    """

    def needed(bundle: Bundle) -> Inputs:
        return lambda: [*sources(project, bundle), *(project.npm_lock, Path(__file__), pyodide)]

    stale = [
        bundle
        for bundle in wanted
        if not is_fresh(project.stamp(bundle.name), needed(bundle), [bundle.path(project)])
    ]
    if not stale:
        return
    # Bundles that are made at the same time share some of these.
    _adapt_packages(project, stale)
    named = stale[0].name if len(stale) == 1 else f"{len(stale)} scripts"
    with steps.progress.step(f"bundling {named}") as step:

        def make(group: list[Bundle]) -> None:
            action = partial(_esbuild, project, group, pyodide, step, modest)
            steps.take({project.stamp(bundle.name): needed(bundle) for bundle in group}, action)

        side_by_side([partial(make, group) for group in _alike(stale)])


def _alike(bundles: Iterable[Bundle]) -> Iterable[list[Bundle]]:
    """Return the bundles in groups that one call of esbuild makes, which reads what they share once."""
    groups: dict[tuple[str, ...], list[Bundle]] = {}
    for bundle in bundles:
        groups.setdefault((Path(bundle.name).suffix, *bundle.options), []).append(bundle)
    return groups.values()


def inputs(project: Project, bundle: Bundle) -> list[str]:
    """Return the inputs of the last build of a bundle, npm packages included, relative to the root."""
    file = bundle.inputs_file(project)
    if not file.exists():
        return []
    listed: list[str] = json.loads(file.read_text(encoding="utf-8"))
    return listed


def sources(project: Project, bundle: Bundle) -> list[Path]:
    """Return the source files of the last build of a bundle, without npm packages; at least its entry."""
    own = {name for name in inputs(project, bundle) if "node_modules/" not in name}
    return [project.root / name for name in sorted(own | {bundle.entry})]


def with_constructor(source: str) -> str:
    """Return jq-web's source with its constructor exported, which passes its filesystem and environment on.

    Raises:
        BuildProblem: The source isn't the expected one.
    """
    start, calls, end = source.partition("jq = jq().then(")
    changed = start.replace("function preRun() {", "function preRun() { Module.FS = FS; Module.ENV = ENV;", 1)
    if not calls or changed == start or "module.exports = jq" not in end:
        raise BuildProblem(
            "jq-web's module isn't the expected one.",
            "Adjust with_constructor in builder/bundles.py to this release of jq-web.",
        )
    return changed


def unhidden(source: str) -> str:
    """Return modern-screenshot's source reading nodes through `unhidden` (web/page/screenshot/unhidden.ts).

    Raises:
        BuildProblem: The source isn't the expected one.
    """
    changed, count = _READ.subn(r"unhidden(\1)", source)
    changed = _READ_OF_DOCUMENT.sub(r"unhidden(\1)", changed)
    if count < LEAST_READS:
        raise BuildProblem(
            f"modern-screenshot reads nodes in {count} places, not at least {LEAST_READS}.",
            "Adjust _READ in builder/bundles.py to this release of modern-screenshot.",
        )
    return f'import {{ unhidden }} from "unhidden";\n{changed}'


def _adapt_packages(project: Project, stale: list[Bundle]) -> None:
    """Write the adapted copies of npm packages that bundles import instead of the originals."""
    if JQ_WORKER in stale:
        source = (project.modules / JQ_WEB).read_text(encoding="utf-8")
        (project.modules / JQ_FACTORY).write_text(with_constructor(source), encoding="utf-8")
    if any(DRAWS[0] in bundle.options for bundle in stale):
        source = (project.modules / MODERN_SCREENSHOT).read_text(encoding="utf-8")
        (project.modules / UNHIDDEN).write_text(unhidden(source), encoding="utf-8")


def _esbuild(project: Project, group: Sequence[Bundle], pyodide: str, step: Step, modest: bool) -> None:
    """Build bundles whose options and endings are the same, and write the inputs of each."""
    step.show(group[0].name)
    listed, ending = project.work / f"{group[0].name}.group.json", Path(group[0].name).suffix
    command = [
        *(modestly(5) if modest else []),
        *_program(project),
        *(f"{Path(bundle.name).stem}={bundle.entry}" for bundle in group),
        *COMMON,
        *group[0].options,
        f'--define:PYODIDE_FOLDER="../{pyodide}/"',
    ]
    outputs = [
        f"--outdir={project.work / 'bundles'}",
        f"--out-extension:.js={ending}",
        f"--metafile={listed}",
    ]
    try:
        run([*command, *outputs, "--log-level=warning"], cwd=project.root, log=project.log(group[0].name))
    except ProgramFailed as failure:
        raise BuildProblem("esbuild could not bundle the scripts.", failure.output) from None
    modules: dict[str, Any] = json.loads(listed.read_text(encoding="utf-8"))["inputs"]
    listed.unlink()
    used = {bundle: imported(bundle.entry, modules) for bundle in group}
    # Modules that are imported by a pattern are listed without who imports them.
    others = modules.keys() - set().union(*used.values())
    for bundle, names in used.items():
        bundle.inputs_file(project).write_text(json.dumps(sorted(names | others)), encoding="utf-8")


def _program(project: Project) -> list[str | Path]:
    """Return the command of esbuild: its program for this machine, which the script for Node.js would start."""
    found = [*project.modules.glob("@esbuild/*/bin/esbuild")]
    return [*found] if len(found) == 1 else [find_node().node, project.modules / "esbuild/bin/esbuild"]


def imported(entry: str, modules: Mapping[str, Any]) -> set[str]:
    """Return the names of a module and of all that it imports, directly or by others.

    Args:
        entry: The name of the module.
        modules: The inputs of a metafile (https://esbuild.github.io/api/#metafile), by name.
    """
    found, unread = {entry}, [entry]
    while unread:
        named = {each["path"] for each in modules[unread.pop()]["imports"]}
        # Those that the bundle leaves out aren't inputs.
        unread += (fresh := (named & modules.keys()) - found)
        found |= fresh
    return found
