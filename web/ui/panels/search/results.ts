/** The list of matches by file, with what each becomes. */

import { html, nothing } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { FileMatches, Match } from "../../../generated/types.ts";

interface ResultCallbacks {
  open: (path: string, line: number) => unknown;
  /** whether a file is replaced */
  selected: (path: string) => boolean;
  toggle: (path: string) => void;
}

export function fileRows(files: FileMatches[], replaces: boolean, callbacks: ResultCallbacks) {
  return repeatBy(
    files,
    "path",
    ({ path, name, count, matches }) => html`
    <section class="search-file" aria-label=${name}>
      <h3>${
        replaces
          ? html`<input type="checkbox" aria-label="Replace in ${name}" .checked=${callbacks.selected(path)}
        @change=${() => callbacks.toggle(path)}>`
          : nothing
      }<span class="mono" title=${path}>${name}</span>
        <span class="muted">${count}</span></h3>
      <ol>${matches.map((match) => row(path, match, replaces, callbacks))}</ol>
      ${count > matches.length ? html`<p class="muted">${count - matches.length} more</p>` : nothing}
    </section>`,
  );
}

function row(
  path: string,
  { line, before, match, after, replacement }: Match,
  replaces: boolean,
  callbacks: ResultCallbacks,
) {
  return html`<li><button type="button" class="quiet mono" @click=${() => callbacks.open(path, line)}><span class="muted">${
    line
  }</span> <span>${before}${
    replaces && replacement !== null ? html`<del>${match}</del><ins>${replacement}</ins>` : html`<mark>${match}</mark>`
  }${after}</span></button></li>`;
}
