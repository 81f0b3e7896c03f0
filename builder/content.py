"""The layout of the finished site: the path of each file in `dist/`, and its source.

The page loads its files from two folders that are named by a hash of their content: `pyodide-<hash>/` holds Python,
`surface-<hash>/` the rest of a build. So browsers can cache them permanently, and no page mixes two builds. Files
that others link to have fixed names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from builder import bundles, documents, installable, origin_trials, preinstalled, pyodide, wheels
from builder.integrity import with_frame_scripts, with_hashes, with_module_hashes
from builder.linux import image
from builder.meaning import model
from builder.origin_trials import with_tokens
from builder.project import Project
from builder.stamps import files_below, fingerprint

# A link to one of the folders in a page of the source tree, without the hash.
LINK = re.compile(r"""(?<=["'/])(surface|pyodide)/""")

# What pages with their own Pyodide load.
BRIDGE = ("webmcp_bridge.js", "webmcp_adapter.js")

# The name by which the module of the npm package looks for it.
RUFF_FILE = Path(bundles.RUFF).name


def gather(project: Project, *, can_make_model: bool = False) -> dict[str, Path]:
    """Return the source of each file of the site, by its path in `dist/`.

    Args:
        project: The project.
        can_make_model: Whether the page may offer the model for search by meaning although it isn't made yet.
    """
    linux, meaning = _linux(project), model.files(project)
    optional = {"linux": _folder_in(linux), "meaning": _folder_in(meaning)}
    is_later = can_make_model and optional["meaning"] is None
    if is_later:
        optional["meaning"] = model.expected(project)
    runtime, surface = pyodide.folder(project), _surface(project, optional)
    sources = [path for name, path in surface.items() if not name.endswith(".map")]
    pages = _pages(project)
    name = f"surface-{fingerprint([runtime, *sources, *pages.values()])[:16]}"
    folders = {"surface": name, "pyodide": runtime}
    hashed = {f"{runtime}/{file}": path for file, path in pyodide.runtime(project).items()}
    hashed |= {f"{name}/{file}": path for file, path in surface.items()}
    return {
        **hashed,
        **linux,
        **meaning,
        f"{name}/files.json": _list(project, sorted(hashed)),
        "service_worker.js": bundles.SERVICE_WORKER.path(project),
        **_page_script(project),
        bundles.EMBED.name: bundles.EMBED.path(project),
        **_site(project),
        **{name: project.root / name for name in BRIDGE},
        "webmcp-polyfill.js": _polyfill(project),
        bundles.DRIVEN.name: bundles.DRIVEN.path(project),
        "tools.json": catalogue(project),
        **installable.files(project),
        "NOTICES.txt": project.work / "NOTICES.txt",
        # Last, so a page never links to a missing file.
        **{
            name: _link(project, name, page, folders, surface, is_model_later=is_later)
            for name, page in pages.items()
        },
    }


def catalogue(project: Project) -> Path:
    """Return the path of the tool list of a new surface, as `gemini.kernel.catalogue` prints it."""
    return project.work / "tools.json"


def _polyfill(project: Project) -> Path:
    return project.modules / "@mcp-b/webmcp-polyfill/dist/index.iife.js"


def _page_script(project: Project) -> dict[str, Path]:
    return {part.name: part.path(project) for part in (bundles.PAGE_SCRIPT, *bundles.PAGE_PARTS)}


def _site(project: Project) -> dict[str, Path]:
    """Return the files that show the surface's files as pages.

    A server with an origin for sites serves them at the root of that origin.
    """
    files = {
        "host.html": project.web / "site/host.html",
        "host.js": bundles.SITE_HOST.path(project),
        "worker.js": bundles.SITE_WORKER.path(project),
        **_page_script(project),
    }
    return {f"site/{name}": path for name, path in files.items()} | {
        # Servers with such an origin send their own version.
        "serving.json": project.web / "site/serving.json",
    }


def _linux(project: Project) -> dict[str, Path]:
    """Return the files of `linux-<hash>/`, which only its terminals load; none if the machine isn't made."""
    files = image.files(project)
    folder = f"linux-{fingerprint(image.identity(project))[:16]}"
    return {f"{folder}/{name}": path for name, path in files.items()}


def _folder_in(files: Iterable[str]) -> str | None:
    """Return the folder of files of the site, or None without a file."""
    return next((name.partition("/")[0] for name in files), None)


def _surface(project: Project, optional: Mapping[str, str | None]) -> dict[str, Path]:
    """Return the files of `surface-<hash>/`, by name."""
    scripts = (
        bundles.EARLY,
        bundles.UI,
        *bundles.UI_PARTS,
        bundles.KERNEL,
        bundles.KERNEL_FRAME,
        bundles.NETWORK_WORKER,
    )
    made = [path for script in scripts for path in _outputs(project, script)]
    packages = pyodide.packages(project, ["browser-all"], project.work / pyodide.LOCK)
    return {
        **{path.name: path for path in made},
        bundles.PYTHON_CHECKS.name: bundles.PYTHON_CHECKS.path(project),
        **{script.name: script.path(project) for script in bundles.CHARTS},
        RUFF_FILE: project.modules / bundles.RUFF,
        **{f"packages/{name}": path for name, path in packages.items()},
        **{f"packages/{name}": path for name, path in preinstalled.files(project).items()},
        **{f"packages/{part.name}": part.path(project) for part in (*bundles.LINUX, *bundles.PICTURES)},
        **{f"packages/{name}": path for name, path in _for_pictures(project).items()},
        f"packages/{pyodide.DISTRIBUTION}": project.pyodide / pyodide.LOCK,
        **_page_script(project),
        # The document of the kernel's frame; its origin differs from the page's if the host supports that.
        "kernel.html": _kernel_frame(project, optional),
        **documents.files(project),
        "webmcp-polyfill.js": _polyfill(project),
    }


def _for_pictures(project: Project) -> dict[str, Path]:
    """Return the files that the workers for pictures and PDF files load on first use."""
    return {
        "ocr/tesseract.wasm": project.modules / bundles.TESSERACT,
        **{
            # Without the ending .gz, which servers take for a compressed copy.
            f"ocr/{code}.data": project.modules / package / f"4.0.0_best_int/{code}.traineddata.gz"
            for code, package in bundles.LANGUAGES.items()
        },
        **{f"pdf/{name}": project.modules / path for name, path in bundles.PDF_DECODERS.items()},
    }


def _kernel_frame(project: Project, optional: Mapping[str, str | None]) -> Path:
    """Write the document of the kernel's frame, with its script's hash and the optional folders; return its path."""
    target = project.work / "pages/kernel.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    script = bundles.KERNEL_FRAME
    page = (project.web / "kernel/frame.html").read_text(encoding="utf-8")
    for kind, folder in optional.items():
        if folder is not None:
            page = page.replace(f'data-{kind}=""', f'data-{kind}="../{folder}/"')
    target.write_text(with_hashes(page, {script.name: script.path(project)}), encoding="utf-8")
    return target


def _outputs(project: Project, bundle: bundles.Bundle) -> list[Path]:
    """Return a script, its style sheet if it imports one, and their source maps."""
    script = bundle.path(project)
    return sorted(path for path in script.parent.glob(f"{script.stem}.*") if path.suffix != ".json")


def _list(project: Project, names: list[str]) -> Path:
    """Write the list of files that the service worker stores, and return its path.

    The list has every file that the page may load except the packages that call language models, and what helps with
    Python in the editor: those are larger than all the others together, and rarely needed offline.
    """
    target = project.work / "files.json"
    # The page loads what the build has installed instead of these.
    unused = {
        "pyodide.js",
        "python_stdlib.zip",
        bundles.PYTHON_CHECKS.name,
        RUFF_FILE,
        *(script.name for script in bundles.CHARTS),
        *(part.name for part in (*bundles.LINUX, *bundles.PICTURES)),
        *(Path(name).name for name in _for_pictures(project)),
        *preinstalled.installed_wheels(project),
        *_loaded_on_use(project),
    }
    stored = [name for name in names if not name.endswith(".map") and Path(name).name not in unused]
    target.write_text(json.dumps(stored, indent=1), encoding="utf-8")
    return target


def _loaded_on_use(project: Project) -> set[str]:
    shipped, started = (wheels.fetched(project, group).glob("*.whl") for group in ("browser-all", "browser"))
    return {path.name for path in shipped} - {path.name for path in started}


def _pages(project: Project) -> dict[str, Path]:
    examples = project.root / "examples"
    listed = {f"examples/{path.relative_to(examples).as_posix()}": path for path in files_below(examples)}
    return listed | {"index.html": project.root / "index.html"}


def _link(
    project: Project,
    name: str,
    page: Path,
    folders: dict[str, str],
    surface: dict[str, Path],
    *,
    is_model_later: bool,
) -> Path:
    """Write a page with the folder names of this build, and return its path.

    The surface's own page gets the hashes of its scripts and style sheets, too.
    """
    if page.suffix != ".html":
        return page
    target = project.work / "pages" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    text = LINK.sub(lambda found: f"{folders[found[1]]}/", page.read_text(encoding="utf-8"))
    if name == "index.html":
        text = with_tokens(text, origin_trials.tokens(project))
        text = with_module_hashes(with_hashes(text, surface), surface)
        text = with_frame_scripts(text, [surface[script.name] for script in bundles.CHARTS])
        if image.files(project):
            text = text.replace("<html ", "<html data-linux ", 1)
        if is_model_later:
            # The companion makes the model when the user asks for it (gemini_companion/settings/search_model.py).
            text = text.replace("<html ", '<html data-meaning="later" ', 1)
    target.write_text(text, encoding="utf-8")
    return target
