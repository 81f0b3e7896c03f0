/**
 * The files panel: a list of the directory that the visible file browser shows, whoever navigated it.
 *
 * @import { FileEntry, ShownFiles } from "./types.js"
 * @import { Actions } from "./actions.js"
 * @import { Store } from "./store.js"
 */

import { isFailure } from "./call.js";
import { byId, h, showProblem } from "./elements.js";
import { createFileViewer } from "./file_viewer.js";
import { bytes, fullTime, when } from "./format.js";
import { whenChanged } from "./store.js";

class FilesPanel {
  #list = byId("file-list", HTMLUListElement);
  #path = byId("file-path", HTMLInputElement);
  #problem = byId("file-problem", HTMLElement);
  #note = byId("file-note", HTMLElement);
  #up = byId("file-up", HTMLButtonElement);
  #refresh = byId("file-refresh", HTMLButtonElement);
  /** @type {ShownFiles | null} */
  #files = null;

  /**
   * @param {Actions} actions
   * @param {(entry: FileEntry) => void} view
   */
  constructor(actions, view) {
    this.actions = actions;
    this.view = view;
    byId("file-go", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#navigate(this.#path.value);
    });
    this.#up.addEventListener("click", () => this.#goUp());
    this.#refresh.addEventListener("click", () => this.#navigate(this.#files?.path ?? "/"));
    this.#list.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /**
   * @param {ShownFiles | null} files
   * @param {boolean} ready
   */
  render(files, ready) {
    const before = this.#files;
    const focus = this.#list.contains(document.activeElement) ? document.activeElement?.id : null;
    this.#files = files;
    this.#up.disabled = this.#refresh.disabled = !ready || files === null;
    if (files && files.path !== before?.path) this.#path.value = files.path;
    this.#list.replaceChildren(...(files?.entries ?? []).map((entry, index) => this.#row(entry, index)));
    this.#drawNote(files, ready);
    if (focus === null || !files) return;
    // The same entry again, or, after going up, the directory that was left.
    const wanted = files.path === before?.path ? focus : `file:${before?.path}`;
    this.#focusRow(document.getElementById(wanted ?? "") ?? this.#rows()[0]);
  }

  /**
   * @param {ShownFiles | null} files
   * @param {boolean} ready
   */
  #drawNote(files, ready) {
    const text = noteOn(files, ready);
    this.#note.hidden = text === "";
    this.#note.textContent = text;
  }

  /**
   * @param {FileEntry} entry
   * @param {number} index
   */
  #row(entry, index) {
    const dot = h("span", { class: "dot", "aria-hidden": "true" });
    dot.style.backgroundColor = entry.color;
    const directory = isDirectory(entry);
    return h("li", {},
      h("button",
        {
          type: "button", class: directory ? "file directory" : "file", id: `file:${entry.path}`,
          tabindex: index === 0 ? 0 : -1, onclick: () => this.#open(entry),
        },
        dot,
        h("span", { class: "file-name" }, directory ? `${entry.name}/` : entry.name,
          entry.link_target === undefined ? null : h("span", { class: "muted" }, ` → ${entry.link_target}`)),
        h("span", { class: "file-size" }, directory ? "" : bytes(entry.size)),
        h("span", { class: "file-facts" },
          h("span", {}, entry.broken ? "broken link" : entry.type),
          h("span", { class: "mono" }, entry.permissions),
          h("time", { datetime: entry.modified, title: fullTime(entry.modified) }, when(entry.modified)))));
  }

  /** @param {FileEntry} entry */
  async #open(entry) {
    if (isDirectory(entry)) {
      await this.#navigate(entry.path);
    } else if (entry.link_target === undefined) {
      this.view(entry);
    } else {
      // Where a link leads is for Python to say.
      const answer = await this.actions.navigate(entry.path);
      if (isFailure(answer) && answer.error.type === "NotADirectory") this.view(entry);
      else this.#showProblemOf(answer);
    }
  }

  /** @param {string} path */
  async #navigate(path) {
    this.#showProblemOf(await this.actions.navigate(path));
  }

  /** @param {object} answer */
  #showProblemOf(answer) {
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }

  #goUp() {
    if (this.#files) void this.#navigate(parentOf(this.#files.path));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const rows = this.#rows();
    const index = rows.findIndex((row) => row === document.activeElement);
    const next = {
      ArrowDown: rows[Math.min(index + 1, rows.length - 1)],
      ArrowUp: rows[Math.max(index - 1, 0)],
      Home: rows[0],
      End: rows.at(-1),
    }[event.key];
    if (event.altKey && event.key === "ArrowUp" || event.key === "Backspace") this.#goUp();
    else if (next) this.#focusRow(next);
    else return;
    event.preventDefault();
  }

  #rows() {
    return [...this.#list.querySelectorAll("button")];
  }

  /** @param {HTMLElement | undefined} row */
  #focusRow(row) {
    if (!row) {
      this.#up.focus();
      return;
    }
    for (const other of this.#rows()) other.tabIndex = other === row ? 0 : -1;
    row.focus();
  }
}

/**
 * What to say below the list; nothing where the list speaks for itself.
 *
 * @param {ShownFiles | null} files
 * @param {boolean} ready
 */
function noteOn(files, ready) {
  if (!files) {
    return ready
      ? "No directory is shown. Type a path above and press Enter."
      : "The files appear when Python has started.";
  }
  if (files.entries.length === 0) {
    return "This directory is empty. Make a file in a terminal, for example with touch notes.txt.";
  }
  if (!files.truncated) return "";
  const listed = files.entries.length.toLocaleString();
  return `Only the first ${listed} are listed. To see the others, use find in a terminal.`;
}

/** @param {FileEntry} entry */
function isDirectory({ type }) {
  return type === "directory";
}

/** @param {string} path absolute */
function parentOf(path) {
  return path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/";
}

/**
 * @param {Store} store
 * @param {Actions} actions
 */
export function showFiles(store, actions) {
  const panel = new FilesPanel(actions, createFileViewer(actions));
  store.subscribe(whenChanged(
    ({ files, kernel }) => [files, kernel],
    (state) => panel.render(state.files, state.kernel === "ready"),
  ));
}
