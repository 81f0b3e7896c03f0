/**
 * The permissions that outlast one request, with their times and a button to revoke each, and whether they count now.
 */

import { html, nothing, render } from "lit";
import type { Consent } from "../../consent/consent.ts";
import type { Grant, Grants } from "../../consent/grants.ts";
import { KINDS } from "../../consent/kinds/kinds.ts";
import type { ConsentRecord } from "../../consent/record.ts";
import { shown } from "../../consent/text.ts";
import { callerInSentence } from "../../lib/caller_names.ts";
import { byId } from "../../lib/elements.ts";
import { fullTime, when } from "../../lib/format.ts";
import { isPressOf } from "../../lib/trusted.ts";

export function showGrants({ grants, record }: Consent) {
  const place = byId("settings-grants", HTMLElement);
  const draw = () => render([view(grants), state(record)], place);
  grants.subscribe(draw);
  record.subscribe(draw);
  draw();
}

/** Say whether permanent permissions count, and offer the user's options. */
function state(record: ConsentRecord) {
  const { taint, suspect, canTrust } = record;
  if (taint === null && !suspect) return nothing;
  const trust = html`<button type="button" id="trust-saved-code" @click=${pressed(() => record.trustSavedCode())}>Trust saved code again</button>`;
  return html`<p id="grants-state">${sentences(taint)}</p>
    ${
      canTrust
        ? html`<p class="muted">“Saved code” is what you and agents have saved here: installed packages, scripts, functions of
      terminals, tasks. If you trust it again, these permissions count for it until an agent reads text from outside again.</p>${trust}`
        : nothing
    }`;
}

function sentences(taint: ConsentRecord["taint"]) {
  const now = "“Always allow”, “Allow this program” and “Allow until” don't count now";
  if (taint === null)
    return "You have restarted Python without saved code. All permissions count until an agent reads text from outside, or a command, code or agent runs.";
  if (taint.saved)
    return `${now}: Python runs code from your files, which may come from text that agents have read before. Restart Python to run none of it.`;
  return html`${now}: text from outside was read since you last restarted Python (first: <bdi class="mono">${shown(taint.origin)}</bdi>). Restart Python to end this.`;
}

function view(grants: Grants) {
  const all = [...grants.rows(), ...grants.ofRuns()];
  if (all.length === 0) {
    return html`<p class="muted">No permissions. When you answer a request with “Always allow”, it is listed here and can
      be revoked.</p>`;
  }
  return html`
    <ul class="rows" aria-labelledby="grants-title">${all.map(
      (grant) => html`<li>
      <span><b>${name(grant)}</b>: <bdi>${shown(grant.subject)}</bdi> ${span(grant)}</span>
      <button type="button" aria-label="Revoke: ${grant.subject}" @click=${pressed(() => grants.revoke(grant))}>Revoke</button>
    </li>`,
    )}</ul>
    <button type="button" id="revoke-all" @click=${pressed(() => grants.revokeAll())}>Revoke all</button>`;
}

function name({ kind }: Grant) {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind].name : kind;
}

function span({ kind, since, until, run }: Grant & { run?: string }) {
  return html`<span class="muted"><time datetime=${since} title=${fullTime(since)}>allowed ${when(since)}</time>${
    until === null ? nothing : html`, <time datetime=${until} title=${fullTime(until)}>until ${when(until)}</time>`
  }${
    run === undefined
      ? nothing
      : KINDS[kind]?.reach?.run
        ? `, ${KINDS[kind].reach.run}`
        : html`, for ${shown(whose(run))}`
  }</span>`;
}

/** @param run - as `runOf` names it: a run, or a caller where there is none */
function whose(run: string) {
  const caller = /^caller (.*)$/s.exec(run)?.[1];
  return caller === "" ? "commands and other code" : caller === undefined ? run : callerInSentence(caller);
}

/** Return a handler that accepts only presses of its own button. */
function pressed(act: () => void) {
  return (event: Event) => {
    if (isPressOf(event)) act();
  };
}
