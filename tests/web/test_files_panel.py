"""A person works with files in their panel: by keyboard and by pointer, as a list and as a map."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.axe import violations
from tests.web.person import Person, erase

SELECTED = (
    "[...document.querySelectorAll('#file-list [aria-selected=true]')]"
    ".map(({ dataset }) => dataset.path.split('/').at(-1))"
)
NAMES = "[...document.querySelectorAll('#file-list .file-name')].map((row) => row.innerText)"


def names(surface: Surface) -> list[str]:
    return surface.javascript(f"return {NAMES}")


def fill(surface: Surface, folder: str, *paths: str) -> None:
    """Make files that hold their own names, and show their directory."""
    for path in paths:
        surface.call("file_write", path=f"{folder}/{path}", content=path)
    surface.call("file_navigate", path=folder)
    last = paths[-1].split("/")[0]
    surface.wait_for(f"{NAMES}.some((name) => name.startsWith(arguments[0]))", last)


def focus(surface: Surface, path: str) -> None:
    surface.driver.execute_script("document.getElementById(`file:${arguments[0]}`).focus()", path)


def has_focus(surface: Surface, path: str) -> None:
    surface.wait_for("document.activeElement.id === `file:${arguments[0]}`", path)


def shows(surface: Surface, *expected: str) -> None:
    surface.wait_for(
        f"JSON.stringify({NAMES}) === arguments[0]", json.dumps(list(expected), separators=(",", ":"))
    )


def is_selected(surface: Surface, *expected: str) -> None:
    surface.wait_for(
        f"JSON.stringify({SELECTED}) === arguments[0]", json.dumps(list(expected), separators=(",", ":"))
    )


def row(path: str) -> str:
    return f"[data-path='{path}']"


def choose(person: Person, menu: str, item: str) -> None:
    person.click(f"#file-menu-{menu}")
    person.click(f".menu [data-item={item}]")


# --- it follows ---


def test_the_list_follows_the_agent(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/one.txt", content="1")
    assert surface.call("file_navigate", path=folder) == {"success": True, "files_count": 1}

    person.sees("#file-list", "one.txt")
    person.sees("#file-trail [aria-current=location]", folder.removeprefix("/project/"))


def test_the_list_follows_every_change_of_a_file(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_navigate", path=folder)
    surface.call("file_write", path=f"{folder}/by-tool.txt", content="123")
    person.sees("#file-list", "by-tool.txt")
    surface.call(
        "terminal_execute", command=f"cd {folder}; mkdir by-shell; ln -s by-tool.txt link; cd /project"
    )
    person.sees("#file-list", "by-shell/")
    surface.call("python_run", code=f"open({folder!r} + '/by-python.py', 'w').close()")
    person.sees("#file-list", "by-python.py")
    surface.call("terminal_execute", command=f"rm {folder}/by-tool.txt")

    person.sees("#file-list", "broken link")
    assert names(surface) == ["by-shell/", "by-python.py", "link (broken link) → by-tool.txt"]


def test_odd_names_are_shown_as_text(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/<img src=x onerror=alert(1)>.txt", content="")
    surface.call("file_navigate", path=folder)

    person.sees("#file-list", "<img src=x onerror=alert(1)>.txt")
    assert not surface.javascript("return document.querySelector('#file-list img')")


# --- walking ---


def test_a_person_walks_the_tree_by_pointer(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/inner/leaf.png", content="no picture")
    fill(surface, folder, "inner/leaf.txt")
    driver = surface.driver
    ActionChains(driver).double_click(person.find(row(f"{folder}/inner"))).perform()
    person.sees("#file-list", "leaf.png")
    ActionChains(driver).double_click(person.find(row(f"{folder}/inner/leaf.png"))).perform()
    person.sees("#file-viewer-title", f"{folder}/inner/leaf.png")
    person.click("#file-viewer-close")
    person.no_longer_sees("#file-viewer")
    person.click("#file-up")
    person.sees("#file-list", "inner/")
    person.click("#file-trail li:nth-child(2) button")
    person.sees("#file-list", "README.md")


def test_a_path_can_be_typed(surface: Surface, person: Person, folder: str) -> None:
    person.click("#file-edit-path")
    person.type("/nowhere\n")
    person.sees("#file-problem", "'/nowhere' does not exist")
    field = person.find("#file-path")
    erase(field)
    field.send_keys(f"{folder}\n")
    person.sees("#file-trail", folder.removeprefix("/project/"))
    person.no_longer_sees("#file-problem")
    person.no_longer_sees("#file-path")


def test_the_tree_is_walked_by_keyboard(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a/in-a.txt", "b/in-b.txt", "c.png")
    focus(surface, f"{folder}/a")
    person.press(Keys.ARROW_DOWN)
    has_focus(surface, f"{folder}/b")
    person.press(Keys.ENTER)
    person.sees("#file-list", "in-b.txt")
    person.press(Keys.BACKSPACE)
    person.sees("#file-list", "c.png")
    has_focus(surface, f"{folder}/b")
    person.press(Keys.END)
    has_focus(surface, f"{folder}/c.png")
    person.press(Keys.HOME)
    has_focus(surface, f"{folder}/a")
    person.type("c")
    has_focus(surface, f"{folder}/c.png")
    person.press(Keys.ENTER)
    person.sees("#file-viewer-title", "c.png")
    person.press(Keys.ESCAPE)
    person.no_longer_sees("#file-viewer")
    has_focus(surface, f"{folder}/c.png")


def test_two_thousand_files_are_few_in_the_document(surface: Surface, person: Person, folder: str) -> None:
    surface.python(f"[open(f'{folder}/{{n:04}}.txt', 'w').close() for n in range(2_000)]")
    fill(surface, folder, "0000.txt")
    focus(surface, f"{folder}/0000.txt")
    person.press(Keys.END)
    has_focus(surface, f"{folder}/1999.txt")
    person.type("1500")
    has_focus(surface, f"{folder}/1500.txt")
    # Another key ends what was typed.
    person.type(f"17{Keys.HOME}0900")
    has_focus(surface, f"{folder}/0900.txt")
    person.type(f"{Keys.HOME}1500")
    has_focus(surface, f"{folder}/1500.txt")
    assert surface.javascript("return document.querySelectorAll('#file-list > *').length") < 100
    assert surface.javascript("return document.querySelector('#file-grid').ariaRowCount") == "2001"
    in_sight = surface.javascript(
        """const [row, place] = [document.activeElement, document.querySelector('.file-scroll')]
             .map((element) => element.getBoundingClientRect());
           return row.top > place.top && row.bottom < place.bottom + 1;"""
    )
    assert in_sight
    person.click("#file-view-map")
    person.sees("#file-list", "0000.txt")
    assert surface.javascript("return document.querySelectorAll('#file-list > *').length") < 200
    person.click("#file-view-list")


# --- sorting, filtering, selecting ---


def test_columns_sort_and_directories_stay_first(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "z/inner", "b10.txt", "b9.txt", "a-long-name.txt")
    shows(surface, "z/", "a-long-name.txt", "b9.txt", "b10.txt")
    person.click(".file-columns .file-name button")
    shows(surface, "z/", "b10.txt", "b9.txt", "a-long-name.txt")
    person.click(".file-columns .file-size button")
    shows(surface, "z/", "b9.txt", "b10.txt", "a-long-name.txt")
    assert person.find(".file-columns .file-size").get_attribute("aria-sort") == "ascending"
    surface.reload()
    surface.call("file_navigate", path=folder)
    shows(surface, "z/", "b9.txt", "b10.txt", "a-long-name.txt")
    person.click(".file-columns .file-name button")
    shows(surface, "z/", "a-long-name.txt", "b9.txt", "b10.txt")


def test_a_filter_leaves_what_holds_it(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "one.txt", "two.txt", "TWONE.md")
    person.click("#file-filter")
    person.type("one")
    shows(surface, "one.txt", "TWONE.md")
    person.type("x")
    person.sees("#file-note", "Clear the filter")
    surface.call("file_navigate", path="/project")
    person.sees("#file-list", "README.md")
    assert person.find("#file-filter").get_attribute("value") == ""


def test_several_are_selected_by_keyboard(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a", "b", "c", "d")
    focus(surface, f"{folder}/a")
    person.press(Keys.ARROW_DOWN)
    is_selected(surface, "b")
    person.press(Keys.ARROW_DOWN, holding=Keys.SHIFT)
    is_selected(surface, "b", "c")
    person.press(Keys.ARROW_UP, holding=Keys.SHIFT, times=2)
    is_selected(surface, "a", "b")
    person.press(Keys.END, holding=Keys.CONTROL)
    is_selected(surface, "a", "b")
    person.press(Keys.SPACE, holding=Keys.CONTROL)
    is_selected(surface, "a", "b", "d")
    person.press("a", holding=Keys.CONTROL)
    is_selected(surface, "a", "b", "c", "d")


def test_several_are_selected_by_pointer(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a", "b", "c", "d")
    place = {name: person.find(row(f"{folder}/{name}")) for name in "abcd"}
    place["a"].click()
    is_selected(surface, "a")
    ActionChains(surface.driver).key_down(Keys.CONTROL).click(place["c"]).key_up(Keys.CONTROL).perform()
    is_selected(surface, "a", "c")
    ActionChains(surface.driver).key_down(Keys.SHIFT).click(place["d"]).key_up(Keys.SHIFT).perform()
    is_selected(surface, "c", "d")
    place["b"].click()
    is_selected(surface, "b")


# --- making, renaming, deleting ---


def test_a_folder_and_a_file_are_made(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_navigate", path=folder)
    person.sees("#file-note", "empty")
    choose(person, "new", "new-folder")
    person.type("inner\n")
    person.sees("#file-list", "inner/")
    is_selected(surface, "inner")
    choose(person, "new", "new-file")
    person.type("inner")
    person.press(Keys.ENTER)
    person.sees("#file-problem", "already exists")
    field = person.find("#file-new-name")
    erase(field)
    field.send_keys("note.md\n")
    person.sees("#file-list", "note.md")
    person.sees("#editor-title", "note.md")
    assert surface.call("file_read", path=f"{folder}/note.md")["content"] == ""


def test_a_file_is_renamed_in_its_place(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a.txt", "b.txt")
    focus(surface, f"{folder}/a.txt")
    person.press(Keys.F2)
    surface.wait_for("document.activeElement.id === 'file-rename'")
    # The part before the dot is selected.
    person.type("c")
    person.press(Keys.ENTER)
    shows(surface, "b.txt", "c.txt")
    has_focus(surface, f"{folder}/c.txt")
    person.press(Keys.F2)
    person.type("b")
    person.press(Keys.ENTER)
    person.sees("#file-problem", "already exists")
    person.press("z", holding=Keys.CONTROL)
    shows(surface, "a.txt", "b.txt")
    focus(surface, f"{folder}/a.txt")
    person.press(Keys.F2)
    person.type("unwanted")
    person.press(Keys.ESCAPE)
    has_focus(surface, f"{folder}/a.txt")
    shows(surface, "a.txt", "b.txt")


def test_what_is_deleted_comes_back(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "tree/deep/a.txt", "b.txt", "c.txt", "d.txt")
    focus(surface, f"{folder}/tree")
    person.press(Keys.ARROW_DOWN, holding=Keys.SHIFT, times=2)
    person.press(Keys.DELETE)
    shows(surface, "d.txt")
    has_focus(surface, f"{folder}/d.txt")
    person.sees("#file-notice", "Moved 3 files to the trash.")
    person.click("#file-undo")
    shows(surface, "tree/", "b.txt", "c.txt", "d.txt")
    assert surface.call("file_read", path=f"{folder}/tree/deep/a.txt")["content"] == "tree/deep/a.txt"
    person.click(row(f"{folder}/d.txt"))
    person.press(Keys.DELETE)
    shows(surface, "tree/", "b.txt", "c.txt")
    person.press("z", holding=Keys.CONTROL)
    shows(surface, "tree/", "b.txt", "c.txt", "d.txt")


def test_the_trash_outlives_the_page(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "kept.txt")
    focus(surface, f"{folder}/kept.txt")
    person.press(Keys.DELETE)
    person.sees("#file-notice", "Moved kept.txt to the trash.")
    surface.reload()
    assert surface.call("file_list", path=folder) == []
    found = surface.call("file_find", pattern="kept*.txt", path="/home/user/.local/share/Trash/files")
    assert [entry["name"] for entry in found] == ["kept.txt"]


def test_the_menu_has_all_by_keyboard_and_pointer(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a.txt", "b.txt")
    focus(surface, f"{folder}/b.txt")
    person.press(Keys.F10, holding=Keys.SHIFT)
    person.sees(".menu", "Rename or move")
    person.press(Keys.END)
    person.press(Keys.ENTER)
    shows(surface, "a.txt")
    ActionChains(surface.driver).context_click(person.find(row(f"{folder}/a.txt"))).perform()
    person.click(".menu [data-item=rename]")
    person.type("moved/a")
    person.press(Keys.ENTER)
    shows(surface, "moved/")
    assert surface.call("file_read", path=f"{folder}/moved/a.txt")["content"] == "a.txt"
    choose(person, "new", "new-file")
    person.press(Keys.ESCAPE)
    person.no_longer_sees("#file-make")


# --- bringing and taking ---


def test_files_are_added_by_the_picker_and_never_over_others(
    surface: Surface, person: Person, folder: str, tmp_path: Path
) -> None:
    fill(surface, folder, "a.txt")
    for name, data in (("a.txt", b"new"), ("b.bin", bytes(range(256)))):
        (tmp_path / name).write_bytes(data)
    paths = f"{tmp_path}/a.txt\n{tmp_path}/b.bin"
    picker = surface.driver.find_element("id", "file-upload")

    picker.send_keys(paths)
    person.sees("dialog.question", "File already exists")
    person.press(Keys.ESCAPE)
    person.sees("#file-notice", "No files were added")
    assert names(surface) == ["a.txt"]

    picker.send_keys(paths)
    person.click("dialog.question [value=keep_both]")
    shows(surface, "a (2).txt", "a.txt", "b.bin")
    assert surface.call("file_read", path=f"{folder}/a.txt")["content"] == "a.txt"
    assert surface.call("file_read", path=f"{folder}/a (2).txt")["content"] == "new"
    assert surface.python(f"list(open({folder!r} + '/b.bin', 'rb').read()) == list(range(256))")

    picker.send_keys(f"{tmp_path}/a.txt")
    person.click("dialog.question [value=replace]")
    person.sees("#file-notice", "Added 1 file")
    assert surface.call("file_read", path=f"{folder}/a.txt")["content"] == "new"


def test_a_folder_is_added_by_drop(surface: Surface, person: Person, folder: str, tmp_path: Path) -> None:
    surface.call("file_navigate", path=folder)
    person.sees("#file-note", "empty")
    (tmp_path / "tree/empty").mkdir(parents=True)
    (tmp_path / "tree/deep").mkdir()
    (tmp_path / "tree/deep/a.txt").write_text("dropped")
    (tmp_path / "one.txt").write_text("one")
    box = surface.javascript(
        "const { x, y, width, height } = document.querySelector('.file-scroll').getBoundingClientRect();"
        "return { x: x + width / 2, y: y + height / 2 };"
    )
    data = {
        "items": [],
        "files": [str(tmp_path / "tree"), str(tmp_path / "one.txt")],
        "dragOperationsMask": 1,
    }
    for kind in ("dragEnter", "dragOver", "drop"):
        surface.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, **box, "data": data})
    shows(surface, "tree/", "one.txt")
    is_selected(surface, "tree", "one.txt")
    assert surface.call("file_read", path=f"{folder}/tree/deep/a.txt")["content"] == "dropped"
    assert [entry["name"] for entry in surface.call("file_list", path=f"{folder}/tree")] == ["deep", "empty"]


def test_a_folder_is_taken_out_as_an_archive(
    surface: Surface, person: Person, folder: str, tmp_path: Path
) -> None:
    fill(surface, folder, "tree/deep/é.txt", "one.txt")
    saved = {"behavior": "allow", "downloadPath": str(tmp_path)}
    surface.driver.execute_cdp_cmd("Browser.setDownloadBehavior", saved)
    person.click(row(f"{folder}/one.txt"))
    choose(person, "selected", "download")
    person.sees("#file-notice", "saving one.txt")
    person.click(row(f"{folder}/tree"))
    choose(person, "selected", "download")
    person.sees("#file-notice", "saving tree.zip")
    # The browser gives a file its name when it is whole. Each look takes a round trip to the page.
    while not ((tmp_path / "tree.zip").exists() and (tmp_path / "one.txt").exists()):
        surface.javascript("await new Promise(requestAnimationFrame)")
    assert (tmp_path / "one.txt").read_text() == "one.txt"
    with ZipFile(io.BytesIO((tmp_path / "tree.zip").read_bytes())) as found:
        assert found.read("tree/deep/é.txt").decode() == "tree/deep/é.txt"


# --- the map ---


def test_files_stand_on_the_map_where_python_says(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "inner/x", *(f"{n}.txt" for n in range(9)))
    person.click("#file-view-map")
    surface.wait_for("document.querySelector('.file-map')")
    drawn = surface.javascript(
        "return [...document.querySelectorAll('.place')]"
        ".map(({ dataset, style }) => [dataset.path, style.left, style.top])"
    )
    told = {entry["path"]: entry for entry in surface.call("file_list", path=folder)}
    assert len(drawn) > 4
    for path, left, top in drawn:
        assert (left, top) == (f"{told[path]['x']}px", f"{told[path]['y']}px")
    focus(surface, f"{folder}/inner")
    person.press(Keys.ARROW_RIGHT)
    has_focus(surface, f"{folder}/0.txt")
    person.press(Keys.ARROW_DOWN)
    has_focus(surface, f"{folder}/8.txt")
    person.press(Keys.ARROW_LEFT)
    is_selected(surface, "7.txt")
    person.press(Keys.F2)
    person.type("renamed")
    person.press(Keys.ENTER)
    person.sees("#file-list", "renamed.txt")
    surface.reload()
    surface.wait_for("document.querySelector('.file-map .place')")
    person.click("#file-view-list")


def test_the_map_is_moved_by_its_ground(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, *(f"{n:02}.txt" for n in range(20)))
    person.click("#file-view-map")
    surface.wait_for("document.querySelector('.file-map')")
    ground = person.find(".file-scroll")
    ActionChains(surface.driver).move_to_element_with_offset(ground, 0, 150).click_and_hold().move_by_offset(
        -100, 0
    ).release().perform()
    assert surface.javascript("return document.querySelector('.file-scroll').scrollLeft") == 100
    person.click("#file-view-list")


# --- the preview ---


def preview(surface: Surface, person: Person, folder: str, name: str, content: str) -> None:
    surface.call("file_write", path=f"{folder}/{name}", content=content)
    fill(surface, folder, "z")
    person.click(row(f"{folder}/{name}"))
    choose(person, "selected", "preview")
    person.sees("#file-viewer-title", name)


@pytest.fixture
def reader(person: Person) -> Person:
    """The person, for tests that leave the preview open."""
    return person


def test_markdown_is_laid_out_and_loads_nothing_from_outside(
    surface: Surface, reader: Person, folder: str
) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>'
    surface.call("file_write", path=f"{folder}/img/a b.svg", content=picture)
    text = (
        "# Title\n\n[there](z) [out](https://example.com) ![in](img/a%20b.svg) ![out](https://example.com/x.png)\n\n"
        "<script>document.title = 'bad'</script><img src=//example.com/y onerror=\"document.title = 'bad'\">"
        "<a href='javascript:document.title=1'>js</a><p style='position:fixed' id='files'>styled</p>"
    )
    preview(surface, reader, folder, "a.md", text)
    reader.sees("#file-viewer-body h1", "Title")
    surface.wait_for("document.querySelector('#file-viewer-body img')?.naturalWidth === 30")
    html = surface.javascript("return document.querySelector('.preview-markdown').innerHTML")
    assert "example.com/x" not in html and "example.com/y" not in html
    assert "javascript:" not in html and "<script" not in html and "style=" not in html and "id=" not in html
    assert surface.javascript("return document.title") != "bad"
    loaded = surface.javascript("return performance.getEntriesByType('resource').map(({ name }) => name)")
    assert not [name for name in loaded if "example.com" in name]
    reader.click("#file-viewer-body a[title$='/z']")
    reader.no_longer_sees("#file-viewer")
    reader.sees("#editor-title", "Editor: z")


def test_json_is_a_tree(surface: Surface, reader: Person, folder: str) -> None:
    preview(surface, reader, folder, "a.json", json.dumps({"list": list(range(40)), "text": "<b>"}))
    reader.sees(".preview-tree", '"<b>"')
    assert "39" not in reader.sees(".preview-tree", "[40 items]")
    reader.find(".preview-tree details details summary").click()
    reader.sees(".preview-tree", "39: 39")


def test_json_that_is_none_is_shown_as_text(surface: Surface, reader: Person, folder: str) -> None:
    preview(surface, reader, folder, "a.json", "{not json")
    reader.sees("#file-viewer-body", "isn't valid JSON")
    reader.sees("#file-viewer-body pre", "{not json")


def test_a_table_has_its_first_rows(surface: Surface, reader: Person, folder: str) -> None:
    rows = "\n".join(f'{n},"with, comma",<i>' for n in range(500))
    preview(surface, reader, folder, "a.csv", f"n,text,tag\n{rows}\n")
    reader.sees("#file-viewer-body th", "text")
    reader.sees("#file-viewer-body .note", "the first 200 of 500 rows")
    cells = surface.javascript(
        "return [...document.querySelectorAll('#file-viewer-body tbody tr:last-child td')]"
        ".map((cell) => cell.innerText)"
    )
    assert cells == ["199", "with, comma", "<i>"]


def test_a_picture_and_what_can_not_be_shown(surface: Surface, reader: Person, folder: str) -> None:
    surface.python(
        f"""
