/** The output of console code, with colors, and the values that it displayed. */

import { html, nothing } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import type { Printed } from "../../../generated/types.ts";
import { runsOf, type Run } from "./ansi.ts";
import { displayView } from "./display.ts";

export function outputView(printed: Printed) {
  if (printed.stream === "value") return html`<div class="console-value">${displayView(printed.display, null)}</div>`;
  const runs = runsOf(printed.text.trimEnd());
  return runs.length > 0 ? html`<pre class="console-${printed.stream}">${runs.map(runView)}</pre>` : nothing;
}

function runView({ text, style }: Run) {
  if (Object.keys(style).length === 0) return text;
  const { color, background, inverse } = style;
  return html`<span style=${styleMap({
    color: inverse ? (background ?? "var(--surface)") : color,
    "background-color": inverse ? (color ?? "var(--text)") : background,
    "font-weight": style.bold ? "700" : undefined,
    opacity: style.dim ? "0.7" : undefined,
    "font-style": style.italic ? "italic" : undefined,
    "text-decoration":
      [style.underline && "underline", style.struck && "line-through"].filter(Boolean).join(" ") || undefined,
  })}>${text}</span>`;
}
