/** The field for the companion's address, in the browser extension: no server has sent its page. */

import { html } from "lit";
import { addressForm, type Outcome } from "./address_form.ts";

const WRONG = "Enter the address that the command url prints: http://127.0.0.1:8765/#companion=…";

export class CompanionAddress {
  #outcome: Outcome | null = null;
  enter: (address: string) => boolean;
  draw: () => void;

  /** @param enter - returns false if it isn't a companion's address */
  constructor(enter: (address: string) => boolean, draw: () => void) {
    this.enter = enter;
    this.draw = draw;
  }

  /** @param reason - that the companion has refused this browser for */
  view(reason: string | null) {
    return html`<p class="muted">The companion is a small program on your computer. It lets Claude Desktop, Claude Code,
        Cursor and VS Code use this page, and adds terminals on your computer and language models. Run
        <code>control-surface serve --no-open</code>, then <code>control-surface url</code> (in a source tree
        <code>python3 build.py</code> instead of <code>control-surface</code>), and enter the address that it prints. It works once; this browser stays admitted.</p>
      ${addressForm({
        id: "settings-companion-address",
        section: "settings-mcp",
        label: "Address of the companion",
        placeholder: "http://127.0.0.1:8765/#companion=…",
        button: "Connect",
        value: "",
        outcome: this.#outcome ?? (reason === null ? null : { text: reason, bad: true }),
        save: (address) => this.#save(address),
      })}`;
  }

  #save(address: string) {
    this.#outcome = this.enter(address) ? null : { text: WRONG, bad: true };
    this.draw();
  }
}
