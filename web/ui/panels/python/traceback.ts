/** A traceback with links to the code. */

import { html, type TemplateResult } from "lit";

// The format of CPython's traceback.StackSummary.format.
const PLACE = /File "([^"\n]+)", line (\d+)/g;
const SOURCE = /^<console-\d+>$/;

export interface Places {
  /** opens a console entry by its file name in tracebacks */
  toEntry: (source: string, line: number) => void;
  toFile: (path: string, line: number) => void;
}

export function tracebackView(text: string, places: Places): TemplateResult {
  const parts: unknown[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const [whole, name = "", line = ""] = match;
    const go = targetOf(name, Number(line), places);
    if (go === null) continue;
    parts.push(text.slice(end, match.index), html`<button type="button" class="link" @click=${go}>${whole}</button>`);
    end = match.index + whole.length;
  }
  return html`<pre class="console-error">${parts}${text.slice(end)}</pre>`;
}

function targetOf(name: string, line: number, { toEntry, toFile }: Places) {
  if (SOURCE.test(name)) return () => toEntry(name, line);
  return name.startsWith("/") ? () => toFile(name, line) : null;
}