import base64
png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
open({folder!r} + "/dot.png", "wb").write(base64.b64decode(png))
open({folder!r} + "/data.bin", "wb").write(bytes(range(256)))
"""
    )
    fill(surface, folder, "z")
    focus(surface, f"{folder}/dot.png")
    reader.press(Keys.ENTER)
    surface.wait_for("document.querySelector('#file-viewer-body img')?.naturalWidth === 1")
    reader.click("#file-viewer-close")
    focus(surface, f"{folder}/data.bin")
    reader.press(Keys.ENTER)
    reader.sees("#file-viewer-body", "isn't text")
    reader.click("#file-viewer-close")


def test_a_long_text_says_that_it_is_cut_and_the_editor_has_it_all(
    surface: Surface, reader: Person, folder: str
) -> None:
    surface.python(f"open({folder!r} + '/long.txt', 'w').write('line\\n' * 200_000 + 'end')")
    fill(surface, folder, "z")
    reader.click(row(f"{folder}/long.txt"))
    choose(reader, "selected", "preview")
    reader.sees("#file-viewer-body .note", "Only the first")
    reader.click("#file-viewer-edit")
    reader.no_longer_sees("#file-viewer")
    reader.sees("#editor-title", "long.txt")


# --- the clipboard ---


def test_a_path_is_copied(surface: Surface, person: Person, folder: str) -> None:
    person.copy("nothing")
    fill(surface, folder, "a.txt")
    person.click(row(f"{folder}/a.txt"))
    choose(person, "selected", "copy-path")
    person.sees("#files", "Path copied.")
    assert surface.javascript("return navigator.clipboard.readText()") == f"{folder}/a.txt"


def test_where_the_browser_refuses_its_clipboard_the_person_is_told(
    surface: Surface, person: Person, folder: str
) -> None:
    refusing = (
        "navigator.clipboard.writeText = async () => { throw new DOMException('denied', 'NotAllowedError'); }"
    )
    fill(surface, folder, "a.txt")
    person.click(row(f"{folder}/a.txt"))
    surface.javascript(refusing)
    try:
        choose(person, "selected", "copy-path")
        person.sees("#file-problem", "Copying failed: denied")
        person.sees("#file-problem .hint", "Allow this page to use the clipboard.")
    finally:
        surface.javascript("delete navigator.clipboard.writeText")


# --- for everybody ---


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_wrong_with_the_panel(open_surface: OpenSurface, dark: bool) -> None:
    surface = open_surface(dark=dark)
    person = Person(surface)
    assert violations(surface, "#files") == []
    surface.call("file_write", path="/project/guide.md", content="# A\n\n| a |\n|---|\n| 1 |\n\n- [x] done\n")
    surface.call("file_write", path="/project/a.json", content='{"a": [1, null, "x", true]}')
    surface.call("file_write", path="/project/a.csv", content="a,b\n1,2\n")
    person.sees("#file-list", "a.csv")
    person.click(row("/project/guide.md"))
    assert violations(surface, "#files") == []
    for item in ("preview", "rename"):
        person.click("#file-menu-selected")
        person.find(".menu [data-item=open]")
        assert violations(surface, "#files") == []
        person.click(f".menu [data-item={item}]")
        if item == "preview":
            person.sees("#file-viewer-body h1", "A")
            assert violations(surface, "#file-viewer") == []
            person.click("#file-viewer-close")
        else:
            person.find("#file-rename")
            assert violations(surface, "#files") == []
            person.press(Keys.ESCAPE)
    for name, part in (("a.json", ".preview-tree"), ("a.csv", "table"), ("app.log", "pre")):
        person.click(row(f"/project/{name}"))
        choose(person, "selected", "preview")
        person.find(f"#file-viewer-body {part}")
        assert violations(surface, "#file-viewer") == []
        person.click("#file-viewer-close")
    person.click("#file-edit-path")
    assert violations(surface, "#files") == []
    person.press(Keys.ESCAPE)
    choose(person, "new", "new-file")
    assert violations(surface, "#files") == []
    person.press(Keys.ESCAPE)
    person.click("#file-view-map")
    person.sees(".file-map", "README.md")
    assert violations(surface, "#files") == []
