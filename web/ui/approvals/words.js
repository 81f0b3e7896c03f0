/**
 * What a caller sent, as a person can read it: laid out, and with nothing that hides.
 *
 * @import { Approval, Effect } from "../types.js"
 * @import { TemplateResult } from "lit"
 */

import { html, nothing } from "lit";
import { counted, plainJson, shownPieces } from "../format.js";

/** @type {Record<Effect, string>} */
export const EFFECTS = {
  read: "It reads from this surface.",
  write: "It changes files or terminals of this surface.",
  outside: "It reaches outside this surface: the network, another site, or your computer.",
  spend: "It spends money, for example on a language model.",
};

/** @type {Record<string, string>} */
const CALLERS = {
  webmcp: "An agent in your browser (WebMCP)",
  mcp: "A program outside the browser (MCP)",
  agent: "An agent that runs in this surface",
  script: "A script on this page",
  console: "Code in the Python console",
  person: "You, from a panel of this page",
};

/** @param {string} caller */
export function callerName(caller) {
  return CALLERS[caller] ?? `The caller ${plainJson(caller)}`;
}

/** @param {string} caller */
function asObject(caller) {
  const name = callerName(caller);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** What "always" would mean. @param {Approval} approval */
export function scope({ tool, within, caller }) {
  const what = within === null
    ? html`every call of <b>${tool}</b>`
    : html`<b>${within}</b> whenever it is to ${tool}`;
  return html`Always allow holds for ${what} by ${asObject(caller)}, whatever the arguments.`;
}

/**
 * Every argument by its name, text as text.
 *
 * @param {unknown} given
 * @returns {TemplateResult}
 */
export function argumentList(given) {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return html`<div class="argument">${value(given)}</div>`;
  }
  const entries = Object.entries(given);
  if (entries.length === 0) return html`<p class="muted">Nothing: the call has no arguments.</p>`;
  return html`${entries.map(([name, each]) => html`
    <div class="argument">
      <h3>${pieces(name)} <span class="muted">${kind(each)}</span></h3>
      ${value(each)}
    </div>`)}`;
}

/** @param {unknown} each */
function value(each) {
  return html`<pre>${typeof each === "string" ? pieces(each) : plainJson(each)}</pre>`;
}

/** @param {string} text */
function pieces(text) {
  if (text === "") return html`<i>empty</i>`;
  return shownPieces(text).map(({ text, hidden }) =>
    hidden ? html`<mark title="A character that isn't seen, or moves others">${text}</mark>` : text);
}

/** @param {unknown} each */
function kind(each) {
  if (typeof each !== "string") return each === null ? "nothing" : Array.isArray(each) ? "list" : typeof each;
  const lines = each.split("\n").length;
  return html`text${lines > 1 ? html`, ${counted(lines, "line")}` : nothing}${
    each.length > 200 ? html`, ${counted(each.length, "character")}` : nothing}`;
}
