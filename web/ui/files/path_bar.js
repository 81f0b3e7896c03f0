/** The breadcrumbs of the current directory, and a field to type another path. */

import { html } from "lit";

/**
 * @param {string} path absolute; empty if nothing is shown yet
 * @param {boolean} ready
 * @param {(path: string) => void} go
 * @param {() => void} edit
 * @param {unknown} tools drawn beside it
 */
export function breadcrumbs(path, ready, go, edit, tools) {
  const parts = path.split("/").filter(Boolean);
  const steps = [{ name: "/", to: "/" }, ...parts.map((name, index) => ({
    name, to: `/${parts.slice(0, index + 1).join("/")}`,
  }))];
  return html`
    <div class="bar file-path-bar">
      <nav id="file-trail" class="file-trail" aria-label="Current folder">
        <ol aria-label="Path">
          ${(path ? steps : []).map(({ name, to }, index) => html`
            <li><button type="button" class="quiet" aria-current=${index === steps.length - 1 ? "location" : "false"}
              ?disabled=${!ready} title=${to} @click=${() => go(to)}>${name}</button></li>`)}
        </ol>
      </nav>
      <button id="file-edit-path" type="button" class="quiet icon" aria-label="Edit path" title="Edit path"
        ?disabled=${!ready} @click=${edit}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 13h10M4 10.5 10.5 4l2 2L6 12.5l-2.5.5z"/></svg>
      </button>
      ${tools}
    </div>`;
}

/**
 * @param {string} path
 * @param {(path: string) => void} go
 * @param {() => void} cancel
 */
export function pathField(path, go, cancel) {
  const submit = (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    go(String(new FormData(event.currentTarget).get("path")));
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  };
  return html`
    <form id="file-go" class="bar file-path-bar" @submit=${submit} @keydown=${onKey}>
      <input id="file-path" name="path" type="text" class="mono" .value=${path} aria-label="Path of a folder or file"
        autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="/project">
      <button type="submit">Go</button>
      <button type="button" class="quiet" @click=${cancel}>Cancel</button>
    </form>`;
}
