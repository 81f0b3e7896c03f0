/** The status line: boot progress, readiness, status items, failures and missing features. */

import { html, nothing, render } from "lit";
import type { Limitation } from "../../generated/types.ts";
import { IN_EXTENSION } from "../../shared/in_extension.ts";
import { byId } from "../lib/elements.ts";
import type { Store } from "../state/store.ts";
import { isPressOf } from "../lib/trusted.ts";
import type { Wire, State } from "../state/types.ts";
import { VERSION } from "../../shared/version.ts";
import { differentVersions } from "./versions.ts";
import { statusItems, type Callbacks } from "./items.ts";
import { ItemBar } from "./item_bar.ts";
import { copyReport, startReport } from "./start_report.ts";
import { Running } from "./running.ts";

const NO_WEBMCP: Limitation = {
  what: "Tools for agents in the browser",
  why: "This browser has no WebMCP, and the polyfill could not start: it needs https or localhost.",
  how: "Open the page over https or on localhost. In Chromium, turn on chrome://flags/#enable-webmcp-testing.",
};

const UNKEYED: Limitation = {
  what: NO_WEBMCP.what,
  why: "This browser has no WebMCP, and its replacement needs an origin that has an agent cluster for itself.",
  how: "Have the server of this address send Origin-Agent-Cluster: ?1 with all pages, restart the browser, and open the page again. Chromium needs no header.",
};

const NOT_APART: Limitation = {
  what: "Isolation of Python from this page",
  why: "This host has only one origin, so code that agents run could reach the page's stored data.",
  how: "Run control-surface serve (in a source tree: python3 build.py serve), or give the kernel its own host name (docs/hosting.md).",
};

const USE_COMPANION =
  "Use the page of the companion: control-surface serve (in a source tree: python3 build.py serve).";
const OF_EXTENSIONS: Limitation[] = [
  {
    what: "An origin of its own for Python",
    why: "All pages of an extension share one origin. Python's worker has no extension API and no network of its own, but could read this page's databases.",
    how: USE_COMPANION,
  },
  {
    what: "The command node, and scripts in this page",
    why: "The browser lets no text run as code in an extension.",
    how: USE_COMPANION,
  },
];

const NO_SITES: Limitation = {
  what: "Files and servers as pages",
  why: "They need an origin of their own. The extension has only one, whose pages could use your tabs.",
  how: "Start the companion with control-surface serve --no-open (in a source tree: python3 build.py serve --no-open), and enter its address in the settings.",
};

const FILES_NOT_SAVED = {
  what: "Saving all files",
  how: "Close other tabs of this surface, allow it to store data, free some space, and reload.",
};

export function showStatus(
  store: Store,
  kernel: { restart(): void; startAgain(): void; takeOver(): void; connection: Wire },
  callbacks: Callbacks,
) {
  const running = new Running(callbacks, () => drawLine(store.state, running));
  store.follow(["kernel", "terminals", "console"], (state) => running.follow(state));
  store.follow(["kernel", "silent", "stage", "fraction"], (state) => drawLine(state, running));
  store.follow(["kernel", "reason", "silent"], (state) => drawFailure(state, kernel));
  store.follow(["kernel", "webmcp", "surface", "filesProblem", "kernelApart", "companion"], drawMissing);
  const bar = new ItemBar();
  store.follow(
    ["kernel", "webmcp", "tools", "settings", "surface", "measured", "sourceControl", "models", "companion"],
    (state) => bar.render(statusItems(state, callbacks)),
  );
}

function drawLine({ kernel, silent, stage, fraction }: State, running: Running) {
  const text = byId("status-text", HTMLElement);
  const label = {
    booting: `${stage}…`,
    ready: running.label ?? (silent ? "Busy" : "Ready"),
    failed: "Python isn't running",
    elsewhere: "Open in another tab",
  }[kernel];
  if (text.textContent !== label) text.textContent = label;
  text.dataset.kernel = kernel;
  const progress = byId("boot-progress", HTMLProgressElement);
  progress.hidden = kernel !== "booting";
  progress.value = fraction;
}

