/** The outputs that a notebook's file has of a cell. */

import { html, nothing } from "lit";
import type { Display } from "../../../generated/types.ts";
import { displayView } from "../python/display.ts";
import { outputView } from "../python/output.ts";
import { joined, type Output } from "./cells.ts";

/** The kinds of a value's data, the richest first. */
const KINDS: [string, (text: string, type: string) => Display][] = [
  ["image/svg+xml", (text, type) => ({ kind: "image", media_type: type, data: base64Of(text) })],
  ["image/png", (data, type) => ({ kind: "image", media_type: type, data })],
  ["image/jpeg", (data, type) => ({ kind: "image", media_type: type, data })],
  ["image/gif", (data, type) => ({ kind: "image", media_type: type, data })],
  ["audio/wav", (data, type) => ({ kind: "audio", media_type: type, data })],
  ["text/html", (text) => ({ kind: "html", html: text })],
  ["text/markdown", (text) => ({ kind: "markdown", text })],
  ["text/latex", (text) => ({ kind: "latex", text })],
  ["text/plain", (text) => ({ kind: "text", text, total: [...text].length })],
];

export function savedOutput(output: Output) {
  const { output_type: type, name, text, traceback, ename, evalue } = output;
  if (type === "stream") return outputView({ stream: name === "stderr" ? "stderr" : "stdout", text: joined(text) });
  if (type === "error") {
    const lines = Array.isArray(traceback) && traceback.length > 0 ? traceback.join("\n") : `${ename}: ${evalue}`;
    return outputView({ stream: "stderr", text: lines });
  }
  return valueView((output.data ?? {}) as Record<string, unknown>);
}

const PLOTLY = "application/vnd.plotly.v1+json";
const VEGA = /^application\/vnd\.vega(lite)?\.v\d+(\.\d+)*\+json$/;

function valueView(data: Record<string, unknown>) {
  const chart = Object.keys(data).find((type) => type === PLOTLY || VEGA.test(type));
  if (chart !== undefined) {
    const library = chart === PLOTLY ? "plotly" : "vega";
    return displayView({ kind: "chart", library, specification: JSON.stringify(data[chart]) }, null);
  }
  const kind = KINDS.find(([type]) => data[type] !== undefined);
  if (!kind) return html`<p class="muted">Only Jupyter can show this: ${Object.keys(data).join(", ")}.</p>`;
  const [mediaType, displayOf] = kind;
  const text = joined(data[mediaType]);
  return text === "" ? nothing : displayView(displayOf(text, mediaType), null);
}

function base64Of(text: string) {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join(""));
}
