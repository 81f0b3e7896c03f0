/**
 * The user's servers of calendars and contacts: added with a password, which goes to the companion alone, and
 * removed.
 */

import { html, nothing } from "lit";
import type { SyncCalendarsResult } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { shown } from "../../consent/text.ts";
import { submittingPress } from "../../lib/forms.ts";
import { counted } from "../../lib/format.ts";
import { isPressOf } from "../../lib/trusted.ts";

type Status = { keyring: string | null; file: string; servers: { name: string; url: string; user: string }[] };

export class ServersView {
  #status: Status | null = null;
  #connected = false;
  #outcome = "";
  link: CompanionLink;
  changed: () => void;

  constructor(link: CompanionLink, changed: () => void) {
    this.link = link;
    this.changed = changed;
  }

  follow(connected: boolean) {
    if (connected && !this.#connected) void this.#load();
    this.#connected = connected;
  }

  /** Show what a synchronization did. */
  show({ collections }: SyncCalendarsResult) {
    this.#outcome = collections
      .map(({ name, pulled, pushed, conflicts }) =>
        [`${name}: ${pulled} from the server, ${pushed} to it.`, ...conflicts].join(" "),
      )
      .join("\n");
    this.changed();
  }

  draw(isBlocked: boolean, sync: () => void) {
    if (!this.#connected)
      return html`<p class="muted">With the companion, calendars and contacts of your own server can be synchronized.</p>`;
    if (this.#status === null) return nothing;
    const { servers, keyring, file } = this.#status;
    return html`<section aria-labelledby="calendar-servers-title"><h3 id="calendar-servers-title">Your servers</h3>
      <ul class="calendar-list">${servers.map(
        ({ name }) => html`<li data-server=${name}><p>${shown(name)}</p>
        <div class="calendar-buttons"><button type="button" class="quiet" aria-label=${`Forget ${name}`}
          @click=${(event: Event) => isPressOf(event) && void this.#act("settings/remove_dav", { name }, "Forgotten.")}>Forget</button></div></li>`,
      )}</ul>
      ${servers.length === 0 ? nothing : html`<button type="button" id="calendar-sync" ?disabled=${isBlocked} @click=${sync}>Synchronize</button>`}
      <p class="calendar-outcome" role="status">${shown(this.#outcome)}</p>
      <details><summary>Add a server</summary>
        <form class="calendar-form" id="calendar-server" @submit=${submittingPress((form) => this.#add(form))}>
          <p class="muted">CalDAV and CardDAV. The password is saved ${keyring === null ? html`as plain text in <code>${file}</code>` : html`in ${keyring}`}, and Python never gets it.</p>
          <label>Address <input name="address" inputmode="url" required maxlength="400" autocomplete="off" spellcheck="false" placeholder="https://cloud.example/dav"></label>
          <label>User name <input name="user" required maxlength="400" autocomplete="off" spellcheck="false"></label>
          <label>Password <input name="password" type="password" required maxlength="1024" autocomplete="off"></label>
          <button type="submit">Add server</button></form></details></section>`;
  }

  #add(form: HTMLFormElement) {
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    form.reset();
    void this.#act("settings/add_dav", { ...given, in_file: this.#status?.keyring === null }, "Added.");
  }

  async #act(method: string, params: object, done: string) {
    const answer = await this.link.ask<{ collections?: unknown[] }>(method, params);
    this.#outcome = isFailure(answer)
      ? `${answer.error.message} ${answer.error.hint ?? ""}`
      : answer.collections
        ? `Added, with ${counted(answer.collections.length, "calendar or address book")}.`
        : done;
    await this.#load();
  }

  async #load() {
    const found = await this.link.ask<Status>("settings/dav", {});
    this.#status = isFailure(found) ? null : found;
    this.changed();
  }
}
