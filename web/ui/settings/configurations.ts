/**
 * Configurations of MCP clients, ready to copy. The companion creates them; tokens are masked until the person shows
 * them, and end with the companion unless the person saves them.
 *
 * @import { Configuration, SavedClient } from "../companion/types.js"
 * @import { CompanionLink } from "../companion/link.js"
 * @import { Attempts } from "./attempts.js"
 */

import { html, nothing } from "lit";
import { fullTime, when } from "../format.js";

export class Configurations {
  #client = "";
  #shows = false;

  /** @param {Attempts} attempts @param {string} place begins ids @param {CompanionLink} link */
  constructor(attempts, place, link) {
    this.attempts = attempts;
    this.place = place;
    this.link = link;
  }

  /** Mask tokens again. */
  hide() {
    this.#shows = false;
  }

  /** @param {Configuration[]} all @param {SavedClient[]} saved */
  view(all, saved) {
    const clients = [...new Set(all.map(({ client }) => client))];
    const selected = clients.includes(this.#client) ? this.#client : clients[0] ?? "";
    const select = (/** @type {string} */ client) => {
      this.#client = client;
      this.attempts.draw();
    };
    return html`
      <h4 id="${this.place}-configurations">Connect a client</h4>
      <div class="choices" role="radiogroup" aria-labelledby="${this.place}-configurations" id="${this.place}-client">${clients.map((client) =>
        html`<label><input type="radio" name="${this.place}-client" value=${client} .checked=${client === selected}
          @change=${() => select(client)}> ${client}</label>`)}</div>
      ${all.filter(({ client }) => client === selected).map((each) => this.#block(each, saved.find((one) => one.client === selected)))}`;
  }

  /** @param {Configuration} configuration @param {SavedClient | undefined} saved the client, if it is saved */
  #block(configuration, saved) {
    const { client, way, place, shown, secret, shared } = configuration;
    const name = `${client}: ${way}`;
    return html`<section class="configuration" data-secret=${String(secret)} aria-label=${name}>
      <h5>${way}</h5>
      <p class="muted">${place}:</p>
      <pre>${this.#shows ? configuration.text : shown}</pre>
      ${secret && saved?.known === false ? nothing : this.#buttons(configuration, name)}
      ${this.attempts.outcome(name)}
      ${shared ? this.#lifetime(configuration, saved)
        : html`<p class="muted">Nothing else needs to be started: ${client} starts its own companion and browser, with separate files.</p>`}
    </section>`;
  }

  /** @param {Configuration} configuration @param {string} name */
  #buttons({ text, secret, needs_saved: needsSaved }, name) {
    const toggle = () => {
      this.#shows = !this.#shows;
      this.attempts.draw();
    };
    return html`${this.attempts.button("Copy", () => this.attempts.copy(name, text), { name: `Copy the configuration of ${name}`, style: needsSaved ? undefined : "primary" })}
      ${secret ? this.attempts.button(this.#shows ? "Hide token" : "Show token", toggle) : nothing}`;
  }

  /** @param {Configuration} configuration @param {SavedClient | undefined} saved */
  #lifetime({ client, text, needs_saved: needsSaved }, saved) {
    const of = `saved: ${client}`;
    const allow = () => {
      void this.attempts.copy(`${client}: copied`, text);
      return this.#save(client, of);
    };
    return html`<p class="muted">${needsSaved ? forCommand(client, saved) : forToken(saved)}</p>
      ${saved ? this.attempts.button("Revoke", () => this.#revoke(client, of), { of, name: `Revoke the access of ${client}` })
        : needsSaved ? this.attempts.button("Allow and copy", allow, { of, name: `Allow and copy: ${client}`, style: "primary" })
        : this.attempts.button("Save token", () => this.#save(client, of), { of, name: `Save token of ${client}` })}
      ${this.attempts.outcome(of)}${this.attempts.outcome(`${client}: copied`)}`;
  }

  /** @param {string} client @param {string} of */
  #save(client, of) {
    return this.attempts.follow(of, "Saving…", this.link.settings("save_client", { client }), () => "Saved.");
  }

  /** @param {string} client @param {string} of */
  #revoke(client, of) {
    return this.attempts.follow(of, "Revoking…", this.link.settings("revoke_client", { client }),
      () => `Revoked. ${client} can no longer connect.`);
  }
}

/** @param {string} client @param {SavedClient | undefined} saved */
function forCommand(client, saved) {
  return saved ? html`${client} may use this page since ${time(saved)}, also after a restart of the companion, until you revoke it.`
    : html`${client} starts a command that connects it to this page. The page refuses it until you allow it here.`;
}

/** @param {SavedClient | undefined} saved */
function forToken(saved) {
  if (saved === undefined) return "The token is valid until the companion restarts; copy it again after that. Anyone who has it can use this page.";
  const until = html`The token was saved ${time(saved)}. It stays valid after a restart of the companion, until you revoke it.`;
  return saved.known ? html`${until} Anyone who has it can use this page.`
    : html`${until} It can't be shown again: to set the client up once more, revoke it first.`;
}

/** @param {SavedClient} saved */
function time({ since }) {
  return html`<time datetime=${since} title=${fullTime(since)}>${when(since)}</time>`;
}
