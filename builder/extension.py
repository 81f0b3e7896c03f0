"""Builds the browser extension from the files of the site: unpacked, and as an archive (docs/extension.md)."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from builder import bundles, content, icon, site
from builder.exclusion import one_build
from builder.project import Project
from builder.stamps import Steps, files_below
from gemini_companion.admission.extension import KEY

ICONS = (16, 32, 48, 128)
# The first with JavaScript Promise Integration, by which Python waits.
OLDEST_CHROMIUM = "137"
# Files of the site for other uses: of hosts, of other applications, and of the browser's developer tools.
LEFT_OUT = re.compile(
    r"(site|examples)/|(service_worker|webmcp_(adapter|bridge)|webmcp-polyfill|gemini-\w+(-\w+)?)\.js$|(tools|serving)\.json$"
)
LEFT_OUT_OF_BUILD = ("network_worker.js", "files.json", "pyodide.js")
# The page alone connects to the companion: the service worker confines the kernel (web/extension/confined_workers.ts).
# The sandboxed page sends other requests (web/extension/network_frame.ts): with permissions for sites, requests of
# the extension itself would carry the user's cookies.
LOOPBACK = tuple(f"{host}:*" for host in ("127.0.0.1", "localhost"))
COMPANION = " ".join(
    f"ws://{each}/page http://{each}/entrance/ http://{each}/models/ http://{each}/serving.json"
    for each in LOOPBACK
)
POLICY = f"script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; connect-src 'self' {COMPANION}"
NETWORK_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'self'; connect-src http: https:"
PERMISSIONS = (
    *("sidePanel", "storage", "scripting", "tabGroups", "tabs", "activeTab"),
    # What became of a navigation; and how a tab for a file shows it (web/extension/file_tabs.ts). They add no warning.
    *("webNavigation", "declarativeNetRequestWithHostAccess"),
)
# The date of every file in the archive, so that the same files are the same archive.
DATE = (1980, 1, 1, 0, 0, 0)
INLINE = re.compile(r"<script>(?P<code>.*?)</script>", re.DOTALL)
IMPORT_MAP = re.compile(r'<script type="importmap">.*?</script>\s*', re.DOTALL)
FIRST_PAINT = "first_paint.js"


def unpack(project: Project, steps: Steps) -> None:
    """Update the unpacked extension, `project.extension`, from a finished build of the site."""
    with one_build(project.work, steps.progress):
        steps.run(
            "unpacking the extension",
            project.stamp("extension"),
            lambda: _inputs(project),
            [project.extension / "manifest.json"],
            lambda step: site.mirror(gather(project), project.extension),
        )


def build(project: Project, steps: Steps) -> Path:
    """Update the unpacked extension and its archive, and return the archive's path.

    Raises:
        BuildProblem: The site can't be built.
    """
    site.build(project, steps)
    unpack(project, steps)
    with one_build(project.work, steps.progress):
        steps.run(
            "packing the extension",
            project.stamp("extension-archive"),
            lambda: _inputs(project),
            [project.extension_archive],
            lambda step: _pack(project.extension, project.extension_archive),
        )
    return project.extension_archive


def _inputs(project: Project) -> list[Path | str]:
    sources = (project.dist / "index.html", project.work / "bundles", project.web / "extension")
    return [*sources, project.root / "pyproject.toml", Path(__file__).parent, KEY]


def _pack(folder: Path, archive: Path) -> None:
    partial = archive.with_name(f"{archive.name}.partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files_below(folder):
            name = zipfile.ZipInfo(path.relative_to(folder).as_posix(), DATE)
            packed.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
    partial.replace(archive)


def gather(project: Project) -> dict[str, Path]:
    """Return the source of each file of the extension, by its path."""
    made = project.work / "extension-made"
    made.mkdir(parents=True, exist_ok=True)
    files = {name: path for name, path in content.gather(project).items() if _is_wanted(name)}
    [ui] = [name for name in files if name.endswith("/ui.js")]
    for part in bundles.EXTENSION_FILES:
        files[part.name] = part.path(project)
    files[ui.replace("ui.js", bundles.EXTENSION_PAGE.name)] = bundles.EXTENSION_PAGE.path(project)
    files["network.html"] = project.web / "extension/network.html"
    page, script = without_inline_scripts(files["index.html"].read_text(encoding="utf-8"))
    texts = {
        "index.html": page,
        FIRST_PAINT: script,
        "serving.json": json.dumps({"sites": None, "kernel": None, "network": False}),
        "manifest.json": json.dumps(manifest(_version(project)), indent=2),
    }
    for name, text in texts.items():
        (made / name).write_text(text, encoding="utf-8")
        files[name] = made / name
    for size in ICONS:
        drawn = made / f"icon-{size}.png"
        drawn.write_bytes(icon.draw(size))
        files[f"icons/{size}.png"] = drawn
    return files


def _is_wanted(name: str) -> bool:
    if name.endswith(".map") or LEFT_OUT.match(name):
        return False
    return Path(name).name not in LEFT_OUT_OF_BUILD


def without_inline_scripts(page: str) -> tuple[str, str]:
    """Return the page with its inline script as a file, and the script: extensions can't run inline scripts.

    The import map, which only has hashes, is left out: the extension's files are the browser's own, unchangeable copy.
    """
    page = IMPORT_MAP.sub("", page)
    scripts = [found["code"] for found in INLINE.finditer(page)]
    # The base of the page is the folder of the build.
    linked = INLINE.sub("", page).replace("<base ", f'<script src="{FIRST_PAINT}"></script>\n    <base ', 1)
    return linked, "\n".join(f"{{{code}}}" for code in scripts)


def manifest(version: str) -> dict[str, Any]:
    """Return the manifest (https://developer.chrome.com/docs/extensions/reference/manifest)."""
    icons = {str(size): f"icons/{size}.png" for size in ICONS}
    return {
        "manifest_version": 3,
        "name": "gemini: control surface",
        "description": "Terminals, files, Python and your tabs for AI agents, with your consent.",
        "version": version,
        "key": KEY,
        "minimum_chrome_version": OLDEST_CHROMIUM,
        "icons": icons,
        "action": {"default_title": "Open the control surface", "default_icon": icons},
        "side_panel": {"default_path": "index.html"},
        "options_ui": {"page": "index.html", "open_in_tab": True},
        "background": {"service_worker": bundles.EXTENSION_BACKGROUND.name, "type": "module"},
        # Chromium has no optional `debugger`. The user turns its use on in the surface.
        "permissions": [*PERMISSIONS, "debugger"],
        "optional_permissions": ["downloads"],
        # Chromium takes pictures of visible tabs only with this pattern.
        "optional_host_permissions": ["<all_urls>"],
        "sandbox": {"pages": ["network.html"]},
        "content_security_policy": {"extension_pages": POLICY, "sandbox": NETWORK_POLICY},
        "cross_origin_embedder_policy": {"value": "require-corp"},
        "cross_origin_opener_policy": {"value": "same-origin"},
    }


def _version(project: Project) -> str:
    with (project.root / "pyproject.toml").open("rb") as file:
        version: str = tomllib.load(file)["project"]["version"]
    return version
