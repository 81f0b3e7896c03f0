/**
 * The dialog that connects Claude or another MCP client to this page: what to run or paste, from the companion, or how to
 * start the companion.
 */

import { html, nothing, render } from "lit";
import { isFailure } from "../../state/kernel_calls.ts";
import { UNCONNECTED } from "../../companion/unconnected.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { CompanionStatus } from "../../companion/types.ts";
import type { Store } from "../../state/store.ts";
import type { CompanionState } from "../../state/types.ts";
import { namedCommand } from "../../lib/serving.ts";
import { Attempts } from "./attempts.ts";
import { Configurations } from "./configurations.ts";

const STATUS = "connect";

class ConnectDialog {
  #dialog = document.createElement("dialog");
  #state: CompanionState["state"] = "none";
  #reason: string | null = null;
  #status: CompanionStatus | null = null;
  #attempts = new Attempts(() => this.#draw());
  #configurations: Configurations;
  /** True until the focus is on the suggested choice. */
  #fresh = false;
  link: CompanionLink;

  constructor(link: CompanionLink) {
    this.link = link;
    this.#configurations = new Configurations(this.#attempts, "connect", link);
    this.#dialog.id = "connect";
    this.#dialog.className = "connect";
    this.#dialog.dataset.geminiPanel = "";
    this.#dialog.setAttribute("aria-labelledby", "connect-title");
    this.#dialog.addEventListener("close", () => {
      this.#configurations.hide();
      this.#draw();
    });
    document.body.append(this.#dialog);
  }

  open() {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#fresh = true;
    this.#draw();
    void this.#ask();
  }

  /** @param companion - a new object after each change, such as a client's first request */
  follow({ state, reason }: CompanionState) {
    this.#state = state;
    this.#reason = reason;
    if (state !== "connected") this.#status = null;
    if (!this.#dialog.open) return;
    this.#draw();
    void this.#ask();
  }

  async #ask() {
    if (this.#state !== "connected") return;
    const status = await this.link.settings<CompanionStatus>("status");
    if (isFailure(status)) this.#attempts.fail(STATUS, status.error);
    else this.#status = status;
    this.#draw();
    // Once the choices are there, Enter takes the suggested one.
    const suggested = this.#dialog.querySelector(".configuration button.primary");
    if (suggested instanceof HTMLElement && this.#fresh) suggested.focus();
    this.#fresh = false;
  }

  #draw() {
    // A shown token doesn't stay in the document.
    render(
      !this.#dialog.open
        ? nothing
        : html`
      <h3 id="connect-title">Connect an MCP client to this page</h3>
      ${this.#status === null ? this.#withoutCompanion() : this.#withCompanion(this.#status)}
      ${this.#attempts.outcome(STATUS)}
      <div class="answers"><button type="button" class="primary" @click=${() => this.#dialog.close()}>Done</button></div>`,
      this.#dialog,
    );
  }

  #withCompanion({ mcp, clients, configurations, saved }: CompanionStatus) {
    const shown = configurations.filter(({ shared }) => shared);
    const names = [...new Set(clients.map(({ name }) => name))].join(", ");
    return html`
      <p class="muted">A client gets this page's tools, and you see in Activity what it does.</p>
      ${mcp.on ? nothing : html`<p>MCP is off. ${this.#attempts.button("Turn on", () => this.#turnOn(), { of: STATUS })}</p>`}
      <div class="settings-body">${this.#configurations.view(shown, saved)}</div>
      <p role="status" id="connect-clients">${names === "" ? "No client has used this page yet." : `Clients that have used this page: ${names}.`}</p>`;
  }

  #withoutCompanion() {
    if (this.#state === "connected" || this.#state === "connecting")
      return html`<p class="muted">Connecting to the companion…</p>`;
    const start = namedCommand("serve");
    const command = html`<div class="settings-body"><pre>${start}</pre>
      ${this.#attempts.button("Copy", () => this.#attempts.copy(start, start), { name: "Copy the command" })}
      ${this.#attempts.outcome(start)}</div>`;
    if (this.#state === "none") {
      return html`<p>Clients reach this page through the companion, a small program on your computer. Run</p>${command}
        <p>and use the page that it opens. <span class="muted">The command comes with the wheel; in a source tree it is
        <code>python3 build.py serve</code>.</span></p>`;
    }
    if (this.#state === "unconnected") return html`<p>${UNCONNECTED}</p>`;
    if (this.#state === "refused") {
      return html`<p>The companion refused this browser: ${this.#reason}</p>
        <p>Press <b>Connect this browser</b> above.</p>`;
    }
    return html`<p>The companion no longer responds. Start it again:</p>${command}
      <p class="muted">This page keeps trying to connect.</p>`;
  }

  async #turnOn() {
    await this.#attempts.follow(STATUS, "Turning on…", this.link.settings("mcp", { on: true }), () => "");
    await this.#ask();
  }
}

/** @returns opens the dialog */
export function connectDialog(store: Store, link: CompanionLink): () => void {
  const dialog = new ConnectDialog(link);
  store.follow(["companion"], ({ companion }) => dialog.follow(companion));
  return () => dialog.open();
}
