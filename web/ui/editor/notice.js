/**
 * What the person has to know about an open file, and can do about it.
 *
 * @import { OpenText } from "./open_text.js"
 */

import { html, nothing } from "lit";

/**
 * @param {OpenText} text
 * @param {{save: (overTheirs: boolean) => void, close: () => void, preview: () => void}} on
 */
export function noticeOf(text, on) {
  if (text.problem) return problem(text.problem, text.buffer !== null, on);
  if (text.gone) return gone(text, on);
  if (text.conflict) return conflict(text, text.conflict.content !== null, on);
  if (text.unkept) {
    return html`<p class="editor-notice">This text is too long for the browser to keep: a reload loses what isn't saved.</p>`;
  }
  return text.buffer ? nothing : html`<p class="empty">Reading…</p>`;
}

/**
 * @param {import("../types.js").ErrorDetails} error
 * @param {boolean} edited
 * @param {{close: () => void, preview: () => void}} on
 */
function problem({ message, hint }, edited, on) {
  return html`
    <div class="editor-notice problem" role="alert">
      <p>${message}${hint ? html` <span class="hint">${hint}</span>` : nothing}</p>
      ${edited ? nothing : html`
        <div class="choices">
          <button type="button" @click=${on.preview}>Preview</button>
          <button type="button" @click=${on.close}>Close file</button>
        </div>`}
    </div>`;
}

/**
 * @param {OpenText} text
 * @param {{save: (overTheirs: boolean) => void, close: () => void}} on
 */
function gone(text, on) {
  return html`
    <div class="editor-notice warning" role="alert">
      <p>${text.name} is no longer there${text.buffer ? "; its text still is, here" : ""}.</p>
      <div class="choices">
        ${text.buffer ? html`<button id="editor-make" type="button" @click=${() => on.save(true)}>Save it again</button>` : nothing}
        <button type="button" @click=${on.close}>Close file</button>
      </div>
    </div>`;
}

/**
 * @param {OpenText} text
 * @param {boolean} isText whether what is in the file now is text
 * @param {{save: (overTheirs: boolean) => void}} on
 */
function conflict(text, isText, on) {
  return html`
    <div class="editor-notice warning" role="alert">
      <p>Somebody else changed ${text.name} since you opened it. ${text.comparing
        ? "Red is theirs, green is yours: choose at each place, edit the text, then save it."
        : "Both are kept until you choose."}</p>
      <div class="choices">
        ${isText ? html`
          <button id="editor-compare" type="button" aria-pressed=${text.comparing ? "true" : "false"}
            @click=${() => text.compare(!text.comparing)}>Show differences</button>
          <button id="editor-theirs" type="button" @click=${() => text.takeTheirs()}>Take theirs</button>` : nothing}
        <button id="editor-mine" type="button" @click=${() => on.save(true)}>${
          text.comparing ? "Save this text" : "Keep mine"}</button>
      </div>
    </div>`;
}
