"""The kinds of files, and the color of each on the map and in lists.

The first rule that applies decides:

1. A directory is a `directory`, a symbolic link a `link`, and a device, pipe or socket is `other`.
2. The name decides: its last suffix, or the full name (`Makefile`, `LICENSE`).
3. A shell script, or a file with an unknown name, is `executable` if anyone may execute it.

The name comes before the permissions, so that listing 10,000 images reads no inodes, and an image from a disk that
marks everything executable stays an image.

Every color has a contrast between 3.7 and 4.5 to both white and #1e1e1e (WCAG 2.2, 1.4.11 requires 3), so one palette
works on light and dark pages.
"""

import os
import stat
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: its name, its color as `#rrggbb`, and a description of the files it covers."""

    name: str
    color: str
    meaning: str


DIRECTORY = Kind("directory", "#1376e7", "directories")
LINK = Kind("link", "#088696", "symbolic links")
CODE = Kind("code", "#9c51e6", "programs as text, style sheets and web pages")
TEXT = Kind("text", "#737a82", "prose, logs, tables, settings and other data as text")
DOCUMENT = Kind("document", "#97740c", "PDF and office documents")
IMAGE = Kind("image", "#da2f93", "images")
MEDIA = Kind("media", "#c55616", "sound and video")
ARCHIVE = Kind("archive", "#dc3d38", "archives and packages")
EXECUTABLE = Kind("executable", "#1d8b39", "programs to run: marked executable, or compiled")
OTHER = Kind("other", "#8d7462", "everything else")

KINDS = {
    kind.name: kind
    for kind in (DIRECTORY, LINK, CODE, TEXT, DOCUMENT, IMAGE, MEDIA, ARCHIVE, EXECUTABLE, OTHER)
}

_SUFFIXES = {
    CODE: """
        asm bat c cc cjs clj cmake cmd coffee cpp cs css cu cxx d dart elm erl ex exs f90 fs go gradle graphql
        groovy h hh hpp hs htm html ipynb java jl js jsx kt kts less lisp lua m mjs mk ml mts nim nix php pl
        pm proto ps1 py pyi pyw r rb rkt rs s sass scala scm scss sol sql svelte swift tcl tf ts tsx vb vue
        wat xhtml zig
        """,
    TEXT: """
        adoc asc bib cfg conf config csv diff env ics ini json json5 jsonl lock log map markdown md mdx
        ndjson org patch pem properties rst rtf srt tex text toml tsv txt vcf webmanifest xml xsd yaml yml
        """,
    DOCUMENT: "doc docx epub mobi odp ods odt pdf ppt pptx ps xls xlsx",
    IMAGE: "apng avif bmp gif heic heif ico jfif jpeg jpg jxl png psd svg svgz tga tif tiff webp xcf",
    MEDIA: "aac aif aiff avi flac flv m4a m4v mid midi mkv mov mp3 mp4 mpeg mpg oga ogg ogv opus wav webm",
    ARCHIVE: "7z apk br bz2 cab cpio deb dmg gz iso jar lz4 lzma rar rpm tar tbz2 tgz txz war whl xz zip zst",
    EXECUTABLE: "appimage com dll dylib elf exe ko msi o pyc so wasm",
    OTHER: "bak bin dat data db eot npy npz otf parquet pickle pkl sqlite sqlite3 swp tmp ttf woff woff2",
}
_NAMES = {
    CODE: "cmakelists.txt containerfile dockerfile gemfile gnumakefile justfile makefile rakefile",
    TEXT: """
        .dockerignore .editorconfig .env .gitattributes .gitconfig .gitignore .npmrc authors
        changelog contributing copying license news notice readme todo version
        """,
}
_SHELL_SCRIPTS = {"bash", "command", "fish", "ksh", "profile", "run", "sh", "zsh"}

_BY_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_BY_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}


def kind_of(name: str, mode: int) -> Kind:
    """Return the kind of a file from its name and the `st_mode` that `os.lstat` returns."""
    if stat.S_ISDIR(mode):
        return DIRECTORY
    if stat.S_ISLNK(mode):
        return LINK
    if not stat.S_ISREG(mode):
        return OTHER
    return _by_name(name) or _by_permission(name, mode)


def kind_of_entry(entry: os.DirEntry[str]) -> Kind:
    """Return the kind of a directory entry. Its inode is read only if the name doesn't decide.

    Raises:
        OSError: The entry was deleted after it was listed.
    """
    if entry.is_symlink():
        return LINK
    if entry.is_dir(follow_symlinks=False):
        return DIRECTORY
    if not entry.is_file(follow_symlinks=False):
        return OTHER
    return _by_name(entry.name) or _by_permission(entry.name, entry.stat(follow_symlinks=False).st_mode)


def _by_name(name: str) -> Kind | None:
    lowered = name.lower()
    if lowered in _BY_NAME:
        return _BY_NAME[lowered]
    return _BY_SUFFIX.get(lowered.rpartition(".")[2]) if "." in lowered[1:] else None


def _by_permission(name: str, mode: int) -> Kind:
    if mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH):
        return EXECUTABLE
    return CODE if name.lower().rpartition(".")[2] in _SHELL_SCRIPTS else OTHER
