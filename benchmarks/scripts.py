"""Parses shell scripts with the embedded shell's parser and with `bash -n`, and prints on which they disagree.

`bench scripts --fetch` first downloads packages with many scripts by apt-get and npm, in the versions that these have.
It parses the scripts in them, on this machine and in `web/node_modules`, each text once.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from builder.npm import find_node  # noqa: E402 - found by the line above
from builder.project import Project  # noqa: E402
from tests.compiling import compiled  # noqa: E402

DEBIAN = (
    "rear bash-completion munin-plugins-core byobu live-build live-config git-extras testssl.sh libtool autoconf "
    "dracut-core initramfs-tools-core fai-client devscripts pbuilder initscripts resolvconf ifupdown debhelper "
    "lintian ltsp cryptsetup-initramfs mdadm grub2-common xdg-utils x11-common openrc shunit2 gettext fakeroot dkms "
    "os-prober laptop-mode-tools"
).split()
NPM = "n bats bats-support husky pure-prompt git-standup cordova-android".split()
FETCHED = Project(ROOT).work / "scripts"
FOLDERS = [Path("/usr"), Path("/etc"), Path("/var/lib/dpkg/info"), ROOT / "web/node_modules", FETCHED]
SHEBANG = re.compile(rb"#! ?(?:/usr)?/bin/(?:env )?(?:ba|da)?sh\b")
LARGEST = 1 << 20
LEAST_SHARE = 0.995
# Reads scripts as JSON, and prints null for each that is accepted, or the message.
PARSE = """
import { readFileSync } from "node:fs";
const { parse } = await import(process.argv[1]);
const scripts = JSON.parse(readFileSync(0, "utf-8"));
const started = performance.now();
const results = scripts.map((text) => {
  try {
    parse(text);
    return null;
  } catch (error) {
    if (error.line === undefined) throw error;
    return `line ${error.line}: ${error.message}`;
  }
});
console.log(JSON.stringify({ results, ms: performance.now() - started }));
"""


def fetch() -> None:
    """Download and unpack the packages; those that can't be had are left out."""
    for name in DEBIAN:
        _fetch(FETCHED / f"debian/{name}", ["apt-get", "download", "-q", name], ["dpkg-deb", "--raw-extract"])
    for name in NPM:
        _fetch(FETCHED / f"npm/{name}", ["npm", "pack", "--silent", name], ["tar", "xzf"], ["-C"])


def _fetch(folder: Path, download: list[str], unpack: list[str], into: Sequence[str] = ()) -> None:
    """Download a package and unpack it to a folder, unless that is there.

    Args:
        folder: The folder.
        download: Writes the package to the working directory.
        unpack: What precedes the package in the command that unpacks it.
        into: What precedes the folder there.
    """
    if folder.exists():
        return
    with tempfile.TemporaryDirectory() as directory:
        _try(download, directory)
        for package in Path(directory).iterdir():
            folder.mkdir(parents=True)
            _try([*unpack, str(package), *into, str(folder)], directory)


def _try(command: list[str], directory: str) -> None:
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{' '.join(command[:4])}: {done.stderr.strip().splitlines()[-1:]}")


def scripts() -> Iterator[Path]:
    """Yield files that begin as scripts of a shell, and completions and parts of scripts, which have no such line."""
    seen = set[bytes]()
    for path in sorted(path for folder in FOLDERS for path in folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
            continue
        data = path.read_bytes()
        plain = not data.startswith(b"#!") and (
            path.suffix in {".sh", ".bash"} or "completions" in path.parts
        )
        if (plain or SHEBANG.match(data)) and b"\0" not in data and data not in seen:
            seen.add(data)
            yield path


def accepted_by_bash(path: Path) -> tuple[bool, str]:
    """Return whether `bash -n` reads a script, and its first message."""
    done = subprocess.run(["bash", "-n", path], capture_output=True, text=True, errors="replace", check=False)
    return done.returncode == 0, done.stderr.split("\n")[0]


def main() -> int:
    """Print the figures; return 1 if the parsers agree on too few scripts."""
    if "--fetch" in sys.argv:
        fetch()
    paths = list(scripts())
    started = time.monotonic()
    theirs = [accepted_by_bash(path) for path in paths]
    bash_s = time.monotonic() - started
    texts = [path.read_bytes().decode("utf-8", "surrogateescape") for path in paths]
    reader = compiled("kernel/shell/language/syntax/reader.ts") / "kernel/shell/language/syntax/reader.js"
    command = [find_node().node, "--input-type=module", "-e", PARSE, reader.as_uri()]
    done = subprocess.run(command, input=json.dumps(texts), stdout=subprocess.PIPE, text=True, check=True)
    ours = json.loads(done.stdout)
    agreed = 0
    for path, (accepts, message), problem in zip(paths, theirs, ours["results"], strict=True):
        if accepts == (problem is None):
            agreed += 1
        else:
            print(f"{path}\n  bash: {message or 'accepted'}\n  ours: {problem or 'accepted'}")
    figures = {
        "scripts": len(paths),
        "accepted_by_bash": sum(accepts for accepts, _ in theirs),
        "agreed": agreed,
        "share": round(agreed / max(len(paths), 1), 5),
        "bash_n_s": round(bash_s, 1),
        "parse_s": round(ours["ms"] / 1000, 2),
    }
    print(json.dumps(figures, indent=2))
    return 0 if figures["share"] >= LEAST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
