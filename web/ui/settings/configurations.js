/**
 * Configurations of MCP clients, ready to copy. The companion creates them; tokens are masked until the person shows
 * them.
 *
 * @import { Configuration } from "../companion/types.js"
 * @import { Attempts } from "./attempts.js"
 */

import { html, nothing } from "lit";

export class Configurations {
  #client = "";
  #shows = false;

  /** @param {Attempts} attempts @param {string} place begins ids */
  constructor(attempts, place) {
    this.attempts = attempts;
    this.place = place;
  }

  /** Mask tokens again. */
  hide() {
    this.#shows = false;
  }

  /** @param {Configuration[]} all */
  view(all) {
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
      ${all.some(({ client, secret }) => client === selected && secret) ? nothing : html`<p>${selected} only starts programs, so it
        gets a page of its own, not this one.</p>`}
      ${all.filter(({ client }) => client === selected).map((each) => this.#block(each))}`;
  }

  /** @param {Configuration} configuration */
  #block({ client, way, place, text, shown, secret }) {
    const name = `${client}: ${way}`;
    const toggle = () => {
      this.#shows = !this.#shows;
      this.attempts.draw();
    };
    return html`<section class="configuration" data-secret=${String(secret)} aria-label=${name}>
      <h5>${way}</h5>
      <p class="muted">${place}:</p>
      <pre>${this.#shows ? text : shown}</pre>
      ${this.attempts.button("Copy", () => this.attempts.copy(name, text), { name: `Copy the configuration of ${name}` })}
      ${secret ? this.attempts.button(this.#shows ? "Hide token" : "Show token", toggle) : nothing}
      ${this.attempts.outcome(name)}
      <p class="muted">${secret
        ? "The token is valid until the companion restarts; copy it again after that. Anyone who has it can use this page."
        : "Nothing else needs to be started: the client starts its own companion and browser, with separate files."}</p>
    </section>`;
  }
}
