/**
 * The status line: boot progress, readiness, what failed and what is missing.
 *
 * @import { Missing, State, WebMcpMode } from "./types.js"
 * @import { Store } from "./store.js"
 */

import { byId, h } from "./elements.js";
import { counted } from "./format.js";
import { whenChanged } from "./store.js";

/** @type {Record<WebMcpMode, string>} */
const WEBMCP = { native: "WebMCP native", polyfill: "WebMCP by polyfill", missing: "no WebMCP" };

/** @type {Missing} */
const NO_WEBMCP = {
  what: "Tools for agents in the browser",
  why: "This browser has no WebMCP, and the polyfill could not start: it needs https or localhost.",
  how: "Open the page by https or on localhost; in Chromium turn on chrome://flags/#enable-webmcp-testing.",
};

const FILES_NOT_KEPT = {
  what: "Keeping all files when the page closes",
  how: "Close other tabs of this surface, allow it to store data, free some space, and reload.",
};

/**
 * @param {Store} store
 * @param {{ restart(): void, takeOver(): void }} kernel
 */
export function showStatus(store, kernel) {
  store.subscribe(whenChanged(
    ({ kernel, silent, stage, fraction, tools, webmcp }) => [kernel, silent, stage, fraction, tools, webmcp],
    drawLine,
  ));
  store.subscribe(whenChanged(
    ({ kernel, reason, silent }) => [kernel, reason, silent],
    (state) => drawFailure(state, kernel),
  ));
  store.subscribe(whenChanged(
    ({ kernel, webmcp, surface, filesProblem }) => [kernel, webmcp, surface, filesProblem],
    drawMissing,
  ));
}

/** @param {State} state */
function drawLine({ kernel, silent, stage, fraction, tools, webmcp }) {
  const text = byId("status-text", HTMLElement);
  const said = {
    booting: `${stage}…`,
    ready: `${silent ? "Busy" : "Ready"} · ${counted(tools.length, "tool")} · ${WEBMCP[webmcp]}`,
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
  const content = kernel in notices ? notices[/** @type {"failed" | "elsewhere"} */ (kernel)]() : silent ? busy(page) : [];
  place.hidden = content.length === 0;
  place.classList.toggle("notice", kernel !== "failed");
  place.replaceChildren(...content);
}

/**
 * @param {string | null} reason
 * @param {{ restart(): void }} page
 */
function failed(reason, page) {
  return [
    h("div", {},
      h("strong", {}, "Python isn't running, so no tool works now."),
      h("pre", { tabindex: 0, "aria-label": "Reason" }, reason ?? "The kernel gave no reason."),
      h("p", {}, "Retry starts it again. If that fails too, check the connection to this page's server.")),
    h("button", { type: "button", class: "primary", id: "retry", onclick: () => page.restart() }, "Retry"),
  ];
}

/** @param {{ restart(): void }} page */
function busy(page) {
  return [
    h("div", {},
      h("strong", {}, "Python is busy and doesn't answer."),
      h("p", {}, "What runs never pauses, so calls and terminals wait for its end. Stop it where it was started; "
        + "if that doesn't help, start Python again: files stay, what runs ends.")),
    h("button", { type: "button", class: "primary", id: "restart", onclick: () => page.restart() }, "Restart Python"),
  ];
}

/**
 * @param {string | null} reason
 * @param {{ takeOver(): void }} page
 */
function elsewhere(reason, page) {
  return [
    h("div", {},
      h("strong", {}, "You can look, but not touch."),
      h("p", {}, `${reason ?? ""} One tab at a time may change its files; this one shows what happens there, `
        + "and takes over when that one is closed.")),
    h("button", { type: "button", class: "primary", id: "take-over", onclick: () => page.takeOver() }, "Use it here"),
  ];
}

/** @param {State} state */
function drawMissing({ kernel, webmcp, surface, filesProblem }) {
  const items = [...(surface?.missing ?? [])];
  if (filesProblem !== null) items.push({ ...FILES_NOT_KEPT, why: filesProblem });
  if (kernel === "ready" && webmcp === "missing") items.push(NO_WEBMCP);
  const button = byId("missing-button", HTMLButtonElement);
  button.hidden = items.length === 0;
  button.textContent = items.length === 1 ? "1 thing is missing" : `${items.length} things are missing`;
  byId("missing-list", HTMLElement).replaceChildren(...items.map(({ what, why, how }) =>
    h("li", {}, h("strong", {}, what), h("p", {}, why), h("p", { class: "how" }, how))));
}