function drawFailure(
  { kernel, reason, silent, stage }: State,
  page: { restart(): void; startAgain(): void; takeOver(): void },
) {
  const place = byId("failure", HTMLElement);
  const notices = { failed: () => failed(reason, stage, page), elsewhere: () => elsewhere(reason, page) };
  const unanswered = () => (kernel === "booting" ? slow(stage, page) : busy(page));
  const content = kernel === "failed" || kernel === "elsewhere" ? notices[kernel]() : silent ? unanswered() : nothing;
  place.hidden = content === nothing;
  place.classList.toggle("notice", kernel !== "failed");
  render(content, place);
}

function reportButton(reason: string | null, stage: string) {
  const copy = ({ currentTarget }: Event) =>
    currentTarget instanceof HTMLButtonElement && copyReport(currentTarget, startReport(reason, stage));
  return html`<button type="button" id="copy-report" @click=${copy}>Copy a report</button>`;
}

/** The notice of a start in which nothing happens. It may still be the network, so the start continues. */
function slow(stage: string, page: { startAgain(): void }) {
  return html`<div>
      <strong>Python hasn't started yet.</strong>
      <p>The last step, ${stage}, began more than 20 seconds ago. A slow connection or a busy computer can be the reason. If
        nothing changes, press Retry, or reload the page; then copy a report for those who run this page.</p>
    </div>
    <button type="button" class="primary" id="retry" @click=${() => page.startAgain()}>Retry</button>
    ${reportButton("nothing happened for 20 seconds", stage)}`;
}

function failed(reason: string | null, stage: string, page: { restart(): void; startAgain(): void }) {
  return html`<div>
      <strong>Python isn't running, so tools don't work.</strong>
      <pre tabindex="0" aria-label="Reason">${reason ?? "The kernel reported no reason."}</pre>
      <p>Press Retry to start it again. If that fails, check the connection to this page's server. If Python ends by itself
        each time, restart it: it then starts without your installed packages and saved terminals' functions.</p>
    </div>
    <button type="button" class="primary" id="retry" @click=${() => page.startAgain()}>Retry</button>
    ${reportButton(reason, stage)}
    <button type="button" id="restart" @click=${(event: Event) => isPressOf(event) && page.restart()}>Restart Python</button>`;
}

function busy(page: { restart(): void }) {
  return html`<div>
      <strong>Python is busy and doesn't respond.</strong>
      <p>The running code never pauses, so calls and terminals wait until it ends. Stop it where it was started. If that
        doesn't help, restart Python: files stay, running programs end.</p>
    </div>
    <button type="button" class="primary" id="restart" @click=${(event: Event) => isPressOf(event) && page.restart()}>Restart Python</button>`;
}

function elsewhere(reason: string | null, page: { takeOver(): void }) {
  return html`<div>
      <strong>This tab is read-only.</strong>
      <p>${reason ?? ""} Only one tab can change its files. This one shows what happens there, and takes over when that
        tab is closed.</p>
    </div>
    <button type="button" class="primary" id="take-over" @click=${() => page.takeOver()}>Use it here</button>`;
}

function drawMissing({ kernel, webmcp, surface, filesProblem, kernelApart, companion }: State) {
  const items = [...(surface?.missing ?? [])];
  if (IN_EXTENSION) items.push(...OF_EXTENSIONS);
  else if (kernelApart === false) items.push(NOT_APART);
  if (IN_EXTENSION && companion.state !== "connected") items.push(NO_SITES);
  const different =
    companion.state === "connected"
      ? differentVersions({ page: VERSION, companion: companion.version, inExtension: IN_EXTENSION })
      : null;
  if (different !== null) items.push(different);
  const savesNothing = !navigator.storage?.getDirectory && surface !== null;
  if (filesProblem !== null && !savesNothing) items.push({ ...FILES_NOT_SAVED, why: filesProblem });
  if (kernel === "ready" && webmcp === "missing") items.push(NO_WEBMCP);
  if (kernel === "ready" && webmcp === "unkeyed") items.push(UNKEYED);
  const button = byId("missing-button", HTMLButtonElement);
  button.hidden = items.length === 0;
  button.textContent = items.length === 1 ? "1 missing feature" : `${items.length} missing features`;
  render(
    items.map(({ what, why, how }) => html`<li><strong>${what}</strong><p>${why}</p><p class="how">${how}</p></li>`),
    byId("missing-list", HTMLElement),
  );
}
