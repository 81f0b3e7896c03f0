/**
 * The panel's tools: creating and adding files, actions on the selection, the filter, and the view switch.
 *
 * @import { Item } from "./menu.js"
 * @import { Notice } from "./operations.js"
 */

import { html, nothing } from "lit";

/** @typedef {"list" | "map"} View */
/** @typedef {"file" | "directory"} Kind */
/** @template Target @typedef {Event & {currentTarget: Target}} On */

/** @type {Record<View, string>} */
const VIEWS = { list: "List", map: "Map" };

/**
 * @param {View} view
 * @param {(view: View) => void} choose
 */
export function viewSwitch(view, choose) {
  return html`
    <div class="switch" role="group" aria-label="View">
      ${(/** @type {View[]} */ (Object.keys(VIEWS))).map((each) => html`
        <button id=${`file-view-${each}`} type="button" class="quiet" aria-pressed=${each === view ? "true" : "false"}
          @click=${() => choose(each)}>${VIEWS[each]}</button>`)}
    </div>`;
}

/**
 * @param {{ready: boolean, filter: string}} shown
 * @param {{
 *   menu: (label: string, opener: HTMLElement, which: "new" | "selected") => void,
 *   filter: (text: string) => void }} callbacks
 */
export function toolbar({ ready, filter }, callbacks) {
  /** @type {(label: string, which: "new" | "selected") => unknown} */
  const menuButton = (label, which) => html`
    <button id=${`file-menu-${which}`} type="button" class="quiet" aria-haspopup="menu" aria-expanded="false"
      ?disabled=${!ready} @click=${(/** @type {On<HTMLElement>} */ { currentTarget }) =>
        callbacks.menu(label, currentTarget, which)}>${label}
      <span aria-hidden="true">▾</span></button>`;
  return html`
    <div class="bar file-tools">
      ${menuButton("New", "new")}
      ${menuButton("Actions", "selected")}
      <input id="file-filter" type="search" placeholder="Filter" aria-label="Filter by name" autocomplete="off"
        spellcheck="false" .value=${filter}
        @input=${(/** @type {On<HTMLInputElement>} */ { currentTarget }) => callbacks.filter(currentTarget.value)}>
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
        <button type="button" class="quiet icon" aria-label="Dismiss" @click=${dismiss}>
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m4 4 8 8m0-8-8 8"/></svg></button>`}
    </div>`;
}

/**
 * Return the note below the list, or an empty string if none is needed.
 *
 * @param {import("../types.js").ShownFiles | null} files
 * @param {number} shown
 * @param {boolean} ready
 */
export function noteOn(files, shown, ready) {
  if (!files) {
    return ready
      ? "No folder is shown. Press Edit path above and type one."
      : "Files appear when Python has started.";
  }
  if (files.entries.length === 0) return "This folder is empty. Choose New above, or drop files here.";
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

/**
 * @param {{path: string, directory: boolean}[]} selected
 * @param {{
 *   open: (path: string) => void, edit: (path: string) => void, preview: (path: string) => void, run: (path: string) => void,
 *   rename: (path: string) => void, download: (paths: string[]) => void, copy: (paths: string[]) => void,
 *   delete: (paths: string[]) => void }} callbacks
 * @returns {Item[]}
 */
export function selectedItems(selected, callbacks) {
  const paths = selected.map(({ path }) => path);
  const single = selected.length === 1 ? selected[0] : null;
  const file = single !== null && !single.directory;
  const none = selected.length === 0;
  return [
    { id: "open", action: "open_file", label: "Open", keys: "Enter", disabled: !single, run: () => callbacks.open(paths[0]) },
    { id: "edit", action: "edit_file", label: "Edit as text", disabled: !file, run: () => callbacks.edit(paths[0]) },
    { id: "preview", label: "Preview", disabled: !file, run: () => callbacks.preview(paths[0]) },
    { id: "run", action: "run_file", label: "Run", disabled: !single, run: () => callbacks.run(paths[0]) },
    { id: "rename", action: "move_file", label: "Rename or move…", keys: "F2", disabled: !single, run: () => callbacks.rename(paths[0]) },
    { id: "download", action: "download_files", label: file ? "Download" : "Download as archive", disabled: none, run: () => callbacks.download(paths) },
    { id: "copy-path", label: "Copy path", disabled: none, run: () => callbacks.copy(paths) },
    { id: "delete", action: "delete_files", label: "Delete", keys: "Del", disabled: none, run: () => callbacks.delete(paths) },
  ];
}
