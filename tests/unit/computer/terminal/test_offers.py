"""The offer to install what a typed command lacks."""

import pytest

from gemini.computer.terminal.offers import offer_of


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("python x.py", "pip install numpy && python x.py"),
        (
            "cd /project && python -m pytest 'a b.py'",
            "pip install numpy && cd /project && python -m pytest 'a b.py'",
        ),
        ("python x.py > out 2>&1 | cat", "pip install numpy && python x.py > out 2>&1 | cat"),
        ("python x.py; ls", "pip install numpy && eval 'python x.py; ls'"),
        ("python x.py || echo 'no'", "pip install numpy && eval 'python x.py || echo '\"'\"'no'\"'\"''"),
        ("python x.py &", "pip install numpy && eval 'python x.py &'"),
        ("python - <<E\nimport numpy\nE", "pip install numpy && eval 'python - <<E\nimport numpy\nE'"),
    ],
)
def test_the_command_runs_again_only_after_the_installation(command: str, line: str) -> None:
    assert offer_of("numpy", f"{command} ") == {"package": "numpy", "line": line}
