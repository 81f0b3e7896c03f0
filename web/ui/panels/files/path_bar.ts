/** The breadcrumbs of the current directory, and a field to type another path. */

import { html } from "lit";
import { onEscape, submitting, valueOf } from "../../lib/forms.ts";
import { icon } from "../../lib/icons.ts";

/**
 * @param path - absolute; empty if nothing is shown yet
 * @param tools - drawn next to the path
 */
export function breadcrumbs(path: string, ready: boolean, go: (path: string) => void, up: () => void, tools: unknown) {
  const parts = path.split("/").filter(Boolean);
  const steps = [
    { name: "/", to: "/" },
    ...parts.map((name, index) => ({
      name,
      to: `/${parts.slice(0, index + 1).join("/")}`,
    })),
  ];
  return html`
    <div class="bar file-bar">
      <button id="file-up" type="button" data-action="open_file" class="quiet icon" title="Up" aria-label="Up"
        ?disabled=${!ready || path === ""} @click=${up}>${icon("up")}</button>
      <nav id="file-trail" class="file-trail" aria-label="Current folder">
        <ol aria-label="Path">
          ${(path ? steps : []).map(
            ({ name, to }, index) => html`
            <li><button type="button" class="quiet" aria-current=${index === steps.length - 1 ? "location" : "false"}
              ?disabled=${!ready} title=${to} @click=${() => go(to)}>${name}</button></li>`,
          )}
        </ol>
      </nav>
      ${tools}
    </div>`;
}

export function pathField(path: string, go: (path: string) => void, cancel: () => void) {
  const submit = submitting((form) => go(valueOf(form, "path")));
  return html`
    <form id="file-go" class="bar file-bar" @submit=${submit} @keydown=${onEscape(cancel)}>
      <input id="file-path" name="path" type="text" class="mono" .value=${path} aria-label="Path of a folder or file"
        autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="/project">
      <button type="submit">Go</button>
      <button type="button" class="quiet" @click=${cancel}>Cancel</button>
    </form>`;
}
