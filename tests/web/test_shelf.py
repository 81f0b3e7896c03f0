"""Each of the later commands of the userland runs in the page."""

from __future__ import annotations

import pytest

from gemini_testing import Surface

pytestmark = pytest.mark.extended

JOURNEY = r"""
set -e
printf 'one\ntwo\nthree\n' > old.txt; sed s/two/2/ old.txt > new.txt; cp old.txt copy.txt
diff -u old.txt new.txt > change.diff || true
patch copy.txt < change.diff
cmp copy.txt new.txt
zip -q all.zip old.txt new.txt
unzip -p all.zip old.txt | head -n 1
printf 'create table t(n);\ninsert into t values (1), (2);\n' | sqlite3 t.db
sqlite3 -json t.db 'select sum(n) as total from t'
sqlite3 t.db .dump | sqlite3 other.db
echo 'select count(*) from t;' | sqlite3 other.db
NAME=world envsubst <<< 'hello $NAME'
cal 2 2024 | head -n 1
openssl dgst -sha256 -r old.txt | cut -c 1-8
printf secret | openssl enc -aes-256-cbc -pbkdf2 -a -k word | openssl enc -d -aes-256-cbc -pbkdf2 -a -k word; echo
openssl rand -hex 4 | wc -c
tree --noreport -P '*.diff' .
less new.txt | tail -n 1
jq --version; rg --version
echo .n > program.jq; echo '{"n":1}' | jq -f program.jq --indent 2
rg --no-heading --color never -n three new.txt
man patch | head -n 1
nproc
uptime | grep -c ' up '
df -P . | tail -n 1 | awk '{print $6}'
free -m | awk '/Mem/ {print ($2 > $3)}'
sleep 30 & job=$!
until ps -o args= -p $job | grep sleep; do :; done
kill $job
watch -t -n 0.1 -e 'test ! -e old.txt && false; rm old.txt; true' > watched.txt || echo ended $?
"""
ANSWERS = """\
patching file copy.txt
one
[{"total":3}]
2
hello world
   February 2024
"""


def test_every_new_command_runs_in_the_page(surface: Surface, terminal: str, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/journey.sh", content=JOURNEY)
    result = surface.call("terminal_execute", terminal_id=terminal, command=f"cd {folder} && bash journey.sh")
    lines = [line.rstrip() for line in result["output"].splitlines()]
    assert lines == [
        *ANSWERS.splitlines(),
        "b6285c57",
        "secret",
        "9",
        ".",
        "└── change.diff",
        "three",
        "jq-1.7",
        "ripgrep 13.0.0 (part of the shell of control-surface, modelled on it)",
        "1",
        "3:three",
        "Usage: patch [OPTION]... [ORIGFILE [PATCHFILE]]",
        "1",
        "1",
        "/",
        "1",
        "sleep 30",
        "ended 8",
    ]
    assert result["exit_code"] == 0


def test_a_missing_command_says_what_may_help(surface: Surface, terminal: str) -> None:
    result = surface.call("terminal_execute", terminal_id=terminal, command="grpe x; perl -v")
    assert result["exit_code"] == 127
    assert result["output"].splitlines()[:2] == ["bash: grpe: command not found", "Did you mean grep?"]
    has_linux = surface.javascript("return 'linux' in document.documentElement.dataset")
    way = "`linux perl …` runs it" if has_linux else "terminal_create(backend='host')"
    assert way in result["output"]
