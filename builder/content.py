"""The finished site: where each file stands in `dist/`, and where it comes from.

What the page loads stands in two folders that are named by the hash of what is in them: `pyodide-<hash>/` has Python
itself, `surface-<hash>/` the rest of a build. So browsers may keep it for good, and no page mixes two builds. What
others link to keeps its name.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from builder import bundles, preinstalled, pyodide, wheels
from builder.integrity import with_hashes, with_module_hashes
from builder.project import Project
from builder.stamps import files_below, fingerprint

# A folder in a page of the source tree, before its hash is known.
LINK = re.compile(r"""(?<=["'/])(surface|pyodide)/""")


def gather(project: Project) -> dict[str, Path]:
    """The whole site."""
    runtime, surface = pyodide.folder(project), _surface(project)
    sources = [path for name, path in surface.items() if not name.endswith(".map")]
    pages = _pages(project)
    name = f"surface-{fingerprint([runtime, *sources, *pages.values()])[:16]}"
    folders = {"surface": name, "pyodide": runtime}
    hashed = {f"{runtime}/{file}": path for file, path in pyodide.runtime(project).items()}
    hashed |= {f"{name}/{file}": path for file, path in surface.items()}
    return {
        **hashed,
        f"{name}/files.json": _list(project, sorted(hashed)),
        "service_worker.js": bundles.SERVICE_WORKER.path(project),
        **_page_script(project),
        bundles.EMBED.name: bundles.EMBED.path(project),
        **_site(project),
        "webmcp_bridge.js": project.root / "webmcp_bridge.js",
        "webmcp-polyfill.js": _polyfill(project),
        "tools.json": catalogue(project),
        "NOTICES.txt": project.work / "NOTICES.txt",
        # Last, so that a page never names what isn't there yet.
        **{name: _linked(project, name, page, folders, surface) for name, page in pages.items()},
    }


def catalogue(project: Project) -> Path:
    """The tools of a fresh surface, as `gemini.server.catalogue` prints them."""
    return project.work / "tools.json"


def _polyfill(project: Project) -> Path:
    return project.modules / "@mcp-b/webmcp-polyfill/dist/index.iife.js"


def _page_script(project: Project) -> dict[str, Path]:
    return {part.name: part.path(project) for part in (bundles.PAGE_SCRIPT, *bundles.PAGE_PARTS)}


def _site(project: Project) -> dict[str, Path]:
    """What shows files of the surface as pages: served at the root of an origin of its own where there is one."""
    files = {
        "host.html": project.web / "site/host.html",
        "host.js": bundles.SITE_HOST.path(project),
        "worker.js": bundles.SITE_WORKER.path(project),
        **_page_script(project),
    }
    return {f"site/{name}": path for name, path in files.items()} | {
        # A server that has such an origin answers otherwise.
        "serving.json": project.web / "site/serving.json",
    }


def _surface(project: Project) -> dict[str, Path]:
    """What changes from build to build."""
    scripts = (bundles.UI, *bundles.UI_PARTS, bundles.KERNEL, bundles.KERNEL_FRAME, bundles.NETWORK_WORKER)
    made = [path for script in scripts for path in _outputs(project, script)]
    packages = pyodide.packages(project, ["browser-models"], project.work / pyodide.LOCK)
    return {
        **{path.name: path for path in made},
        **{f"packages/{name}": path for name, path in packages.items()},
        **{f"packages/{name}": path for name, path in preinstalled.files(project).items()},
        **_page_script(project),
        # The document of the kernel's frame, on an origin of its own where the host has one.
        "kernel.html": _kernel_frame(project),
        "tools.json": catalogue(project),
        "webmcp-polyfill.js": _polyfill(project),
    }


def _kernel_frame(project: Project) -> Path:
    """The document of the kernel's frame, with the hash of its script."""
    target = project.work / "pages/kernel.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    script = bundles.KERNEL_FRAME
    page = (project.web / "kernel/frame.html").read_text(encoding="utf-8")
    target.write_text(with_hashes(page, {script.name: script.path(project)}), encoding="utf-8")
    return target


def _outputs(project: Project, bundle: bundles.Bundle) -> list[Path]:
    """A script, its style sheet if it imports one, and their source maps."""
    script = bundle.path(project)
    return sorted(path for path in script.parent.glob(f"{script.stem}.*") if path.suffix != ".json")


def _list(project: Project, names: list[str]) -> Path:
    """What the service worker keeps: all that the page may load, but the packages that ask language models.

    They are as large as everything else, and without a network few have a model to ask.
    """
    target = project.work / "files.json"
    # In their place it loads what the build has installed.
    unused = {
        "pyodide.js",
        "python_stdlib.zip",
        *preinstalled.installed_wheels(project),
        *_only_for_models(project),
    }
    kept = [name for name in names if not name.endswith(".map") and Path(name).name not in unused]
    target.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return target


def _only_for_models(project: Project) -> set[str]:
    of_models, of_all = (
        wheels.fetched(project, group).glob("*.whl") for group in ("browser-models", "browser")
    )
    return {path.name for path in of_models} - {path.name for path in of_all}


def _pages(project: Project) -> dict[str, Path]:
    examples = project.root / "examples"
    listed = {f"examples/{path.relative_to(examples).as_posix()}": path for path in files_below(examples)}
    return listed | {"index.html": project.root / "index.html"}


def _linked(
    project: Project, name: str, page: Path, folders: dict[str, str], surface: dict[str, Path]
) -> Path:
    """The page with the folders' names of this build; the surface's own with the hashes of what it loads, too."""
    if page.suffix != ".html":
        return page
    target = project.work / "pages" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    text = LINK.sub(lambda found: f"{folders[found[1]]}/", page.read_text(encoding="utf-8"))
    if name == "index.html":
        text = with_module_hashes(with_hashes(text, surface), surface)
    target.write_text(text, encoding="utf-8")
    return target
