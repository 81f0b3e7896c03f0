"""Grids whose cells have the focus in turn: read as data, and edited."""

from __future__ import annotations

import re

from tests.web.page.acting import act, refused
from tests.web.page.conftest import OpenPage

# A grid like those of libraries: roving focus, a header that is drawn again above the rows, and an editor that a
# double-click opens in a cell.
GRID = """<style>#g { position: relative } th, td { width: 90px; height: 24px }
#copy { position: absolute; left: 0; top: 0; background: white }</style>
<div id=g role=grid><table role=presentation><tr role=row><th role=columnheader aria-sort=ascending tabindex=-1>Name</th>
<th role=columnheader tabindex=-1>Age</th></tr>
<tr role=row><td role=gridcell tabindex=-1 id=ann>Ann</td><td role=gridcell tabindex=-1>41</td></tr>
<tr role=row tabindex=-1><td role=gridcell tabindex=-1>Bob</td><td role=gridcell>7</td></tr></table>
<table id=copy role=presentation><tr role=row><th role=columnheader aria-sort=ascending tabindex=-1>Name</th>
<th role=columnheader tabindex=-1>Age</th></tr></table></div>
<div role=treegrid aria-label=Team><div role=row tabindex=0>Alice <b>42</b></div></div>
<script>
g.ondblclick = ({ target }) => {
  if (target.id !== "ann") return;
  const field = document.createElement("input");
  field.value = target.textContent;
  field.onkeydown = ({ key }) => { if (key === "Enter") target.textContent = field.value; };
  setTimeout(() => { target.replaceChildren(field); field.focus(); }, 30);
};
</script>"""


def test_the_cells_of_a_grid_are_listed_by_rows(open_page: OpenPage) -> None:
    snapshot = open_page(GRID).snapshot()
    listed = [(one["role"], one["name"]) for one in snapshot["elements"]]
    assert listed == [
        ("gridcell", "Ann"), ("gridcell", "41"), ("row", "Bob 7"), ("gridcell", "Bob"),
        ("columnheader", "Name"), ("columnheader", "Age"), ("row", "Alice 42"),
    ]  # fmt: skip
    text = re.sub(r"e\d+", "e", re.sub(r"\d+,\d+ \d+x\d+", "box", snapshot["text"]))
    assert text.splitlines()[2:] == [
        '[e] row: [e] "Ann" | [e] "41"',
        '[e] row [box]: [e] "Bob"',
        '[e] row: [e] columnheader "Name" sort=ascending | [e] columnheader "Age"',
        '[e] treegrid "Team"',
        ' [e] row [box] "Alice 42"',
    ]


def test_typing_into_a_cell_opens_its_editor(open_page: OpenPage) -> None:
    page = open_page(GRID)
    assert act(page, "type", selector="#ann", text="Zoe", submit=True)["value"] == "Zoe"
    assert page.run("return ann.textContent") == "Zoe"
    assert refused(page, "type", selector="#ann + td", text="5")["type"] == "Unsupported"
