/**
 * A traceback with links to the code.
 *
 * @import { TemplateResult } from "lit"
 */

import { html } from "lit";

// The format of CPython's traceback.StackSummary.format.
const PLACE = /File "([^"\n]+)", line (\d+)/g;
const SOURCE = /^<console-\d+>$/;

/**
 * @typedef {object} Places
 * @property {(source: string, line: number) => void} toEntry opens a console entry by its file name in tracebacks
 * @property {(path: string, line: number) => void} toFile
 */

/**
 * @param {string} text
 * @param {Places} places
 * @returns {TemplateResult}
 */
export function tracebackView(text, places) {
  /** @type {unknown[]} */
  const parts = [];
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

/** @param {string} name @param {number} line @param {Places} places */
function targetOf(name, line, { toEntry, toFile }) {
  if (SOURCE.test(name)) return () => toEntry(name, line);
  return name.startsWith("/") ? () => toFile(name, line) : null;
}
