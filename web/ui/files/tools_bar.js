/**
 * The panel's tools: what can be made and brought, what can be done with what is selected, the filter, the two views.
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
      ${(/** @type {View[]} */ (Object.keys(VIEWS))).map((one) => html`
        <button id=${`file-view-${one}`} type="button" class="quiet" aria-pressed=${one === view ? "true" : "false"}
          @click=${() => choose(one)}>${VIEWS[one]}</button>`)}
    </div>`;
}

/**
 * @param {{ready: boolean, filter: string}} shown
 * @param {{
 *   menu: (label: string, opener: HTMLElement, which: "new" | "selected") => void,
 *   filter: (text: string) => void }} on
 */
export function toolsBar({ ready, filter }, on) {
  /** @type {(label: string, which: "new" | "selected") => unknown} */
  const menuButton = (label, which) => html`
    <button id=${`file-menu-${which}`} type="button" class="quiet" aria-haspopup="menu" aria-expanded="false"
      ?disabled=${!ready} @click=${(/** @type {On<HTMLElement>} */ { currentTarget }) =>
        on.menu(label, currentTarget, which)}>${label}
      <span aria-hidden="true">▾</span></button>`;
  return html`
    <div class="bar file-tools">
      ${menuButton("New", "new")}
      ${menuButton("Actions", "selected")}
      <input id="file-filter" type="search" placeholder="Filter" aria-label="Filter by name" autocomplete="off"
        spellcheck="false" .value=${filter}
        @input=${(/** @type {On<HTMLInputElement>} */ { currentTarget }) => on.filter(currentTarget.value)}>
    </div>`;
}

/**
 * @param {Kind} kind
 * @param {(name: string) => void} make
 * @param {() => void} cancel
 */
export function makeForm(kind, make, cancel) {
  const submit = (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    make(String(new FormData(event.currentTarget).get("name")));
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  };
  const label = kind === "file" ? "Name of the new file" : "Name of the new folder";
  return html`
    <form id="file-make" class="bar file-make" @submit=${submit} @keydown=${onKey}>
      <input id="file-new-name" name="name" type="text" required autocomplete="off" spellcheck="false"
        aria-label=${label} placeholder=${label}>
      <button type="submit" class="primary">Make</button>
      <button type="button" class="quiet" @click=${cancel}>Cancel</button>
    </form>`;
}

/**
 * What a operation did, and its undo. It stays until the next operation: a person reads as slowly as they like.
 *
 * @param {Notice | null} notice
 * @param {() => void} undo
 * @param {() => void} dismiss
 */
export function noticeBar(notice, undo, dismiss) {
  return html`
    <div id="file-notice" class=${notice === null ? "file-notice" : "file-notice told"} role="status">
      ${notice === null ? nothing : html`
        <span>${notice.text}</span>
        ${notice.undo ? html`<button id="file-undo" type="button" @click=${undo}>Undo</button>` : nothing}
        <button type="button" class="quiet icon" aria-label="Dismiss" @click=${dismiss}>
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m4 4 8 8m0-8-8 8"/></svg></button>`}
    </div>`;
}

/**
 * What to say below the list; nothing where the list speaks for itself.
 *
 * @param {import("../types.js").ShownFiles | null} files
 * @param {number} shown
 * @param {boolean} ready
 */
export function noteOn(files, shown, ready) {
  if (!files) {
    return ready
      ? "No directory is shown. Press the pencil above and type a path."
      : "The files appear when Python has started.";
  }
  if (files.entries.length === 0) return "This folder is empty. Choose New above, or drop files here.";
  if (shown === 0) return "No matching names. Clear the filter to see all.";
  if (!files.truncated) return "";
  const listed = files.entries.length.toLocaleString();
  return `Only the first ${listed} are listed. To see the others, use find in a terminal.`;
}

/**
 * @param {{
 *   make: (kind: Kind) => void, upload: () => void, uploadFolder: () => void }} on
 * @returns {Item[]}
 */
export function newItems(on) {
  return [
    { id: "new-file", label: "New file…", run: () => on.make("file") },
    { id: "new-folder", label: "New folder…", run: () => on.make("directory") },
    { id: "upload", label: "Add files from this device…", run: on.upload },
    { id: "upload-folder", label: "Add a folder from this device…", run: on.uploadFolder },
  ];
}

/**
 * @param {{path: string, directory: boolean}[]} chosen
 * @param {{
 *   open: (path: string) => void, edit: (path: string) => void, preview: (path: string) => void,
 *   rename: (path: string) => void, takeOut: (paths: string[]) => void, copy: (paths: string[]) => void,
 *   delete: (paths: string[]) => void }} on
 * @returns {Item[]}
 */
export function selectedItems(chosen, on) {
  const paths = chosen.map(({ path }) => path);
  const one = chosen.length === 1 ? chosen[0] : null;
  const file = one !== null && !one.directory;
  const none = chosen.length === 0;
  return [
    { id: "open", label: "Open", keys: "Enter", disabled: !one, run: () => on.open(paths[0]) },
    { id: "edit", label: "Edit as text", disabled: !file, run: () => on.edit(paths[0]) },
    { id: "preview", label: "Preview", disabled: !file, run: () => on.preview(paths[0]) },
    { id: "rename", label: "Rename or move…", keys: "F2", disabled: !one, run: () => on.rename(paths[0]) },
    { id: "download", label: file ? "Download" : "Download as an archive", disabled: none, run: () => on.takeOut(paths) },
    { id: "copy-path", label: "Copy path", disabled: none, run: () => on.copy(paths) },
    { id: "delete", label: "Delete", keys: "Del", disabled: none, run: () => on.delete(paths) },
  ];
}
