/** The panel's tools: creating and adding files, actions on the selection and the folder, and the filter. */

import { html, nothing } from "lit";
import type { ShownFiles } from "../../../generated/types.ts";
import { onEscape, submitting, valueOf } from "../../lib/forms.ts";
import type { Item } from "../../lib/menu.ts";
import { icon } from "../../lib/icons.ts";
import { isDirectory } from "./listing.ts";
import type { Notice } from "./operations.ts";
import type { FilesPanel } from "./panel.ts";

export type View = "list" | "map";

export type Kind = "file" | "directory";

type On<Target> = Event & { currentTarget: Target };

export function toolbar(
  { ready, filtering }: { ready: boolean; filtering: boolean },
  callbacks: { menu: (which: "new" | "more", opener: HTMLElement) => void; filter: () => void },
) {
  const opens =
    (which: "new" | "more") =>
    ({ currentTarget }: On<HTMLElement>) =>
      callbacks.menu(which, currentTarget);
  return html`
    <button id="file-filter-open" type="button" class="quiet icon" title="Filter by name" aria-label="Filter by name"
      aria-expanded=${filtering} ?disabled=${!ready} @click=${callbacks.filter}>${icon("filter")}</button>
    <button id="file-menu-new" type="button" class="quiet icon" title="New file or folder, upload" aria-label="New"
      aria-haspopup="menu" aria-expanded="false" ?disabled=${!ready} @click=${opens("new")}>${icon("plus")}</button>
    <button id="file-menu-more" type="button" class="quiet icon" title="Actions" aria-label="Actions" aria-haspopup="menu"
      aria-expanded="false" ?disabled=${!ready} @click=${opens("more")}>${icon("more")}</button>`;
}

/** @param end - shows all files and closes the field */
export function filterField(filter: string, change: (text: string) => void, end: () => void) {
  return html`
    <div class="bar file-bar">
      <input id="file-filter" type="search" placeholder="Filter" aria-label="Filter by name" autocomplete="off" spellcheck="false"
        .value=${filter} @keydown=${onEscape(end)}
        @input=${({ currentTarget }: On<HTMLInputElement>) => change(currentTarget.value)}>
      <button type="button" class="quiet icon" title="Close" aria-label="Close the filter" @click=${end}>${icon("close")}</button>
    </div>`;
}

export function createForm(kind: Kind, create: (name: string) => void, cancel: () => void) {
  const submit = submitting((form) => create(valueOf(form, "name")));
  const label = kind === "file" ? "File name" : "Folder name";
  return html`
    <form id="file-make" class="bar file-make" @submit=${submit} @keydown=${onEscape(cancel)}>
      <input id="file-new-name" name="name" type="text" required autocomplete="off" spellcheck="false"
        aria-label=${label} placeholder=${label}>
      <button type="submit" class="primary">Create</button>
      <button type="button" class="quiet" @click=${cancel}>Cancel</button>
    </form>`;
}

/** Show the last operation with its undo, for a minute after the user has left it (notice_time.ts). */
export function noticeBar(notice: Notice | null, undo: () => void, dismiss: () => void) {
  return html`
    <div id="file-notice" class=${notice === null ? "file-notice" : "file-notice shown"} role="status">
      ${
        notice === null
          ? nothing
          : html`
        <span>${notice.text}</span>
        ${
          notice.run
            ? html`<button id="file-run" type="button" class="primary" @click=${notice.run.press}>${
                notice.run.label
              }</button>`
            : nothing
        }
        ${notice.undo ? html`<button id="file-undo" type="button" @click=${undo}>Undo</button>` : nothing}
        <button type="button" class="quiet icon" aria-label="Dismiss" @click=${dismiss}>${icon("close")}</button>`
      }
    </div>`;
}

/** Let Enter run the file that the user has just uploaded, unless they type elsewhere. */
export function focusRun() {
  const typing = document.activeElement?.matches("input, textarea, [contenteditable=true]") ?? false;
  const run = document.querySelector("#file-run");
  if (!typing && run instanceof HTMLElement) run.focus();
}

/** Return the note below the list, or an empty string if none is needed. */
export function noteOn(files: ShownFiles | null, shown: number, ready: boolean) {
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

export type Create = { create: (kind: Kind) => void; upload: () => void; uploadFolder: () => void };

export function newItems(callbacks: Create): Item[] {
  return [
    { id: "new-file", action: "make_file", label: "New file…", run: () => callbacks.create("file") },
    { id: "new-folder", action: "make_file", label: "New folder…", run: () => callbacks.create("directory") },
    { id: "upload", action: "upload_files", label: "Upload files…", run: callbacks.upload },
    { id: "upload-folder", action: "upload_files", label: "Upload folder…", run: callbacks.uploadFolder },
  ];
}

/** Return the actions on the selection. */
export function selectedItems(panel: FilesPanel): Item[] {
  const selected = panel.selected();
  const paths = selected.map(({ path }) => path);
  const single = selected.length === 1 ? selected[0] : null;
  const file = single != null && !isDirectory(single);
  const none = selected.length === 0;
  const { show, operations } = panel;
  return [
    {
      id: "open",
      action: "open_file",
      label: "Open",
      keys: "Enter",
      disabled: !single,
      run: () => void panel.open(paths[0]),
    },
    { id: "edit", action: "edit_file", label: "Edit as text", disabled: !file, run: () => void panel.edit(paths[0]) },
    { id: "preview", label: "Preview", disabled: !file, run: () => void show.preview(paths[0]) },
    { id: "run", action: "run_file", label: "Run", disabled: !single, run: () => void panel.run(paths[0]) },
    {
      id: "rename",
      action: "move_file",
      label: "Rename or move…",
      keys: "F2",
      disabled: !single,
      run: () => panel.type({ what: "rename", path: paths[0] }),
    },
    {
      id: "download",
      action: "download_files",
      label: file ? "Download" : "Download as archive",
      disabled: none,
      run: () => void operations.download(paths),
    },
    {
      id: "copy-link",
      action: "share_files",
      label: "Copy a link with the files",
      disabled: none,
      run: () => void operations.copyLink(paths),
    },
    { id: "copy-path", label: "Copy path", disabled: none, run: () => void operations.copyPaths(paths) },
    {
      id: "delete",
      action: "delete_files",
      label: "Delete",
      keys: "Del",
      disabled: none,
      run: () => panel.deleteSelected(),
    },
  ];
}

/** Return the actions on the folder. */
export function folderItems(panel: FilesPanel): Item[] {
  const other = panel.isMap ? "list" : "map";
  return [
    { id: "edit-path", label: "Edit path…", apart: true, run: () => panel.type({ what: "path" }) },
    { id: "refresh", action: "open_file", label: "Refresh", run: () => void panel.open(panel.path) },
    { id: other, label: `Show as ${other}`, run: () => panel.setView(other) },
  ];
}
