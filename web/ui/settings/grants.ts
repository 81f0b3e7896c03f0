/**
 * The permissions that outlast one request, with their times and a button to revoke each, and whether they count now.
 *
 * @import { Consent } from "../consent/consent.js"
 * @import { Grant, Grants } from "../consent/grants.js"
 * @import { ConsentRecord } from "../consent/record.js"
 */

import { html, nothing, render } from "lit";
import { KINDS } from "../consent/kinds/kinds.js";
import { shown } from "../consent/text.js";
import { byId } from "../elements.js";
import { fullTime, when } from "../format.js";
import { isPressOf } from "../trusted.js";

/** @param {Consent} consent */
export function showGrants({ grants, record }) {
  const place = byId("settings-grants", HTMLElement);
  const draw = () => render([view(grants), state(record)], place);
  grants.subscribe(draw);
  record.subscribe(draw);
  draw();
}

/** Say whether permanent permissions count, and offer what the person can do. @param {ConsentRecord} record */
function state(record) {
  const { taint, suspect, canTrust } = record;
  if (taint === null && !suspect) return nothing;
  const trust = html`<button type="button" id="trust-saved-code" @click=${pressed(() => record.trustSavedCode())}>Trust saved code again</button>`;
  return html`<p id="grants-state">${sentences(taint)}</p>
    ${canTrust ? html`<p class="muted">“Saved code” is what you and agents have saved here: installed packages, scripts, functions of
      terminals, tasks. If you trust it again, these permissions count for it until an agent reads text from outside again.</p>${trust}` : nothing}`;
}

/** @param {ConsentRecord["taint"]} taint */
function sentences(taint) {
  const now = "“Always allow”, “Allow this program” and “Allow until” don't count now";
  if (taint === null) return "You have restarted Python without saved code. All permissions count until an agent reads text from outside, or a command, code or agent runs.";
  if (taint.saved) return `${now}: Python runs code from your files, which may come from text that agents have read before. Restart Python to run none of it.`;
  return html`${now}: text from outside was read since you last restarted Python (first: <bdi class="mono">${shown(taint.origin)}</bdi>). Restart Python to end this.`;
}

/** @param {Grants} grants */
function view(grants) {
  const all = [...grants.rows(), ...grants.ofRuns()];
  if (all.length === 0) {
    return html`<p class="muted">No permissions. When you answer a request with “Always allow”, it is listed here and can
      be revoked.</p>`;
  }
  return html`
    <ul class="rows" aria-labelledby="grants-title">${all.map((grant) => html`<li>
      <span><b>${name(grant)}</b>: <bdi>${shown(grant.subject)}</bdi> ${span(grant)}</span>
      <button type="button" aria-label="Revoke: ${grant.subject}" @click=${pressed(() => grants.revoke(grant))}>Revoke</button>
    </li>`)}</ul>
    <button type="button" id="revoke-all" @click=${pressed(() => grants.revokeAll())}>Revoke all</button>`;
}

/** @param {Grant} grant */
function name({ kind }) {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind].name : kind;
}

/** @param {Grant & {run?: string}} grant */
function span({ kind, since, until, run }) {
  return html`<span class="muted"><time datetime=${since} title=${fullTime(since)}>since ${when(since)}</time>${
    until === null ? nothing : html`, <time datetime=${until} title=${fullTime(until)}>until ${when(until)}</time>`}${
    run === undefined ? nothing : KINDS[kind]?.reach?.run ? `, ${KINDS[kind].reach.run}` : html`, for ${shown(run)}`}</span>`;
}

/** Return a handler that accepts only presses of its own button. @param {() => void} act */
function pressed(act) {
  return (/** @type {Event} */ event) => {
    if (isPressOf(event)) act();
  };
}
