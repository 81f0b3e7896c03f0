"""`jq` and `yq` in the page."""

from __future__ import annotations

import pytest

from gemini_testing import Surface

pytestmark = pytest.mark.extended

YAML = """\
# top
a: 1 # one
b:
  c: x

  list:
    - 1
    - two # item
    - {k: v}
d: "quoted"
n: 1.0
"""
CHANGED = """\
# top
a: 5 # one
b:
  c: x

  list:
    - 1
    - two # item
    - {k: v}
    - new
d: "quoted"
n: 1.0
e-f:
  g: true
"""
# What mikefarah's yq 4 prints, but that it loses empty lines.
YQ = {
    "yq .a y.yml": "1\n",
    "yq .n y.yml": "1.0\n",
    "yq '.d' y.yml": "quoted\n",
    "yq . y.yml": YAML,
    "cat y.yml | yq .b.list[1]": "two\n",
    "yq '.b.list' y.yml": "- 1\n- two # item\n- {k: v}\n",
    "yq '.b.list[]' y.yml": "1\ntwo\nk: v\n",
    "yq -o json -I0 .b y.yml": '{"c":"x","list":[1,"two",{"k":"v"}]}\n',
    "yq -o=json '.b.list[1]' y.yml": '"two"\n',
    "yq 'keys' y.yml": "- a\n- b\n- d\n- n\n",
    "yq '.none' y.yml": "null\n",
    "yq '.none // \"default\"' y.yml": "default\n",
    "yq -e .none y.yml; echo $?": "null\n1\n",
    "yq -i '.a = 5 | .b.list += [\"new\"] | .e-f.g = true' y.yml; cat y.yml": CHANGED,
    "yq 'del(.b)' y.yml": '# top\na: 1 # one\nd: "quoted"\nn: 1.0\n',
    "printf 'a: 1\\n---\\na: 2\\n' | yq .a": "1\n---\n2\n",
    'echo \'{"x": {"y": [1]}}\' | yq -P': "x:\n  y:\n    - 1\n",
    'echo \'{"x": {"y": [1]}}\' | yq -p json -o yaml .x': "y:\n  - 1\n",
    "printf 'a: 1\\nb: {c: 1}\\n' > 1.yml; printf 'b: {d: 2}\\n' > 2.yml; "
    "yq ea '. as $item ireduce ({}; . * $item)' 1.yml 2.yml": "a: 1\nb: {c: 1, d: 2}\n",
    "X=text yq -n '.a = strenv(X) | .b = env(N)'": "a: text\nb: null\n",
    "yq '.[' y.yml; echo $?": "1\n",
    "yq .a none.yml; echo $?": "1\n",
}


def test_yq_reads_and_changes_yaml_as_mikefarah_s(surface: Surface, folder: str) -> None:
    different = {}
    for line, expected in YQ.items():
        surface.call("file_write", path=f"{folder}/y.yml", content=YAML)
        ran = surface.call("terminal_execute", command=f"cd {folder}\n{line}", streams=True)
        if ran["stdout"] != expected:
            different[line] = (ran["stdout"], ran["stderr"])
    assert different == {}


def test_an_endless_filter_ends_and_the_next_one_runs(surface: Surface) -> None:
    ran = surface.call("terminal_execute", command="jq -n 'repeat(1) | empty'", timeout_s=0.5)
    assert ran["timed_out"]
    assert surface.call("terminal_execute", command="jq -n 1+1")["output"] == "2\n"


def test_a_filter_without_files_leaves_the_input_of_a_loop_alone(surface: Surface) -> None:
    command = "printf 'a\\nb\\n' | while read -r x; do jq -cn --arg x \"$x\" '$x'; done"
    assert surface.call("terminal_execute", command=command)["output"] == '"a"\n"b"\n'
