/**
 * The user's secrets: added, changed and deleted here alone. A value goes to the companion, which never returns one;
 * Python has placeholders (docs/secrets.md).
 */

import { html, nothing } from "lit";
import type { CompanionLink } from "../../companion/link.ts";
import { exact } from "../../consent/text.ts";
import { submittingPress } from "../../lib/forms.ts";
import type { Store } from "../../state/store.ts";
import { CompanionSection } from "./companion_section.ts";

type Place = "header" | "query" | "body" | "git" | "mcp" | "host";
type Secret = { name: string; origins: string[]; places: Place[] };
type Status = { keyring: string | null; file: string; secrets: Secret[]; places: Place[] };

const WHAT = "secrets";
const PLACES: Record<Place, string> = {
  header: "Headers, such as Authorization",
  query: "The address, after its question mark",
  body: "The data that is sent",
  git: "The login of git: to clone, fetch and push",
  mcp: "The environment of MCP servers",
  host: "The environment of commands on this computer, each after a question",
};
const SHORT: Record<Place, string> = {
  header: "headers",
  query: "addresses",
  body: "data",
  git: "git’s login",
  mcp: "MCP servers",
  host: "commands",
};

class Secrets extends CompanionSection<Status> {
  /** The secret whose origins and places the form has, or null for a new one. */
  #changed: Secret | null = null;

  async #delete(name: string) {
    const asked = this.link.settings("delete_secret", { name });
    await this.attempts.follow(
      WHAT,
      "Deleting…",
      asked,
      () => `Deleted. Revoke it at its service, too, if it may be known.`,
    );
    this.#changed = null;
    await this.read(true);
    // The focused button is removed.
    this.place.focus();
  }

  async #save(form: HTMLFormElement, status: Status) {
    const given = new FormData(form);
    const name = this.#changed?.name ?? String(given.get("name"));
    const value = String(given.get("value"));
    const asked = this.link.settings("save_secret", {
      name,
      origins: String(given.get("origins"))
        .split(/[\s,]+/)
        .filter(Boolean),
      places: given.getAll("place").map(String),
      ...(value === "" ? {} : { value }),
      in_file: status.keyring === null,
    });
    const saved = await this.attempts.follow(WHAT, "Saving…", asked, () => `Saved. Code writes secret("${name}").`);
    if (!saved) return;
    this.#changed = null;
    form.reset();
    await this.read(true);
  }

  #change(secret: Secret | null) {
    this.#changed = secret;
    this.draw();
    this.place.querySelector<HTMLElement>("form input:not([disabled])")?.focus();
  }

  view() {
    return this.status === null ? nothing : this.#content(this.status);
  }

  #content(status: Status) {
    return html`<p class="muted">Agents and programs use a secret by its name, as <code>secret("github")</code> in Python and
        <code>$(secret github)</code> in a terminal. The companion puts its value into requests to the origins that you
        name, after asking as for any request, and removes it from answers.</p>
      <ul class="rows" aria-labelledby="secrets-title" ?hidden=${status.secrets.length === 0}>${status.secrets.map(
        (secret) => html`<li data-secret=${secret.name}>
        <span><b>${exact(secret.name)}</b> in ${secret.places.map((place) => SHORT[place]).join(", ")}${
          secret.origins.length === 0 ? nothing : html` to ${exact(secret.origins.join(", "))}`
        }</span>
        ${this.attempts.button("Change", () => this.#change(secret), { of: WHAT, name: `Change ${secret.name}` })}
        ${this.attempts.button("Delete", () => this.#delete(secret.name), { of: WHAT, name: `Delete ${secret.name}` })}</li>`,
      )}</ul>
      ${this.#form(status)}
      ${this.attempts.outcome(WHAT)}`;
  }

  #form(status: Status) {
    const changed = this.#changed;
    const { keyring, file } = status;
    return html`<form class="limits" id="secret-form" aria-label="Add a secret" @submit=${submittingPress((form) => this.#save(form, status))}>
      ${
        keyring === null
          ? html`<p>This computer has no keyring. The value is saved as plain text in <code>${file}</code>.</p>`
          : nothing
      }
      <label>Name <input name="name" required maxlength="40" pattern="[a-z0-9]([a-z0-9\\-]*[a-z0-9])?" autocomplete="off"
        spellcheck="false" placeholder="github" title="Lowercase letters, digits and hyphens"
        .value=${changed?.name ?? ""} ?disabled=${changed !== null}></label>
      <label>Value <input name="value" type="password" minlength="8" maxlength="1024" autocomplete="off" spellcheck="false"
        placeholder=${changed === null ? "" : "unchanged"} ?required=${changed === null}></label>
      <label>Origins that may receive it <input name="origins" inputmode="url" maxlength="4000" autocomplete="off" spellcheck="false"
        placeholder="https://api.github.com" .value=${changed?.origins.join(" ") ?? ""}></label>
      <div class="choices" role="group" aria-label="Where it may be sent">${status.places.map(
        (place) => html`<label><input type="checkbox" name="place" value=${place}
          .checked=${changed === null ? place === "header" : changed.places.includes(place)}> ${PLACES[place]}</label>`,
      )}</div>
      <p class="muted">Allow the data only to a service that shows it to nobody: what it publishes, others read.</p>
      <button type="submit">${changed === null ? "Save secret" : `Save ${changed.name}`}</button>
      ${changed === null ? nothing : this.attempts.button("Cancel", () => this.#change(null), { of: WHAT })}
    </form>`;
  }
}

export function showSecrets(store: Store, link: CompanionLink) {
  const secrets = new Secrets("settings-secrets", "secrets", link);
  // The count also changes with the secrets.
  secrets.follow(store, (mcp) => mcp?.git);
}
