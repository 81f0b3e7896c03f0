/** A value in the console. */

import { html, nothing } from "lit";
import { until } from "lit/directives/until.js";
import type { Display } from "../../../generated/types.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import { openFigure, openHtml } from "./figures.ts";
import { UntrustedView } from "../../lib/untrusted_view.ts";

/** the full text, of which only a part is shown */
type TextState = { fullText: string | undefined; showAll: () => void };

/** @param textState - null if the rest of a cut text isn't available */
export function displayView(display: Display, textState: TextState | null) {
  switch (display.kind) {
    case "text":
      return textView(display, textState);
    case "table":
      return tableView(display);
    case "image":
      return imageView(display.media_type, display.data);
    case "audio":
      return html`<audio controls src="data:${display.media_type};base64,${display.data}" aria-label="Sound of the value"></audio>`;
    case "html":
      return htmlView(display.html);
    case "markdown":
      return partView("ui-rich.js", (part: typeof import("./rich.ts")) => part.ofMarkdown(display.text));
    case "chart":
      return chartView(display);
    case "latex":
      return partView("ui-math.js", (part: typeof import("../../lib/math.ts")) => part.ofLatex(display.text));
  }
}

function imageView(type: string, data: string) {
  return html`<button type="button" class="figure" title="Open the image" aria-label="Open the image"
      @click=${() => void openFigure(type, data)}><img src="data:${type};base64,${data}" alt="Image of the value"></button>`;
}

function textView({ text, total }: Extract<Display, { kind: "text" }>, textState: TextState | null) {
  const { fullText, showAll } = textState ?? {};
  const cut = fullText === undefined && [...text].length < total;
  return html`<pre>${fullText ?? text}${cut ? "…" : nothing}</pre>
    ${cut && showAll ? html`<button type="button" @click=${showAll}>Show all ${total.toLocaleString()} characters</button>` : nothing}`;
}

function tableView({ columns, rows, total }: Extract<Display, { kind: "table" }>) {
  const name = `Table of ${total.toLocaleString()} rows`;
  return html`<div class="console-table" role="group" tabindex="0" aria-label=${name}><table>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>
    ${rows.length < total ? html`<p class="muted">First ${rows.length} of ${total.toLocaleString()} rows.</p>` : nothing}`;
}

/** Parts of HTML that are removed here, and run in a page. */
const RUNS = /<(?:script|iframe)\b/i;

function htmlView(text: string) {
  const view = partView("ui-rich.js", (part: typeof import("./rich.ts")) => part.ofHtml(text));
  if (!RUNS.test(text)) return view;
  return html`${view}<p class="console-hint">Its scripts don't run here.
    <button type="button" @click=${() => void openHtml(text)}>Open as a page</button></p>`;
}

function chartView({ library, specification }: Extract<Display, { kind: "chart" }>) {
  const shown = loadPart<typeof import("./chart.ts")>("ui-chart.js").then(
    (part) => part.chart(library, specification),
    notShown,
  );
  return until(shown, html`<p class="muted">Loading…</p>`);
}

function notShown(error: unknown) {
  return html`<p class="console-hint">The value can't be shown: ${String(error)}. Reload the page to try again.</p>`;
}

/** @param name - as in UI_PARTS */
function partView<Part>(name: string, create: (part: Part) => DocumentFragment) {
  const shown = loadPart<Part>(name).then((part) => {
    const view = new UntrustedView({ style: "console-table", label: "Value" });
    view.append(create(part));
    return view.element;
  }, notShown);
  return until(shown, html`<p class="muted">Loading…</p>`);
}
