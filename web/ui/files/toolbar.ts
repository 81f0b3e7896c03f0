/**
 * The panel's tools: creating and adding files, actions on the selection and the folder, and the filter.
 *
 * @import { Item } from "../menu.js"
 * @import { FilesPanel } from "./panel.js"
 * @import { Notice } from "./operations.js"
 */

import { html, nothing } from "lit";
import { icon } from "../workbench/icons.js";
import { isDirectory } from "./listing.js";

/** @typedef {"list" | "map"} View */
/** @typedef {"file" | "directory"} Kind */
/** @template Target @typedef {Event & {currentTarget: Target}} On */

/**
 * @param {{ready: boolean, filtering: boolean}} shown
 * @param {{menu: (which: "new" | "more", opener: HTMLElement) => void, filter: () => void}} callbacks
 */
export function toolbar({ ready, filtering }, callbacks) {
  const opens = (/** @type {"new" | "more"} */ which) => (/** @type {On<HTMLElement>} */ { currentTarget }) =>
    callbacks.menu(which, currentTarget);
  return html`
    <button id="file-filter-open" type="button" class="quiet icon" title="Filter by name" aria-label="Filter by name"
      aria-expanded=${filtering} ?disabled=${!ready} @click=${callbacks.filter}>${icon("filter")}</button>
    <button id="file-menu-new" type="button" class="quiet icon" title="New file or folder, upload" aria-label="New"
      aria-haspopup="menu" aria-expanded="false" ?disabled=${!ready} @click=${opens("new")}>${icon("plus")}</button>
    <button id="file-menu-more" type="button" class="quiet icon" title="Actions" aria-label="Actions" aria-haspopup="menu"
      aria-expanded="false" ?disabled=${!ready} @click=${opens("more")}>${icon("more")}</button>`;
}

/**
 * @param {string} filter
 * @param {(text: string) => void} change
 * @param {() => void} end shows all files and closes the field
 */
export function filterField(filter, change, end) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    end();
  };
  return html`
    <div class="bar file-bar">
      <input id="file-filter" type="search" placeholder="Filter" aria-label="Filter by name" autocomplete="off" spellcheck="false"
        .value=${filter} @keydown=${onKey}
        @input=${(/** @type {On<HTMLInputElement>} */ { currentTarget }) => change(currentTarget.value)}>
      <button type="button" class="quiet icon" title="Close" aria-label="Close the filter" @click=${end}>${icon("close")}</button>
    </div>`;
}

/**
 * @param {Kind} kind
 * @param {(name: string) => void} create
 * @param {() => void} cancel
 */
export function createForm(kind, create, cancel) {
  const submit = (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    create(String(new FormData(event.currentTarget).get("name")));
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  };
  const label = kind === "file" ? "File name" : "Folder name";
  return html`
    <form id="file-make" class="bar file-make" @submit=${submit} @keydown=${onKey}>
      <input id="file-new-name" name="name" type="text" required autocomplete="off" spellcheck="false"
        aria-label=${label} placeholder=${label}>
      <button type="submit" class="primary">Create</button>
      <button type="button" class="quiet" @click=${cancel}>Cancel</button>
    </form>`;
}

/**
 * Show the last operation with its undo. It stays until the next operation, so that anyone has time to read it.
 *
 * @param {Notice | null} notice
 * @param {() => void} undo
 * @param {() => void} dismiss
 */
export function noticeBar(notice, undo, dismiss) {
  return html`
    <div id="file-notice" class=${notice === null ? "file-notice" : "file-notice shown"} role="status">
      ${notice === null ? nothing : html`
        <span>${notice.text}</span>
        ${notice.run ? html`<button id="file-run" type="button" class="primary" @click=${notice.run.press}>${
          notice.run.label}</button>` : nothing}
        ${notice.undo ? html`<button id="file-undo" type="button" @click=${undo}>Undo</button>` : nothing}
        <button type="button" class="quiet icon" aria-label="Dismiss" @click=${dismiss}>${icon("close")}</button>`}
    </div>`;
}

/** Let Enter run what the person has just uploaded, unless they type elsewhere. */
export function focusRun() {
  const typing = document.activeElement?.matches("input, textarea, [contenteditable=true]") ?? false;
  const run = document.querySelector("#file-run");
  if (!typing && run instanceof HTMLElement) run.focus();
}

/**
 * Return the note below the list, or an empty string if none is needed.
 *
 * @param {import("../../generated/types.js").ShownFiles | null} files
 * @param {number} shown
 * @param {boolean} ready
 */
export function noteOn(files, shown, ready) {
  if (!files) {
    return ready
      ? "No folder is shown. Choose Edit path in the actions above, and type one."
      : "Files appear when Python has started.";
  }
  if (files.entries.length === 0) return "This folder is empty. Press + above, or drop files here.";
  if (shown === 0) return "No matching names. Clear the filter to see all files.";
  if (!files.truncated) return "";
  const listed = files.entries.length.toLocaleString();
  return `Only the first ${listed} entries are listed. To see the others, use find in a terminal.`;
}

/** @typedef {{create: (kind: Kind) => void, upload: () => void, uploadFolder: () => void}} Create */

/** @param {Create} callbacks @returns {Item[]} */
export function newItems(callbacks) {
  return [
    { id: "new-file", action: "make_file", label: "New file…", run: () => callbacks.create("file") },
    { id: "new-folder", action: "make_file", label: "New folder…", run: () => callbacks.create("directory") },
    { id: "upload", action: "upload_files", label: "Upload files…", run: callbacks.upload },
    { id: "upload-folder", action: "upload_files", label: "Upload folder…", run: callbacks.uploadFolder },
  ];
}

/** Return the actions on the selection. @param {FilesPanel} panel @returns {Item[]} */
export function selectedItems(panel) {
  const selected = panel.selected();
  const paths = selected.map(({ path }) => path);
  const single = selected.length === 1 ? selected[0] : null;
  const file = single != null && !isDirectory(single);
  const none = selected.length === 0;
  const { show, operations } = panel;
  return [
    { id: "open", action: "open_file", label: "Open", keys: "Enter", disabled: !single, run: () => void panel.open(paths[0]) },
    { id: "edit", action: "edit_file", label: "Edit as text", disabled: !file, run: () => void panel.edit(paths[0]) },
    { id: "preview", label: "Preview", disabled: !file, run: () => void show.preview(paths[0]) },
    { id: "run", action: "run_file", label: "Run", disabled: !single, run: () => void panel.run(paths[0]) },
    { id: "rename", action: "move_file", label: "Rename or move…", keys: "F2", disabled: !single, run: () => panel.type({ what: "rename", path: paths[0] }) },
    { id: "download", action: "download_files", label: file ? "Download" : "Download as archive", disabled: none, run: () => void operations.download(paths) },
    { id: "copy-path", label: "Copy path", disabled: none, run: () => void operations.copyPaths(paths) },
    { id: "delete", action: "delete_files", label: "Delete", keys: "Del", disabled: none, run: () => panel.deleteSelected() },
  ];
}

/** Return the actions on the folder. @param {FilesPanel} panel @returns {Item[]} */
export function folderItems(panel) {
  const other = panel.isMap ? "list" : "map";
  return [
    { id: "edit-path", label: "Edit path…", apart: true, run: () => panel.type({ what: "path" }) },
    { id: "refresh", action: "open_file", label: "Refresh", run: () => void panel.open(panel.path) },
    { id: other, label: `Show as ${other}`, run: () => panel.setView(other) },
  ];
}
