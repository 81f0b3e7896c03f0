/**
 * Calls as people see them, in runs, chats and the log: a sentence, what it opens to, and the raw call one press away. All
 * of it may be untrusted, so it is shown as text.
 */

import { html, nothing } from "lit";
import { ref } from "lit/directives/ref.js";
import type { SaidRow, ShownRow } from "../../generated/types.ts";
import { shown } from "../consent/text.ts";
import { duration, indented } from "../lib/format.ts";

/** Facts such as +12 −3 aren't broken into lines. */
const SHORT_FACTS = 16;

/** Show what a call does as a sentence. Its object and facts may be text from outside. */
export function sentence({ verb, object, facts }: SaidRow, failed = false) {
  return html`<span class="agent-sentence" data-failed=${failed}><span>${verb}</span>${
    object === "" ? nothing : html` <bdi class="agent-object">${shown(object)}</bdi>`
  }${facts === "" ? nothing : html`<span class="agent-came">, <bdi class=${facts.length <= SHORT_FACTS ? "short" : ""}>${shown(facts)}</bdi></span>`}</span>`;
}

/** `given` and `result` are JSON; `result` is null while the call runs. `took` is in milliseconds, if it is known */
interface RawCall {
  given: string;
  result: string | null;
  outcome: string;
  took: number | null;
}

/** The call as the model wrote it, and its result as the model got it. */
export function rawView(tool: string, { given, result, outcome, took }: RawCall) {
  return html`<details class="agent-raw"><summary>Raw call</summary>
    <p><b>${tool}</b> <span class="muted">${took === null ? nothing : duration(took)}</span></p>
    <pre tabindex="0" aria-label="Arguments of ${tool}">${indented(given)}</pre>
    ${
      result === null
        ? nothing
        : html`<p class=${outcome === "Result" ? "muted" : "agent-failed"}>${outcome}</p>
    <pre tabindex="0" aria-label="${outcome} of ${tool}">${indented(result)}</pre>`
    }</details>`;
}

export function partView({ kind, title, text }: ShownRow) {
  const heading = title === "" ? nothing : html`<p class="muted">${shown(title)}</p>`;
  if (kind === "difference") return html`${heading}${difference(text, title)}`;
  if (kind === "text") return html`${heading}<pre tabindex="0" aria-label=${title || "Output"}>${shown(text)}</pre>`;
  return html`${heading}<p class=${kind === "problem" ? "agent-failed agent-text" : "agent-text"}>${shown(text)}</p>`;
}

/** of the lines before a change that stay in view */
const ABOVE_PX = 24;

const CHANGES: Record<string, [kind: string, words: string]> = {
  "+": ["added", "added: "],
  "-": ["removed", "removed: "],
  "@": ["place", ""],
};

/** Show the lines of a difference, which begin with a plus, a minus or a space. */
function difference(text: string, path: string) {
  return html`<div class="agent-difference" role="group" tabindex="0" aria-label="Changes of ${path}" ${ref(showFirstChange)}>${text
    .split("\n")
    .map((line) => {
      const [kind, words] = CHANGES[line[0]] ?? ["same", ""];
      return html`<div data-line=${kind}>${words === "" ? nothing : html`<span class="visually-hidden">${words}</span>`}${shown(line.slice(1))}</div>`;
    })}</div>`;
}

/** Scroll a new difference to its first change, which the lines before it may hide. */
function showFirstChange(box?: Element) {
  if (box)
    requestAnimationFrame(() => {
      const change = box.querySelector("[data-line=added], [data-line=removed]");
      if (change) box.scrollTop += change.getBoundingClientRect().top - box.getBoundingClientRect().top - ABOVE_PX;
    });
}
