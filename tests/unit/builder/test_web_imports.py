"""The check of the imports between the folders of web/."""

from pathlib import Path

from builder.web_imports import complaints

RULES = """
[imports]
kernel = []
shared = []
ui = ["shared", "ui/*"]
"ui/*" = ["ui/elements"]
"""
OTHER = "export const other = 1;\n"


def _complaints(folder: Path, rules: str = RULES, **modules: str) -> list[str]:
    """Return the complaints about modules by name, in which __ stands for a slash."""
    (folder / "imports.toml").write_text(rules)
    for name, text in {"shared__other.js": OTHER, "ui__elements.ts": OTHER, **modules}.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [line for line in complaints(folder) if "remove the entry" not in line]


def test_an_import_needs_a_rule(tmp_path: Path) -> None:
    text = 'import { other } from "../shared/other.js";\nimport {\n  other as same,\n} from "../ui/elements.ts";\n'
    assert _complaints(tmp_path, **{"kernel__worker.ts": text, "ui__main.js": text}) == [
        "web/kernel/worker imports shared/other, which web/imports.toml doesn't allow in kernel",
        "web/kernel/worker imports ui/elements, which web/imports.toml doesn't allow in kernel",
    ]


def test_imports_of_types_count(tmp_path: Path) -> None:
    texts = [
        '/** @import { Other } from "../shared/other.js" */',
        '/** @type {import("../shared/other.js").Other} */',
        'import type { Other } from "../shared/other.js";',
    ]
    for text in texts:
        assert len(_complaints(tmp_path, **{"kernel__worker.js": text})) == 1


def test_a_rule_for_all_folders_holds_besides_their_own(tmp_path: Path) -> None:
    rules = f'{RULES}"ui/files" = ["shared"]\n'
    text = 'import "../elements.ts";\nimport "../../shared/other.js";\n'
    assert _complaints(tmp_path, rules, **{"ui__files__panel.js": text, "ui__chat__panel.js": text}) == [
        "web/ui/chat/panel imports shared/other, which web/imports.toml doesn't allow in ui/chat"
    ]


def test_a_folder_needs_rules_and_a_module_must_exist(tmp_path: Path) -> None:
    assert _complaints(tmp_path, **{"new__main.js": "", "ui__main.js": 'import "./gone.js";'}) == [
        "web/new/main: web/imports.toml has no rules for its folder",
        "web/ui/main imports ui/gone, which doesn't exist",
    ]


def test_folders_import_each_other_one_way_but_for_single_modules(tmp_path: Path) -> None:
    rules = '[imports]\nkernel = ["shared"]\nshared = ["kernel"]\nui = []\n'
    modules = {"kernel__a.ts": 'import "../shared/other.js";', "shared__b.ts": 'import "../kernel/a.ts";'}
    ending = "imports itself by other folders; list the modules that it may import instead"
    assert _complaints(tmp_path, rules, **modules) == [f"web/kernel {ending}", f"web/shared {ending}"]
    assert _complaints(tmp_path, rules.replace('["kernel"]', '["kernel/a"]'), **modules) == []


def test_a_rule_without_use_is_removed(tmp_path: Path) -> None:
    (tmp_path / "imports.toml").write_text('[imports]\nui = ["shared"]')
    expected = "web/imports.toml: no module of ui imports shared; remove the entry"
    assert list(complaints(tmp_path)) == [expected]


def test_a_circle_is_found_unless_it_is_listed(tmp_path: Path) -> None:
    circle = {"ui__a.js": 'import "./b.js";', "ui__b.ts": 'export * from "./a.js";'}
    found = [
        "web/ui/a is in a circle of imports, by ui/b",
        "web/ui/b is in a circle of imports, by ui/a",
    ]
    assert _complaints(tmp_path, **circle) == found
    listed = f'{RULES}\n[[circles]]\nreason = "A test."\nmodules = ["ui/a", "ui/b"]\n'
    assert _complaints(tmp_path, listed, **circle) == []
    circle["ui__b.ts"] = (
        'import type { A } from "./a.js";\n/* import "./a.js"; */\nconst late = import("./a.js");'
    )
    assert _complaints(tmp_path, listed, **circle) == [
        "web/imports.toml: ui/a is in no circle; remove it from the list",
        "web/imports.toml: ui/b is in no circle; remove it from the list",
    ]
