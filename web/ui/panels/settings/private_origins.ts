/** The origins at private addresses that the user has allowed. The companion has them, and asks for each. */

import { html } from "lit";
import type { CompanionLink } from "../../companion/link.ts";
import { exact } from "../../consent/text.ts";
import { when } from "../../lib/format.ts";
import type { Store } from "../../state/store.ts";
import { CompanionSection } from "./companion_section.ts";

type Origin = { origin: string; addresses: string[]; since: string };

const REVOKE = "private-origins";

class PrivateOrigins extends CompanionSection<{ origins: Origin[] }> {
  async #revoke(origin: string) {
    const asked = this.link.settings("revoke_private_origin", { origin });
    await this.attempts.follow(REVOKE, "Revoking…", asked, () => `Revoked. ${origin} is asked about again.`);
    await this.read(true);
    // The focused button is removed.
    this.place.focus();
  }

  view() {
    const { origins = [] } = this.status ?? {};
    return html`<p class="muted">Pages and agents reach no private address, such as a company's Git server or package index, until you
        allow its origin. What they may read or send there is asked as for any other.</p>
      <ul class="rows" aria-labelledby="private-origins-title" ?hidden=${origins.length === 0}>${origins.map(
        ({ origin, addresses, since }) => html`<li>
        <span><b>${exact(origin)}</b> at ${exact(addresses.join(", "))}, allowed ${when(since)}</span>
        ${this.attempts.button("Revoke", () => this.#revoke(origin), { of: REVOKE, name: `Revoke ${origin}` })}</li>`,
      )}</ul>
      ${this.attempts.outcome(REVOKE)}`;
  }
}

export function showPrivateOrigins(store: Store, link: CompanionLink) {
  const origins = new PrivateOrigins("settings-private-origins", "private_origins", link);
  // The count also changes with the allowed origins.
  origins.follow(store, (mcp) => mcp?.git);
}
