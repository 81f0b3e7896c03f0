/** The origins at private addresses that the user has allowed. The companion has them, and asks for each. */

import { html, render } from "lit";
import { isFailure } from "../../state/kernel_calls.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { exact } from "../../consent/text.ts";
import { byId } from "../../lib/elements.ts";
import { when } from "../../lib/format.ts";
import type { Store } from "../../state/store.ts";
import { Attempts } from "./attempts.ts";

type Origin = { origin: string; addresses: string[]; since: string };

const REVOKE = "private-origins";

class PrivateOrigins {
  #place = byId("settings-private-origins", HTMLElement);
  #origins: Origin[] | null = null;
  #attempts = new Attempts(() => this.#draw());
  link: CompanionLink;

  constructor(link: CompanionLink) {
    this.link = link;
    this.#draw();
  }

  async read(connected: boolean) {
    const found = connected ? await this.link.settings<{ origins: Origin[] }>("private_origins") : null;
    this.#origins = found === null || isFailure(found) ? null : found.origins;
    this.#draw();
  }

  async #revoke(origin: string) {
    const asked = this.link.settings("revoke_private_origin", { origin });
    await this.#attempts.follow(REVOKE, "Revoking…", asked, () => `Revoked. ${origin} is asked about again.`);
    await this.read(true);
    // The focused button is removed.
    this.#place.focus();
  }

  #draw() {
    const origins = this.#origins;
    (this.#place.parentElement as HTMLElement).hidden = origins === null;
    render(
      html`<p class="muted">Pages and agents reach no private address, such as a company's Git server or package index, until you
          allow its origin. What they may read or send there is asked as for any other.</p>
        <ul class="rows" aria-labelledby="private-origins-title" ?hidden=${!origins?.length}>${(origins ?? []).map(
          ({ origin, addresses, since }) => html`<li>
          <span><b>${exact(origin)}</b> at ${exact(addresses.join(", "))}, allowed ${when(since)}</span>
          ${this.#attempts.button("Revoke", () => this.#revoke(origin), { of: REVOKE, name: `Revoke ${origin}` })}</li>`,
        )}</ul>
        ${this.#attempts.outcome(REVOKE)}`,
      this.#place,
    );
  }
}

export function showPrivateOrigins(store: Store, link: CompanionLink) {
  const origins = new PrivateOrigins(link);
  store.follow(
    // The count also changes with the allowed origins.
    ({ companion }) => [companion.state, companion.mcp?.git],
    ({ companion }) => void origins.read(companion.state === "connected"),
  );
}
