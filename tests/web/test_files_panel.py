"""The Files panel: by keyboard and pointer, as a list and as a map."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person, erase
from tests.web.shadow import content

SELECTED = (
    "[...document.querySelectorAll('#file-list [aria-selected=true]')]"
    ".map(({ dataset }) => dataset.path.split('/').at(-1))"
)
NAMES = "[...document.querySelectorAll('#file-list .file-name')].map((row) => row.innerText)"


def names(surface: Surface) -> list[str]:
    return surface.javascript(f"return {NAMES}")


def fill(surface: Surface, folder: str, *paths: str) -> None:
    """Create files that contain their own names, and show their directory."""
    for path in paths:
        surface.call("file_write", path=f"{folder}/{path}", content=path)
    surface.call("file_navigate", path=folder)
    # The folder that was shown before may have a file of this name.
    last = paths[-1].split("/")[0]
    surface.wait_for("document.getElementById(`file:${arguments[0]}`)", f"{folder}/{last}")


def focus(surface: Surface, path: str) -> None:
    surface.driver.execute_script("document.getElementById(`file:${arguments[0]}`).focus()", path)


def wait_for_focus(surface: Surface, path: str) -> None:
    surface.wait_for("document.activeElement.id === `file:${arguments[0]}`", path)


def wait_for_rows(surface: Surface, *expected: str) -> None:
    surface.wait_for(
        f"JSON.stringify({NAMES}) === arguments[0]", json.dumps(list(expected), separators=(",", ":"))
    )


def wait_for_selection(surface: Surface, *expected: str) -> None:
    surface.wait_for(
        f"JSON.stringify({SELECTED}) === arguments[0]", json.dumps(list(expected), separators=(",", ":"))
    )


def row(path: str) -> str:
    return f"[data-path='{path}']"


def choose_item(person: Person, menu: str, item: str) -> None:
    person.click(f'region "Files" button "{"New" if menu == "new" else "Actions"}"')
    person.click(f".menu [data-item={item}]")


# --- following changes ---


def test_the_list_follows_the_agent(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/one.txt", content="1")
    assert surface.call("file_navigate", path=folder) == {"success": True, "files_count": 1}

    person.sees('grid "Files"', "one.txt")
    person.sees('navigation "Current folder" [aria-current=location]', folder.removeprefix("/project/"))


def test_the_list_follows_every_change_of_a_file(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_navigate", path=folder)
    surface.call("file_write", path=f"{folder}/by-tool.txt", content="123")
    person.sees('grid "Files"', "by-tool.txt")
    surface.call(
        "terminal_execute", command=f"cd {folder}; mkdir by-shell; ln -s by-tool.txt link; cd /project"
    )
    person.sees('grid "Files"', "by-shell/")
    surface.call("python_run", code=f"open({folder!r} + '/by-python.py', 'w').close()")
    person.sees('grid "Files"', "by-python.py")
    surface.call("terminal_execute", command=f"rm {folder}/by-tool.txt")

    person.sees('grid "Files"', "broken link")
    assert names(surface) == ["by-shell/", "by-python.py", "link (broken link) → by-tool.txt"]


def test_odd_names_are_shown_as_text(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/<img src=x onerror=alert(1)>.txt", content="")
    surface.call("file_navigate", path=folder)

    person.sees('grid "Files"', "<img src=x onerror=alert(1)>.txt")
    assert not surface.javascript("return document.querySelector('#file-list img')")


# --- navigation ---


@pytest.mark.fortnightly
def test_directories_are_navigated_by_pointer(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/inner/leaf.png", content="no picture")
    fill(surface, folder, "inner/leaf.txt")
    driver = surface.driver
    ActionChains(driver).double_click(person.find(row(f"{folder}/inner"))).perform()
    person.sees('grid "Files"', "leaf.png")
    ActionChains(driver).double_click(person.find(row(f"{folder}/inner/leaf.png"))).perform()
    person.sees("dialog.viewer h2", f"{folder}/inner/leaf.png")
    person.click('dialog.viewer button "Close"')
    person.no_longer_sees("dialog.viewer")
    person.click('button "Up"')
    person.sees('grid "Files"', "inner/")
    person.click('navigation "Current folder" li:nth-child(2) button')
    person.sees('grid "Files"', "README.md")


@pytest.mark.extended
def test_a_path_can_be_typed(surface: Surface, person: Person, folder: str) -> None:
    choose_item(person, "more", "edit-path")
    person.type("/nowhere\n")
    person.sees('region "Files" [role=alert]', "'/nowhere' does not exist")
    field = person.find('region "Files" textbox "Path of a folder or file"')
    erase(field)
    field.send_keys(f"{folder}\n")
    person.sees('navigation "Current folder"', folder.removeprefix("/project/"))
    person.no_longer_sees('region "Files" [role=alert]')
    person.no_longer_sees('region "Files" textbox "Path of a folder or file"')


def test_directories_are_navigated_by_keyboard(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a/in-a.txt", "b/in-b.txt", "c.png")
    focus(surface, f"{folder}/a")
    person.press(Keys.ARROW_DOWN)
    wait_for_focus(surface, f"{folder}/b")
    person.press(Keys.ENTER)
    person.sees('grid "Files"', "in-b.txt")
    person.press(Keys.BACKSPACE)
    person.sees('grid "Files"', "c.png")
    wait_for_focus(surface, f"{folder}/b")
    person.press(Keys.END)
    wait_for_focus(surface, f"{folder}/c.png")
    person.press(Keys.HOME)
    wait_for_focus(surface, f"{folder}/a")
    person.type("c")
    wait_for_focus(surface, f"{folder}/c.png")
    person.press(Keys.ENTER)
    person.sees("dialog.viewer h2", "c.png")
    person.press(Keys.ESCAPE)
    person.no_longer_sees("dialog.viewer")
    wait_for_focus(surface, f"{folder}/c.png")


@pytest.mark.extended
def test_two_thousand_files_use_few_elements(surface: Surface, person: Person, folder: str) -> None:
    surface.python(f"[open(f'{folder}/{{n:04}}.txt', 'w').close() for n in range(2_000)]")
    fill(surface, folder, "0000.txt")
    focus(surface, f"{folder}/0000.txt")
    person.press(Keys.END)
    wait_for_focus(surface, f"{folder}/1999.txt")
    person.type("1500")
    wait_for_focus(surface, f"{folder}/1500.txt")
    # Another key ends the typed prefix.
    person.type(f"17{Keys.HOME}0900")
    wait_for_focus(surface, f"{folder}/0900.txt")
    person.type(f"{Keys.HOME}1500")
    wait_for_focus(surface, f"{folder}/1500.txt")
    assert surface.javascript("return document.querySelectorAll('#file-list > *').length") < 100
    assert surface.javascript("return document.querySelector('#file-grid').ariaRowCount") == "2001"
    in_sight = surface.javascript(
        """const [row, place] = [document.activeElement, document.querySelector('.file-scroll')]
             .map((element) => element.getBoundingClientRect());
           return row.top > place.top && row.bottom < place.bottom + 1;"""
    )
    assert in_sight
    choose_item(person, "more", "map")
    person.sees('listbox "Files"', "0000.txt")
    assert surface.javascript("return document.querySelectorAll('#file-list > *').length") < 200
    choose_item(person, "more", "list")


# --- sorting, filtering, selecting ---


@pytest.mark.extended
def test_columns_sort_and_directories_stay_first(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "z/inner", "b10.txt", "b9.txt", "a-long-name.txt")
    wait_for_rows(surface, "z/", "a-long-name.txt", "b9.txt", "b10.txt")
    person.click(".file-columns .file-name button")
    wait_for_rows(surface, "z/", "b10.txt", "b9.txt", "a-long-name.txt")
    person.click(".file-columns .file-size button")
    wait_for_rows(surface, "z/", "b9.txt", "b10.txt", "a-long-name.txt")
    assert person.find(".file-columns .file-size").get_attribute("aria-sort") == "ascending"
    surface.reload()
    surface.call("file_navigate", path=folder)
    wait_for_rows(surface, "z/", "b9.txt", "b10.txt", "a-long-name.txt")
    person.click(".file-columns .file-name button")
    wait_for_rows(surface, "z/", "a-long-name.txt", "b9.txt", "b10.txt")


@pytest.mark.extended
def test_a_filter_leaves_matching_files(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "one.txt", "two.txt", "TWONE.md")
    person.click('button "Filter by name"')
    person.type("one")
    wait_for_rows(surface, "one.txt", "TWONE.md")
    person.type("x")
    person.sees('region "Files" .empty', "Clear the filter")
    surface.call("file_navigate", path="/project")
    person.sees('grid "Files"', "README.md")
    person.no_longer_sees('region "Files" searchbox "Filter by name"')


@pytest.mark.extended
def test_several_files_are_selected_by_keyboard(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a", "b", "c", "d")
    focus(surface, f"{folder}/a")
    person.press(Keys.ARROW_DOWN)
    wait_for_selection(surface, "b")
    person.press(Keys.ARROW_DOWN, holding=Keys.SHIFT)
    wait_for_selection(surface, "b", "c")
    person.press(Keys.ARROW_UP, holding=Keys.SHIFT, times=2)
    wait_for_selection(surface, "a", "b")
    person.press(Keys.END, holding=Keys.CONTROL)
    wait_for_selection(surface, "a", "b")
    person.press(Keys.SPACE, holding=Keys.CONTROL)
    wait_for_selection(surface, "a", "b", "d")
    person.press("a", holding=Keys.CONTROL)
    wait_for_selection(surface, "a", "b", "c", "d")


def test_several_files_are_selected_by_pointer(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a", "b", "c", "d")
    place = {name: person.find(row(f"{folder}/{name}")) for name in "abcd"}
    place["a"].click()
    wait_for_selection(surface, "a")
    ActionChains(surface.driver).key_down(Keys.CONTROL).click(place["c"]).key_up(Keys.CONTROL).perform()
    wait_for_selection(surface, "a", "c")
    ActionChains(surface.driver).key_down(Keys.SHIFT).click(place["d"]).key_up(Keys.SHIFT).perform()
    wait_for_selection(surface, "c", "d")
    place["b"].click()
    wait_for_selection(surface, "b")


# --- creating, renaming, deleting ---


def test_a_folder_and_a_file_are_created(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_navigate", path=folder)
    person.sees('region "Files" .empty', "empty")
    choose_item(person, "new", "new-folder")
    person.type("inner\n")
    person.sees('grid "Files"', "inner/")
    wait_for_selection(surface, "inner")
    choose_item(person, "new", "new-file")
    person.type("inner")
    person.press(Keys.ENTER)
    person.sees('region "Files" [role=alert]', "already exists")
    field = person.find('region "Files" [name=name]')
    # The panel's default width is about 240 pixels.
    assert surface.javascript("return arguments[0].clientWidth", field) >= 160
    erase(field)
    field.send_keys("note.md\n")
    person.sees('grid "Files"', "note.md")
    person.sees('region "Editor" h2', "note.md")
    assert surface.call("file_read", path=f"{folder}/note.md")["content"] == ""


def test_a_file_is_renamed_in_place(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "a.txt", "b.txt")
    focus(surface, f"{folder}/a.txt")
    person.press(Keys.F2)
    surface.wait_for("document.activeElement.id === 'file-rename'")
    # The part before the dot is selected.
    person.type("c")
    person.press(Keys.ENTER)
    wait_for_rows(surface, "b.txt", "c.txt")
    wait_for_focus(surface, f"{folder}/c.txt")
    person.press(Keys.F2)
    person.type("b")
    person.press(Keys.ENTER)
    person.sees('region "Files" [role=alert]', "already exists")
    person.press("z", holding=Keys.CONTROL)
    wait_for_rows(surface, "a.txt", "b.txt")
    focus(surface, f"{folder}/a.txt")
    person.press(Keys.F2)
    person.type("unwanted")
    person.press(Keys.ESCAPE)
    wait_for_focus(surface, f"{folder}/a.txt")
    wait_for_rows(surface, "a.txt", "b.txt")


def test_deleted_files_are_restored(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "tree/deep/a.txt", "b.txt", "c.txt", "d.txt")
    focus(surface, f"{folder}/tree")
    person.press(Keys.ARROW_DOWN, holding=Keys.SHIFT, times=2)
    person.press(Keys.DELETE)
    wait_for_rows(surface, "d.txt")
    wait_for_focus(surface, f"{folder}/d.txt")
    person.sees('region "Files" [role=status]', "Moved 3 files to the trash.")
    person.click('region "Files" button "Undo"')
    wait_for_rows(surface, "tree/", "b.txt", "c.txt", "d.txt")
    assert surface.call("file_read", path=f"{folder}/tree/deep/a.txt")["content"] == "tree/deep/a.txt"
    person.click(row(f"{folder}/d.txt"))
    person.press(Keys.DELETE)
    wait_for_rows(surface, "tree/", "b.txt", "c.txt")
    person.press("z", holding=Keys.CONTROL)
    wait_for_rows(surface, "tree/", "b.txt", "c.txt", "d.txt")


@pytest.mark.extended
def test_the_trash_survives_the_page(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "saved.txt")
    focus(surface, f"{folder}/saved.txt")
    person.press(Keys.DELETE)
    person.sees('region "Files" [role=status]', "Moved saved.txt to the trash.")
    surface.reload()
    assert surface.call("file_list", path=folder) == []
    found = surface.call("file_find", pattern="saved*.txt", path="/home/user/.local/share/Trash/files")
    assert [entry["name"] for entry in found] == ["saved.txt"]


@pytest.mark.fortnightly
def test_the_context_menu_opens_by_keyboard_and_pointer(
    surface: Surface, person: Person, folder: str
) -> None:
    fill(surface, folder, "a.txt", "b.txt")
    focus(surface, f"{folder}/b.txt")
    person.press(Keys.F10, holding=Keys.SHIFT)
    person.sees(".menu", "Rename or move")
    person.press(Keys.END)
    person.press(Keys.ENTER)
    wait_for_rows(surface, "a.txt")
    ActionChains(surface.driver).context_click(person.find(row(f"{folder}/a.txt"))).perform()
    person.click(".menu [data-item=rename]")
    person.type("moved/a")
    person.press(Keys.ENTER)
    wait_for_rows(surface, "moved/")
    assert surface.call("file_read", path=f"{folder}/moved/a.txt")["content"] == "a.txt"
    choose_item(person, "new", "new-file")
    person.press(Keys.ESCAPE)
    person.no_longer_sees('region "Files" .file-make')


# --- upload and download ---


def test_uploaded_files_never_overwrite_others_unasked(
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
    person.sees('region "Files" [role=status]', "No files were added")
    assert names(surface) == ["a.txt"]

    picker.send_keys(paths)
    person.click("dialog.question [value=keep_both]")
    wait_for_rows(surface, "a (2).txt", "a.txt", "b.bin")
    assert surface.call("file_read", path=f"{folder}/a.txt")["content"] == "a.txt"
    assert surface.call("file_read", path=f"{folder}/a (2).txt")["content"] == "new"
    assert surface.python(f"list(open({folder!r} + '/b.bin', 'rb').read()) == list(range(256))")

    picker.send_keys(f"{tmp_path}/a.txt")
    person.click("dialog.question [value=replace]")
    person.sees('region "Files" [role=status]', "Added 1 file")
    assert surface.call("file_read", path=f"{folder}/a.txt")["content"] == "new"


def test_a_dropped_folder_is_uploaded(surface: Surface, person: Person, folder: str, tmp_path: Path) -> None:
    surface.call("file_navigate", path=folder)
    person.sees('region "Files" .empty', "empty")
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
    wait_for_rows(surface, "tree/", "one.txt")
    wait_for_selection(surface, "tree", "one.txt")
    assert surface.call("file_read", path=f"{folder}/tree/deep/a.txt")["content"] == "dropped"
    assert [entry["name"] for entry in surface.call("file_list", path=f"{folder}/tree")] == ["deep", "empty"]


@pytest.mark.fortnightly
def test_a_folder_is_downloaded_as_an_archive(
    surface: Surface, person: Person, folder: str, tmp_path: Path
) -> None:
    fill(surface, folder, "tree/deep/é.txt", "one.txt")
    saved = {"behavior": "allow", "downloadPath": str(tmp_path)}
    surface.driver.execute_cdp_cmd("Browser.setDownloadBehavior", saved)
    person.click(row(f"{folder}/one.txt"))
    choose_item(person, "more", "download")
    person.sees('region "Files" [role=status]', "saving one.txt")
    person.click(row(f"{folder}/tree"))
    choose_item(person, "more", "download")
    person.sees('region "Files" [role=status]', "saving tree.zip")
    # The browser renames a finished download. Each check takes a round trip to the page.
    while not ((tmp_path / "tree.zip").exists() and (tmp_path / "one.txt").exists()):
        surface.javascript("await new Promise(requestAnimationFrame)")
    assert (tmp_path / "one.txt").read_text() == "one.txt"
    with ZipFile(io.BytesIO((tmp_path / "tree.zip").read_bytes())) as found:
        assert found.read("tree/deep/é.txt").decode() == "tree/deep/é.txt"


# --- the map ---


@pytest.mark.extended
def test_files_on_the_map_are_where_python_places_them(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, "inner/x", *(f"{n}.txt" for n in range(9)))
    choose_item(person, "more", "map")
    surface.wait_for("document.querySelector('.file-map')")
    drawn = surface.javascript(
        "return [...document.querySelectorAll('.place')]"
        ".map(({ dataset, style }) => [dataset.path, style.left, style.top])"
    )
    listed = {entry["path"]: entry for entry in surface.call("file_list", path=folder)}
    assert len(drawn) > 4
    for path, left, top in drawn:
        assert (left, top) == (f"{listed[path]['x']}px", f"{listed[path]['y']}px")
    focus(surface, f"{folder}/inner")
    person.press(Keys.ARROW_RIGHT)
    wait_for_focus(surface, f"{folder}/0.txt")
    person.press(Keys.ARROW_DOWN)
    wait_for_focus(surface, f"{folder}/8.txt")
    person.press(Keys.ARROW_LEFT)
    wait_for_selection(surface, "7.txt")
    person.press(Keys.F2)
    person.type("renamed")
    person.press(Keys.ENTER)
    person.sees('listbox "Files"', "renamed.txt")
    surface.reload()
    surface.wait_for("document.querySelector('.file-map .place')")
    choose_item(person, "more", "list")


@pytest.mark.extended
def test_the_map_is_panned_by_its_background(surface: Surface, person: Person, folder: str) -> None:
    fill(surface, folder, *(f"{n:02}.txt" for n in range(20)))
    choose_item(person, "more", "map")
    surface.wait_for("document.querySelector('.file-map')")
    ground = person.find(".file-scroll")
    ActionChains(surface.driver).move_to_element_with_offset(ground, 0, 150).click_and_hold().move_by_offset(
        -100, 0
    ).release().perform()
    assert surface.javascript("return document.querySelector('.file-scroll').scrollLeft") == 100
    choose_item(person, "more", "list")


# --- the preview ---


def preview(surface: Surface, person: Person, folder: str, name: str, content: str) -> None:
    surface.call("file_write", path=f"{folder}/{name}", content=content)
    fill(surface, folder, "z")
    person.click(row(f"{folder}/{name}"))
    choose_item(person, "more", "preview")
    person.sees("dialog.viewer h2", name)


@pytest.fixture
def reader(person: Person) -> Person:
    """Return the user, and close the preview after the test."""
    return person


@pytest.mark.fortnightly
def test_markdown_is_rendered_and_loads_nothing_from_outside(
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
    reader.sees('region "Content of the file" h1', "Title")
    surface.wait_for(f"{content()}.querySelector('img')?.naturalWidth === 30")
    html = surface.javascript(f"return {content()}.innerHTML")
    assert "example.com/x" not in html and "example.com/y" not in html
    assert "javascript:" not in html and "<script" not in html and "style=" not in html and "id=" not in html
    assert surface.javascript("return document.title") != "bad"
    loaded = surface.javascript("return performance.getEntriesByType('resource').map(({ name }) => name)")
    assert not [name for name in loaded if "example.com" in name]
    reader.click('region "Content of the file" a[title$="/z"]')
    reader.no_longer_sees("dialog.viewer")
    reader.sees('region "Editor" h2', "Editor: z")


@pytest.mark.extended
def test_json_is_shown_as_a_tree(surface: Surface, reader: Person, folder: str) -> None:
    preview(surface, reader, folder, "a.json", json.dumps({"list": list(range(40)), "text": "<b>"}))
    reader.sees(".preview-tree", '"<b>"')
    assert "39" not in reader.sees(".preview-tree", "[40 items]")
    reader.find(".preview-tree details details summary").click()
    reader.sees(".preview-tree", "39: 39")


@pytest.mark.extended
def test_invalid_json_is_shown_as_text(surface: Surface, reader: Person, folder: str) -> None:
    preview(surface, reader, folder, "a.json", "{not json")
    reader.sees('region "Content of the file"', "isn't valid JSON")
    reader.sees('region "Content of the file" pre', "{not json")


@pytest.mark.extended
def test_a_table_shows_its_first_rows(surface: Surface, reader: Person, folder: str) -> None:
    rows = "\n".join(f'{n},"with, comma",<i>' for n in range(500))
    preview(surface, reader, folder, "a.csv", f"n,text,tag\n{rows}\n")
    reader.sees('region "Content of the file" th', "text")
    reader.sees('region "Content of the file" .note', "the first 200 of 500 rows")
    cells = surface.javascript(
        "return [...document.querySelectorAll('#file-viewer-body tbody tr:last-child td')]"
        ".map((cell) => cell.innerText)"
    )
    assert cells == ["199", "with, comma", "<i>"]


@pytest.mark.extended
def test_an_image_and_an_unknown_file_are_previewed(surface: Surface, reader: Person, folder: str) -> None:
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
    reader.click('dialog.viewer button "Close"')
    focus(surface, f"{folder}/data.bin")
    reader.press(Keys.ENTER)
    reader.sees('region "Content of the file"', "isn't text")
    reader.click('dialog.viewer button "Close"')


@pytest.mark.extended
def test_a_long_text_is_cut_in_the_preview_and_complete_in_the_editor(
    surface: Surface, reader: Person, folder: str
) -> None:
    surface.python(f"open({folder!r} + '/long.txt', 'w').write('line\\n' * 200_000 + 'end')")
    fill(surface, folder, "z")
    reader.click(row(f"{folder}/long.txt"))
    choose_item(reader, "more", "preview")
    reader.sees('region "Content of the file" .note', "Only the first")
    reader.click('button "Edit"')
    reader.no_longer_sees("dialog.viewer")
    reader.sees('region "Editor" h2', "long.txt")


# --- the clipboard ---


@pytest.mark.extended
def test_a_path_is_copied(surface: Surface, person: Person, folder: str) -> None:
    person.copy("nothing")
    fill(surface, folder, "a.txt")
    person.click(row(f"{folder}/a.txt"))
    choose_item(person, "more", "copy-path")
    person.sees('region "Files"', "Path copied.")
    assert surface.javascript("return navigator.clipboard.readText()") == f"{folder}/a.txt"


@pytest.mark.extended
def test_a_refused_clipboard_shows_an_error(surface: Surface, person: Person, folder: str) -> None:
    refusing = (
        "navigator.clipboard.writeText = async () => { throw new DOMException('denied', 'NotAllowedError'); }"
    )
    fill(surface, folder, "a.txt")
    person.click(row(f"{folder}/a.txt"))
    surface.javascript(refusing)
    try:
        choose_item(person, "more", "copy-path")
        person.sees('region "Files" [role=alert]', "Copying failed: denied")
        person.sees('region "Files" [role=alert] .hint', "Allow this page to use the clipboard.")
    finally:
        surface.javascript("delete navigator.clipboard.writeText")
