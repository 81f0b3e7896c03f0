/**
 * A value in the console.
 *
 * @import { Display } from "../../generated/types.js"
 */

import { html, nothing } from "lit";
import { until } from "lit/directives/until.js";
import { loadPart } from "../parts.js";
import { UntrustedView } from "../untrusted_view.js";

/** @typedef {{fullText: string | undefined, showAll: () => void}} TextState the whole of a text that is shown cut */

/**
 * @param {Display} display
 * @param {TextState | null} textState null if the rest of a cut text isn't available
 */
export function displayView(display, textState) {
  switch (display.kind) {
    case "text":
      return textView(display, textState);
    case "table":
      return tableView(display);
    case "image":
      return html`<img src="data:${display.media_type};base64,${display.data}" alt="Image of the value">`;
    case "audio":
      return html`<audio controls src="data:${display.media_type};base64,${display.data}" aria-label="Sound of the value"></audio>`;
    case "html":
      return partView("ui-rich.js", (/** @type {typeof import("./rich.js")} */ part) => part.ofHtml(display.html));
    case "markdown":
      return partView("ui-rich.js", (/** @type {typeof import("./rich.js")} */ part) => part.ofMarkdown(display.text));
    case "latex":
      return partView("ui-math.js", (/** @type {typeof import("./math.js")} */ part) => part.ofLatex(display.text));
  }
}

/** @param {Extract<Display, {kind: "text"}>} display @param {TextState | null} textState */
function textView({ text, total }, textState) {
  const { fullText, showAll } = textState ?? {};
  const cut = fullText === undefined && [...text].length < total;
  return html`<pre>${fullText ?? text}${cut ? "…" : nothing}</pre>
    ${cut && showAll ? html`<button type="button" @click=${showAll}>Show all ${total.toLocaleString()} characters</button>` : nothing}`;
}

/** @param {Extract<Display, {kind: "table"}>} table */
function tableView({ columns, rows, total }) {
  const name = `Table of ${total.toLocaleString()} rows`;
  return html`<div class="console-table" role="group" tabindex="0" aria-label=${name}><table>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>
    ${rows.length < total ? html`<p class="muted">First ${rows.length} of ${total.toLocaleString()} rows.</p>` : nothing}`;
}

/** @param {string} name as in UI_PARTS @param {(part: any) => DocumentFragment} create */
function partView(name, create) {
  const shown = loadPart(name).then(
    (part) => {
      const view = new UntrustedView({ style: "console-table", label: "Value" });
      view.append(create(part));
      return view.element;
    },
    (error) => html`<p class="console-hint">The value can't be shown: ${String(error)}. Reload the page to try again.</p>`,
  );
  return until(shown, html`<p class="muted">Loading…</p>`);
}
