/**
 * The person's servers of calendars and contacts: added with a password, which goes to the companion alone, and removed.
 *
 * @import { CompanionLink } from "../companion/link.js"
 * @import { SyncCalendarsResult } from "../../generated/types.js"
 */

import { html, nothing } from "lit";
import { isFailure } from "../call.js";
import { shown } from "../consent/text.js";
import { counted } from "../format.js";
import { isPressOf } from "../trusted.js";

/** @typedef {{keyring: string | null, file: string, servers: {name: string, url: string, user: string}[]}} Status */

export class ServersView {
  /** @type {Status | null} */
  #status = null;
  #connected = false;
  #outcome = "";

  /** @param {CompanionLink} link @param {() => void} changed */
  constructor(link, changed) {
    this.link = link;
    this.changed = changed;
  }

  /** @param {boolean} connected */
  follow(connected) {
    if (connected && !this.#connected) void this.#load();
    this.#connected = connected;
  }

  /** Show what a synchronization did. @param {SyncCalendarsResult} done */
  show({ collections }) {
    this.#outcome = collections.map(({ name, pulled, pushed, conflicts }) =>
      [`${name}: ${pulled} from the server, ${pushed} to it.`, ...conflicts].join(" ")).join("\n");
    this.changed();
  }

  /** @param {boolean} isBlocked @param {() => void} sync */
  draw(isBlocked, sync) {
    if (!this.#connected) return html`<p class="muted">With the companion, calendars and contacts of your own server can be synchronized.</p>`;
    if (this.#status === null) return nothing;
    const { servers, keyring, file } = this.#status;
    return html`<section aria-labelledby="calendar-servers-title"><h3 id="calendar-servers-title">Your servers</h3>
      <ul class="calendar-list">${servers.map(({ name }) => html`<li data-server=${name}><p>${shown(name)}</p>
        <div class="calendar-buttons"><button type="button" class="quiet" aria-label=${`Forget ${name}`}
          @click=${(/** @type {Event} */ event) => isPressOf(event) && void this.#act("settings/remove_dav", { name }, "Forgotten.")}>Forget</button></div></li>`)}</ul>
      ${servers.length === 0 ? nothing : html`<button type="button" id="calendar-sync" ?disabled=${isBlocked} @click=${sync}>Synchronize</button>`}
      <p class="calendar-outcome" role="status">${shown(this.#outcome)}</p>
      <details><summary>Add a server</summary>
        <form class="calendar-form" id="calendar-server" @submit=${(/** @type {SubmitEvent} */ event) => this.#add(event)}>
          <p class="muted">CalDAV and CardDAV. The password is saved ${keyring === null ? html`as plain text in <code>${file}</code>` : html`in ${keyring}`}, and Python never gets it.</p>
          <label>Address <input name="address" inputmode="url" required maxlength="400" autocomplete="off" spellcheck="false" placeholder="https://cloud.example/dav"></label>
          <label>User name <input name="user" required maxlength="400" autocomplete="off" spellcheck="false"></label>
          <label>Password <input name="password" type="password" required maxlength="1024" autocomplete="off"></label>
          <button type="submit">Add server</button></form></details></section>`;
  }

  /** @param {SubmitEvent} event */
  #add(event) {
    event.preventDefault();
    if (!isPressOf(event)) return;
    const form = /** @type {HTMLFormElement} */ (event.target);
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    form.reset();
    void this.#act("settings/add_dav", { ...given, in_file: this.#status?.keyring === null }, "Added.");
  }

  /** @param {string} method @param {object} params @param {string} done */
  async #act(method, params, done) {
    const answer = /** @type {any} */ (await this.link.ask(method, params));
    this.#outcome = isFailure(answer) ? `${answer.error.message} ${answer.error.hint ?? ""}`
      : answer.collections ? `Added, with ${counted(answer.collections.length, "calendar or address book")}.` : done;
    await this.#load();
  }

  async #load() {
    const found = /** @type {any} */ (await this.link.ask("settings/dav", {}));
    this.#status = isFailure(found) ? null : found;
    this.changed();
  }
}
