"""The one table of colors, web/ui/style/tokens.css."""

from __future__ import annotations

import re
from pathlib import Path

UI = Path(__file__).parents[3] / "web/ui"
TABLE = UI / "style/tokens.css"
# https://www.w3.org/TR/css-color-4/#typedef-color; names of the system's colors are not in the table alone.
COLOR = re.compile(r"#[0-9a-f]{3,8}\b(?=\s*[;,)])|\b(?:rgba?|hsla?|oklch|light-dark)\(", re.IGNORECASE)
SYSTEM = re.compile(r"@media \(forced-colors: active\) \{(.*?)^\}", re.DOTALL | re.MULTILINE)


def test_no_other_style_sheet_has_colors_of_its_own() -> None:
    sheets = [sheet for sheet in UI.rglob("*.css") if sheet != TABLE]
    assert {sheet.name: found for sheet in sheets if (found := COLOR.findall(sheet.read_text()))} == {}


def test_every_color_has_a_value_for_high_contrast_and_the_systems_palette() -> None:
    normal, contrast, *_ = re.findall(r"^:root[^{]*\{(.*?)^\}", TABLE.read_text(), re.DOTALL | re.MULTILINE)
    [system] = SYSTEM.findall(TABLE.read_text())
    declared = {
        name: value
        for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", normal)
        if not value.startswith("var(")
    }
    for block, exempt in ((contrast, {"paper"}), (system, {"paper", "backdrop"})):
        assert set(declared) - set(re.findall(r"--([\w-]+):", block)) - exempt == set()
