/**
 * The permissions that outlast one request, with their times and a button to revoke each.
 *
 * @import { Grant } from "../consent/grants.js"
 * @import { Grants } from "../consent/grants.js"
 */

import { html, nothing, render } from "lit";
import { KINDS } from "../consent/kinds/kinds.js";
import { shown } from "../consent/text.js";
import { byId } from "../elements.js";
import { fullTime, when } from "../format.js";
import { isPressOf } from "../trusted.js";

/** @param {Grants} grants */
export function showGrants(grants) {
  const place = byId("settings-grants", HTMLElement);
  const draw = () => render(view(grants), place);
  grants.subscribe(draw);
  draw();
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
