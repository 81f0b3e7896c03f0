/** The companion's port, and the form that changes it. */

import { html, nothing } from "lit";
import type { CompanionStatus } from "../../companion/types.ts";
import { counted } from "../../lib/format.ts";
import { submittingPress, valueOf } from "../../lib/forms.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

const MOVE = "port";

export class PortForm {
  #open = false;
  attempts: Attempts;
  move: (port: number) => Promise<{ url: string } | Failure>;

  constructor(attempts: Attempts, move: (port: number) => Promise<{ url: string } | Failure>) {
    this.attempts = attempts;
    this.move = move;
  }

  view({ mcp: { port, former, movable }, clients }: CompanionStatus) {
    return html`<div class="line"><span>Port <b id="companion-port">${port}</b>, on this computer only</span>
        ${movable && !this.#open ? this.attempts.button("Change", () => this.#show(true), { name: "Change the port" }) : nothing}</div>
      ${
        former.length === 0
          ? nothing
          : html`<p class="muted" id="former-ports">Port ${former.join(", ")} leads here. MCP clients that still
        use it get an error with the new address: copy their configuration below again.</p>`
      }
      ${this.#open ? this.#form(port, clients.filter(({ transport }) => transport !== "stdio").length) : nothing}
      ${this.attempts.outcome(MOVE)}`;
  }

  /** @param clients - that are connected by HTTP */
  #form(port: number, clients: number) {
    return html`<form class="limits" aria-label="Change the port"
        @submit=${submittingPress((form) => this.#submit(Number(valueOf(form, "port"))))}>
        <p>The page opens at the new address, and Python restarts as after a reload: running commands and agents' runs end or continue then.
          Files, settings and permissions stay. The old address leads to the new one.</p>
        ${
          clients === 0
            ? nothing
            : html`<p>${counted(clients, "MCP client")} used port ${port}. Change the port in their configurations, too;
          the new ones are shown here afterwards.</p>`
        }
        <label>Port <input id="new-port" name="port" type="number" required min="1" max="65535" value=${port}></label>
        <button type="submit" class="primary">Change</button>
        ${this.attempts.button("Cancel", () => this.#show(false))}</form>`;
  }

  #show(open: boolean) {
    this.#open = open;
    this.attempts.report(MOVE, "");
  }

  #submit(port: number) {
    if (this.attempts.busy(MOVE)) return;
    void this.attempts.follow(MOVE, "Opening the port…", this.move(port), ({ url }) => `The surface moves to ${url}.`);
  }
}
