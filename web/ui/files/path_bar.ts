/** The breadcrumbs of the current directory, and a field to type another path. */

import { html } from "lit";
import { icon } from "../workbench/icons.js";

/**
 * @param {string} path absolute; empty if nothing is shown yet
 * @param {boolean} ready
 * @param {(path: string) => void} go
 * @param {() => void} up
 * @param {unknown} tools drawn beside it
 */
export function breadcrumbs(path, ready, go, up, tools) {
  const parts = path.split("/").filter(Boolean);
  const steps = [{ name: "/", to: "/" }, ...parts.map((name, index) => ({
    name, to: `/${parts.slice(0, index + 1).join("/")}`,
  }))];
  return html`
    <div class="bar file-bar">
      <button id="file-up" type="button" data-action="open_file" class="quiet icon" title="Up" aria-label="Up"
        ?disabled=${!ready || path === ""} @click=${up}>${icon("up")}</button>
      <nav id="file-trail" class="file-trail" aria-label="Current folder">
        <ol aria-label="Path">
          ${(path ? steps : []).map(({ name, to }, index) => html`
            <li><button type="button" class="quiet" aria-current=${index === steps.length - 1 ? "location" : "false"}
              ?disabled=${!ready} title=${to} @click=${() => go(to)}>${name}</button></li>`)}
        </ol>
      </nav>
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
    <form id="file-go" class="bar file-bar" @submit=${submit} @keydown=${onKey}>
      <input id="file-path" name="path" type="text" class="mono" .value=${path} aria-label="Path of a folder or file"
        autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="/project">
      <button type="submit">Go</button>
      <button type="button" class="quiet" @click=${cancel}>Cancel</button>
    </form>`;
}
