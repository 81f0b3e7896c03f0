/**
 * A read-only look at one file, in a dialog.
 *
 * @import { FileEntry } from "./types.js"
 * @import { Actions, FileContent } from "./actions.js"
 */

import { isFailure } from "./call.js";
import { byId, h, showProblem } from "./elements.js";
import { bytes, fullTime } from "./format.js";

/** @type {Record<string, string>} */
const IMAGE_TYPES = {
  png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp",
  avif: "image/avif", bmp: "image/bmp", ico: "image/x-icon",
};

/**
 * @param {Actions} actions
 * @returns {(entry: FileEntry) => Promise<void>} shows a file
 */
export function createFileViewer(actions) {
  const dialog = byId("file-viewer", HTMLDialogElement);
  const body = byId("file-viewer-body", HTMLElement);
  const problem = byId("file-viewer-problem", HTMLElement);
  byId("file-viewer-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
  /** @type {FileEntry | null} */
  let wanted = null;
  dialog.addEventListener("close", () => {
    wanted = null;
    body.replaceChildren();
  });
  return async (entry) => {
    wanted = entry;
    byId("file-viewer-title", HTMLElement).textContent = entry.path;
    byId("file-viewer-facts", HTMLElement).textContent =
      `${entry.type} · ${bytes(entry.size)} · ${entry.permissions} · ${fullTime(entry.modified)}`;
    body.replaceChildren(h("p", { class: "muted" }, "Reading…"));
    showProblem(problem, null);
    dialog.showModal();
    const answer = await actions.readFile(entry.path);
    if (wanted !== entry) return;
    body.replaceChildren();
    if (isFailure(answer)) showProblem(problem, answer.error);
    else body.replaceChildren(...content(entry, answer));
  };
}

/**
 * @param {FileEntry} entry
 * @param {FileContent} file
 * @returns {HTMLElement[]}
 */
function content(entry, file) {
  if (file.encoding === "base64") return [binary(entry, file)];
  if (file.content === "") return [h("p", { class: "muted" }, "This file is empty.")];
  const text = h("pre", { tabindex: 0, "aria-label": "Content" }, file.content);
  if (!file.truncated) return [text];
  const note = "This is the beginning only. Use tail or sed -n in a terminal for the rest.";
  return [h("p", { class: "note" }, note), text];
}

/**
 * @param {FileEntry} entry
 * @param {FileContent} file
 */
function binary({ name, size }, { content: base64, truncated }) {
  const type = IMAGE_TYPES[name.split(".").at(-1)?.toLowerCase() ?? ""];
  if (type && !truncated) return h("img", { src: `data:${type};base64,${base64}`, alt: name });
  return h("p", { class: "muted" }, `This file isn't text (${bytes(size)}), so it can't be shown here.`);
}
