"""`sed` has the same results as GNU sed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.userland.conftest import Call

TEXT = "one 1\ntwo 22\n\nfoo.bar=baz\n  indented\tline\nžluť kůň\nEND\nlast/line"

SCRIPTS = [
    ["s/o/0/"],
    ["s/o/0/g"],
    ["s/[0-9]/<&>/2g"],
    ["-n", "s/o/0/2p"],
    ["s/x*/-/g"],
    ["s/b*/-/g"],
    ["-E", r"s/(\w+) ([0-9]+)/\2 \1/"],
    [r"s/\(.*\)=\(.*\)/\U\1\E=\u\2/"],
    [r"s/\w\+/\L\u&/g"],
    [r"s/./\U&/2"],
    [r"s/l/\n/g"],
    [r"s/o/\n/g;s/^/>/"],
    [r"s/n./&\\&/;s/o/0/g"],
    [r"s/\t/\\t/; s/%/\\x/"],
    ["s|/|\\||g"],
    [r"s,a\,b,c,;s/\//_/"],
    ["s/[/]/_/"],
    ["s/[^a-z]//g"],
    ["s/$/!/;s/^/>/"],
    ["s/E.D/x/i"],
    ["-z", r"s/\n/,/g"],
    ["-n", "$p"],
    ["-n", "2,4p"],
    ["-n", "/two/,/foo/p"],
    ["-n", "/one/,1p;/foo/,+1p"],
    ["-n", "2~3p;0~4p"],
    ["-n", "2,~4p"],
    ["-n", "0,/o/p"],
    ["-n", "1,/o/p"],
    ["-n", "/foo/!p"],
    ["-n", "/two/{=;p}"],
    ["-n", "/two/{n;p;}"],
    ["1d;$d"],
    ["/^$/d"],
    ["2q"],
    ["2q5"],
    ["3Q"],
    ["$!N;P;D"],
    [":a;N;$!ba;s/\\n/+/g"],
    ["N;N;s/\\n/|/g"],
    ["G;h"],
    ["1!G;h;$!d"],
    ["x;p;x"],
    ["-n", "H;${x;s/\\n/,/g;p}"],
    ["y/abc/xyz/;y/ž\\n/z\\t/"],
    ["/two/a added"],
    ["/two/a\\\n  added\\\nmore"],
    ["2i\\  before"],
    ["2i before", "-e", "3d"],
    ["/two/c changed"],
    ["2,4c changed"],
    ["$a at end"],
    ["a\\\tx\\ty"],
    ["-e", "1a one", "-e", "1a two"],
    ["-n", "l"],
    ["-n", "l 9"],
    ["2r other"],
    ["2r missing"],
    ["R other"],
    ["-n", "/o/w out"],
    ["s/o/0/w out"],
    ["s/one/two/;ta;s/$/ no/;:a;s/1/2/"],
    ["-n", "/[[:digit:]]\\{2\\}/p"],
    ["-nE", "/^(one|foo)/p"],
    ["-n", r"\,/,p"],
    ["-n", "/one/p;//=;//s//two/p"],
    ["/one/,/two/{/two/!d}"],
    ["#n\np"],
    ["# comment\ns/a/b/ # another\n"],
    ["s/a/b/;;s/b/c/}"],
    ["-s", "-n", "$=", "text", "other"],
    ["-n", "$=", "text", "other"],
    ["F;1q"],
    ["1!{$!d}"],
    [r"s/\x41\|\x45/q/g"],
    [r"s/a\|o/[&]/g"],
    ["s/\\(a\\)\\|b/[\\1]/g"],
    ["-E", "s/^ +|\\s+$//g"],
    ["p"],
    ["i x"],
    ['s/.*/"&"/'],
    ["s/a/b\\\nc/"],
    ["--expression=s/o/0/", "-e", "s/0/o/"],
    ["-E", r"s/\b(.)/[\1]/g"],
    ["2,1p"],
    ["/x/I,$d;T;d"],
    ["n;d"],
    ["$!{h;d};x;G"],
    ["s/a"],
    ["s/a/b/q"],
    ["s/a/\\1/"],
    ["k"],
    ["p x"],
    ["{p"],
    ["}"],
    ["b nowhere"],
    ["y/a/bc/"],
    ["0p"],
    ["1,p"],
    ["/a"],
    ["s/a/b/0"],
    ["a"],
    ["p", "missing"],
    ["-q"],
]


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """Return two directories with the same content: ours and the system's."""
    trees = tmp_path / "ours", tmp_path / "theirs"
    for tree in trees:
        tree.mkdir()
        (tree / "text").write_text(TEXT)
        (tree / "other").write_text("a\nb\n")
    return trees


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("words", SCRIPTS, ids=" ".join)
async def test_scripts_match_gnu(
    call: Call, system: Call, trees: tuple[Path, Path], words: list[str]
) -> None:
    ours, theirs = trees
    env = {"LC_ALL": "C.UTF-8"}
    one = await call("sed", *words, stdin=TEXT.encode(), cwd=ours, env=env)
    other = await system("sed", *words, stdin=TEXT.encode(), cwd=theirs, env=env)
    assert (one.exit_code, one.output) == (other.exit_code, other.output)
    assert contents(ours) == contents(theirs)
    assert bool(one.error) == bool(other.error)


@pytest.mark.parametrize(
    "words",
    [
        ["-i", "s/o/0/"],
        ["-i.bak", "1d"],
        ["-ni", "1p"],
        ["-i", "-e", "2q"],
        ["--in-place=.old", "-E", "s/(o)/<\\1>/"],
        ["-iold_*", "$d"],
        ["-i", "1i first"],
    ],
    ids=" ".join,
)
async def test_editing_in_place_matches_gnu(
    call: Call, system: Call, trees: tuple[Path, Path], words: list[str]
) -> None:
    ours, theirs = trees
    one = await call("sed", *words, "text", "other", cwd=ours)
    other = await system("sed", *words, "text", "other", cwd=theirs)
    assert (one.exit_code, one.output, one.error) == (other.exit_code, other.output, other.error)
    assert contents(ours) == contents(theirs)
