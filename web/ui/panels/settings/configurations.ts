/**
 * Configurations of MCP clients, ready to copy. The companion creates them; tokens are masked until the user shows
 * them, and end with the companion unless the user saves them.
 */

import { html, nothing } from "lit";
import type { CompanionLink } from "../../companion/link.ts";
import type { Configuration, SavedClient } from "../../companion/types.ts";
import { fullTime, when } from "../../lib/format.ts";
import type { Attempts } from "./attempts.ts";

export class Configurations {
  #client = "";
  #shows = false;
  attempts: Attempts;
  place: string;
  link: CompanionLink;

  /** @param place - begins ids */
  constructor(attempts: Attempts, place: string, link: CompanionLink) {
    this.attempts = attempts;
    this.place = place;
    this.link = link;
  }

  /** Mask tokens again. */
  hide() {
    this.#shows = false;
  }

  view(all: Configuration[], saved: SavedClient[]) {
    const clients = [...new Set(all.map(({ client }) => client))];
    const selected = clients.includes(this.#client) ? this.#client : (clients[0] ?? "");
    const select = (client: string) => {
      this.#client = client;
      this.attempts.draw();
    };
    return html`
      <h4 id="${this.place}-configurations">Connect a client</h4>
      <div class="choices" role="radiogroup" aria-labelledby="${this.place}-configurations" id="${this.place}-client">${clients.map(
        (client) =>
          html`<label><input type="radio" name="${this.place}-client" value=${client} .checked=${client === selected}
          @change=${() => select(client)}> ${client}</label>`,
      )}</div>
      ${all
        .filter(({ client }) => client === selected)
        .map((each) =>
          this.#block(
            each,
            saved.find((one) => one.client === selected),
          ),
        )}`;
  }

  /** @param saved - the client, if it is saved */
  #block(configuration: Configuration, saved: SavedClient | undefined) {
    const { client, way, place, shown, secret, shared } = configuration;
    const name = `${client}: ${way}`;
    return html`<section class="configuration" data-secret=${String(secret)} aria-label=${name}>
      <h5>${way}</h5>
      <p class="muted">${place}:</p>
      <pre>${this.#shows ? configuration.text : shown}</pre>
      ${secret && saved?.known === false ? nothing : this.#buttons(configuration, name)}
      ${this.attempts.outcome(name)}
      ${
        shared
          ? this.#lifetime(configuration, saved)
          : html`<p class="muted">Nothing else needs to be started: ${client} starts its own companion and browser, with separate files.</p>`
      }
    </section>`;
  }

  #buttons({ text, secret, needs_saved: needsSaved }: Configuration, name: string) {
    const toggle = () => {
      this.#shows = !this.#shows;
      this.attempts.draw();
    };
    return html`${this.attempts.button("Copy", () => this.attempts.copy(name, text), { name: `Copy the configuration of ${name}`, style: needsSaved ? undefined : "primary" })}
      ${secret ? this.attempts.button(this.#shows ? "Hide token" : "Show token", toggle) : nothing}`;
  }

  #lifetime({ client, text, needs_saved: needsSaved }: Configuration, saved: SavedClient | undefined) {
    const of = `saved: ${client}`;
    const allow = () => {
      void this.attempts.copy(`${client}: copied`, text);
      return this.#save(client, of);
    };
    return html`<p class="muted">${needsSaved ? forCommand(client, saved) : forToken(saved)}</p>
      ${
        saved
          ? this.attempts.button("Revoke", () => this.#revoke(client, of), {
              of,
              name: `Revoke the access of ${client}`,
            })
          : needsSaved
            ? this.attempts.button("Allow and copy", allow, { of, name: `Allow and copy: ${client}`, style: "primary" })
            : this.attempts.button("Save token", () => this.#save(client, of), { of, name: `Save token of ${client}` })
      }
      ${this.attempts.outcome(of)}${this.attempts.outcome(`${client}: copied`)}`;
  }

  #save(client: string, of: string) {
    return this.attempts.follow(of, "Saving…", this.link.settings("save_client", { client }), () => "Saved.");
  }

  #revoke(client: string, of: string) {
    return this.attempts.follow(
      of,
      "Revoking…",
      this.link.settings("revoke_client", { client }),
      () => `Revoked. ${client} can no longer connect.`,
    );
  }
}

function forCommand(client: string, saved: SavedClient | undefined) {
  return saved
    ? html`${client} may use this page since ${time(saved)}, also after a restart of the companion, until you revoke it.`
    : html`${client} starts a command that connects it to this page. The page refuses it until you allow it here.`;
}

function forToken(saved: SavedClient | undefined) {
  if (saved === undefined)
    return "The token is valid until the companion restarts; copy it again after that. Anyone who has it can use this page.";
  const until = html`The token was saved ${time(saved)}. It stays valid after a restart of the companion, until you revoke it.`;
  return saved.known
    ? html`${until} Anyone who has it can use this page.`
    : html`${until} It can't be shown again: to set the client up once more, revoke it first.`;
}

function time({ since }: SavedClient) {
  return html`<time datetime=${since} title=${fullTime(since)}>${when(since)}</time>`;
}
