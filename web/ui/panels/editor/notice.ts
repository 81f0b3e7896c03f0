/** Notices about an open file, with the available actions. */

import { html, nothing } from "lit";
import type { ErrorRow } from "../../../generated/types.ts";
import type { OpenText } from "./open_text.ts";

export function noticeOf(
  text: OpenText,
  callbacks: { save: (overTheirs: boolean) => void; close: () => void; preview: () => void },
) {
  if (text.problem) return problem(text.problem, text.buffer !== null, callbacks);
  if (text.deleted) return deleted(text, callbacks);
  if (text.conflict) return conflict(text, text.conflict.content !== null, callbacks);
  if (text.draftTooLarge) {
    return html`<p class="editor-notice">This text is too large to store in the browser. A reload loses unsaved changes.</p>`;
  }
  return text.buffer ? nothing : html`<p class="empty">Loading…</p>`;
}

function problem({ message, hint }: ErrorRow, edited: boolean, callbacks: { close: () => void; preview: () => void }) {
  return html`
    <div class="editor-notice problem" role="alert">
      <p>${message}${hint ? html` <span class="hint">${hint}</span>` : nothing}</p>
      ${
        edited
          ? nothing
          : html`
        <div class="choices">
          <button type="button" @click=${callbacks.preview}>Preview</button>
          <button type="button" @click=${callbacks.close}>Close file</button>
        </div>`
      }
    </div>`;
}

function deleted(text: OpenText, callbacks: { save: (overTheirs: boolean) => void; close: () => void }) {
  return html`
    <div class="editor-notice warning" role="alert">
      <p>${text.name} was deleted${text.buffer ? "; its text is still open here" : ""}.</p>
      <div class="choices">
        ${text.buffer ? html`<button id="editor-make" type="button" @click=${() => callbacks.save(true)}>Save again</button>` : nothing}
        <button type="button" @click=${callbacks.close}>Close file</button>
      </div>
    </div>`;
}

/** @param isText - whether the file's current content is text */
function conflict(text: OpenText, isText: boolean, callbacks: { save: (overTheirs: boolean) => void }) {
  return html`
    <div class="editor-notice warning" role="alert">
      <p>${text.name} has changed since you opened it. ${
        text.comparing
          ? "Red is the file's text, green is yours: choose at each place, edit the text, then save it."
          : "Both versions are saved until you choose."
      }</p>
      <div class="choices">
        ${
          isText
            ? html`
          <button id="editor-compare" type="button" aria-pressed=${text.comparing ? "true" : "false"}
            @click=${() => text.compare(!text.comparing)}>Show differences</button>
          <button id="editor-theirs" type="button" @click=${() => text.takeTheirs()}>Use theirs</button>`
            : nothing
        }
        <button id="editor-mine" type="button" @click=${() => callbacks.save(true)}>${
          text.comparing ? "Save this text" : "Keep mine"
        }</button>
      </div>
    </div>`;
}
