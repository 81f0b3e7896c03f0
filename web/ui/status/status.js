/**
 * The status line: boot progress, readiness, the facts beside it, what failed and what is missing.
 *
 * @import { Missing, State } from "../types.js"
 * @import { Store } from "../store.js"
 * @import { Ways } from "./facts.js"
 */

import { html, nothing, render } from "lit";
import { byId } from "../elements.js";
import { whenChanged } from "../store.js";
import { facts } from "./facts.js";
import { FactsBar } from "./facts_bar.js";

/** @type {Missing} */
const NO_WEBMCP = {
  what: "Tools for agents in the browser",
  why: "This browser has no WebMCP, and the polyfill could not start: it needs https or localhost.",
  how: "Open the page by https or on localhost; in Chromium turn on chrome://flags/#enable-webmcp-testing.",
};

/** @type {Missing} */
const NOT_APART = {
  what: "A wall between Python and this page",
  why: "This host has one origin only, so code that agents run could reach what the page stores.",
  how: "Run control-surface serve, or give the kernel a host name of its own (docs/hosting.md).",
};

const FILES_NOT_KEPT = {
  what: "Keeping all files when the page closes",
  how: "Close other tabs of this surface, allow it to store data, free some space, and reload.",
};

/**
 * @param {Store} store
 * @param {{ restart(): void, takeOver(): void, connection: import("../types.js").Wire }} kernel
 * @param {Ways} ways where facts lead to
 */
export function showStatus(store, kernel, ways) {
  store.subscribe(whenChanged(
    ({ kernel, silent, stage, fraction }) => [kernel, silent, stage, fraction],
    drawLine,
  ));
  store.subscribe(whenChanged(
    ({ kernel, reason, silent }) => [kernel, reason, silent],
    (state) => drawFailure(state, kernel),
  ));
  store.subscribe(whenChanged(
    ({ kernel, webmcp, surface, filesProblem, kernelApart }) => [kernel, webmcp, surface, filesProblem, kernelApart],
    drawMissing,
  ));
  const bar = new FactsBar();
  store.subscribe(whenChanged(
    ({ kernel, webmcp, tools, settings, surface, measured }) => [kernel, webmcp, tools, settings, surface, measured],
    (state) => bar.render(facts(state, ways)),
  ));
}

/** @param {State} state */
function drawLine({ kernel, silent, stage, fraction }) {
  const text = byId("status-text", HTMLElement);
  const said = {
    booting: `${stage}…`,
    ready: silent ? "Busy" : "Ready",
    failed: "Python isn't running",
    elsewhere: "Open in another tab",
  }[kernel];
  if (text.textContent !== said) text.textContent = said;
  text.dataset.kernel = kernel;
  const progress = byId("boot-progress", HTMLProgressElement);
  progress.hidden = kernel !== "booting";
  progress.value = fraction;
}

/**
 * @param {State} state
 * @param {{ restart(): void, takeOver(): void }} page
 */
function drawFailure({ kernel, reason, silent }, page) {
  const place = byId("failure", HTMLElement);
  const notices = { failed: () => failed(reason, page), elsewhere: () => elsewhere(reason, page) };
  const content = kernel in notices ? notices[/** @type {"failed" | "elsewhere"} */ (kernel)]() : silent ? busy(page) : nothing;
  place.hidden = content === nothing;
  place.classList.toggle("notice", kernel !== "failed");
  render(content, place);
}

/**
 * @param {string | null} reason
 * @param {{ restart(): void }} page
 */
function failed(reason, page) {
  return html`<div>
      <strong>Python isn't running, so no tool works now.</strong>
      <pre tabindex="0" aria-label="Reason">${reason ?? "The kernel gave no reason."}</pre>
      <p>Retry starts it again. If that fails too, check the connection to this page's server.</p>
    </div>
    <button type="button" class="primary" id="retry" @click=${() => page.restart()}>Retry</button>`;
}

/** @param {{ restart(): void }} page */
function busy(page) {
  return html`<div>
      <strong>Python is busy and doesn't answer.</strong>
      <p>What runs never pauses, so calls and terminals wait for its end. Stop it where it was started; if that doesn't
        help, start Python again: files stay, what runs ends.</p>
    </div>
    <button type="button" class="primary" id="restart" @click=${() => page.restart()}>Restart Python</button>`;
}

/**
 * @param {string | null} reason
 * @param {{ takeOver(): void }} page
 */
function elsewhere(reason, page) {
  return html`<div>
      <strong>You can look, but not touch.</strong>
      <p>${reason ?? ""} One tab at a time may change its files; this one shows what happens there, and takes over when
        that one is closed.</p>
    </div>
    <button type="button" class="primary" id="take-over" @click=${() => page.takeOver()}>Use it here</button>`;
}

/** @param {State} state */
function drawMissing({ kernel, webmcp, surface, filesProblem, kernelApart }) {
  const items = [...(surface?.missing ?? [])];
  if (kernelApart === false) items.push(NOT_APART);
  if (filesProblem !== null) items.push({ ...FILES_NOT_KEPT, why: filesProblem });
  if (kernel === "ready" && webmcp === "missing") items.push(NO_WEBMCP);
  const button = byId("missing-button", HTMLButtonElement);
  button.hidden = items.length === 0;
  button.textContent = items.length === 1 ? "1 thing is missing" : `${items.length} things are missing`;
  render(items.map(({ what, why, how }) => html`<li><strong>${what}</strong><p>${why}</p><p class="how">${how}</p></li>`),
    byId("missing-list", HTMLElement));
}
