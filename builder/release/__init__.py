"""Makes everything that is published, in `dist/release/` (docs/releasing.md).

Two releases of one commit are the same, byte for byte: archives have no times but the commit's, and sorted names.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from builder import content, docs, extension, notices, npm, site
from builder.compression import ENDINGS, Effort
from builder.exclusion import one_build
from builder.meaning import model
from builder.progress import Step
from builder.project import Project
from builder.release import archives, bundle, npm_package, parts, sbom
from builder.release.described import Described, described
from builder.stamps import Steps, files_below

CHECKSUMS = "SHA256SUMS"
# Debian's Chromium and the wheel with the page: an MCP server over standard input and output.
CONTAINER = """\
# docker build -t {name} -f Containerfile . && docker run -i --rm {name}
# Debian has only the newest Chromium, the one without known holes, so no version is named.
# hadolint global ignore=DL3008
FROM docker.io/library/python:3.13-slim
RUN apt-get update && apt-get install -y --no-install-recommends chromium && rm -rf /var/lib/apt/lists/*
COPY {wheel} /tmp/
RUN pip install --no-cache-dir "/tmp/{wheel}[companion]" && rm /tmp/{wheel}
# A number, so that a host can see that it isn't root.
RUN useradd --create-home --uid 1000 surface
USER 1000
ENTRYPOINT ["control-surface", "mcp", "--headless"]
"""


def build(project: Project, steps: Steps, effort: Effort = Effort.SMALL) -> Path:
    """Make all that is published, and return the folder.

    Args:
        project: The source tree, whose commit dates the files.
        steps: The steps of the build.
        effort: How much time the compressed copies may take; published ones are the smallest.

    Raises:
        BuildProblem: The site or the model for search can't be made, or the tree has no commit.
    """
    about = described(project)
    npm.install(project, steps, development=True)
    with one_build(project.work, steps.progress):
        model.build(project, steps)
    site.build(project, steps, effort)
    extension.unpack(project, steps)
    docs.build(project, steps)
    with one_build(project.work, steps.progress), steps.progress.step("making the release") as step:
        folder = project.work / "release"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _fill(project, about, folder, step)
        _write_checksums(folder)
        shutil.rmtree(project.release, ignore_errors=True)
        project.release.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(project.release)
    return project.release


def _fill(project: Project, about: Described, folder: Path, step: Step) -> None:
    step.show("wheels and sdist")
    wheel = parts.make_wheels(project, about, folder)
    step.show("npm package")
    npm_package.make(project, about, hosted(project), folder)
    step.show("extension")
    packed = {path.relative_to(project.extension).as_posix(): path for path in files_below(project.extension)}
    archives.write_zip(packed, folder / f"{about.name}-extension-{about.version}.zip", about.epoch)
    step.show("MCP bundle")
    packed_bundle = bundle.make(project, about, wheel, folder)
    (folder / "server.json").write_text(_json(bundle.server(about, packed_bundle)), encoding="utf-8")
    text = CONTAINER.format(name=about.name, wheel=wheel.name)
    (folder / "Containerfile").write_text(text, encoding="utf-8")
    step.show("Pages")
    # What is published on a host of static files, which compresses them.
    site.mirror(hosted(project), folder / "pages")
    shutil.copytree(project.docs, folder / "pages/docs")
    # Otherwise GitHub would leave out files that begin with an underscore.
    (folder / "pages/.nojekyll").touch()
    # Cloudflare and Netlify read it; GitHub sends no headers for a project, so the service worker isolates there.
    shutil.copyfile(project.root / "examples/hosts/_headers", folder / "pages/_headers")
    notices.write(project, folder / "NOTICES.txt")
    (folder / "sbom.cdx.json").write_text(
        _json(sbom.bill(about, notices.components(project))), encoding="utf-8"
    )


def hosted(project: Project) -> dict[str, Path]:
    """Return the files of the site by name, without compressed copies and source maps."""
    return {
        name: path for name, path in content.gather(project).items() if not name.endswith((*ENDINGS, ".map"))
    }


def _write_checksums(folder: Path) -> None:
    """Write the hashes in the format of `sha256sum`, which checks them: `sha256sum -c SHA256SUMS`."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in files_below(folder)
    ]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
