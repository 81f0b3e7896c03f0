/** The search engine of agents: the choice, and its key or address. The companion never returns a key. */

import { html, nothing } from "lit";
import type { SearchEngine, SearchSettings } from "../../companion/types.ts";
import { submittingPress, valueOf } from "../../lib/forms.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

interface SearchCallbacks {
  choose: (engine: string, address: string) => Promise<object | Failure>;
  setKey: (engine: string, key: string, inFile: boolean) => Promise<object | Failure>;
  deleteKey: (engine: string) => Promise<{ deleted: boolean } | Failure>;
  onChanged: () => Promise<unknown>;
}

const WHAT = "search-engine";
const KEY_FROM = { environment: "the companion’s environment", keyring: "the keyring", file: "a file" };

export function searchEngineView(status: SearchSettings, attempts: Attempts, callbacks: SearchCallbacks) {
  // The companion's engine is one of its engines.
  const chosen = status.engines.find(({ name }) => name === status.engine) as SearchEngine;
  const act = async (asked: Promise<object | Failure>, done: string) => {
    await attempts.follow(WHAT, "Saving…", asked, () => done);
    await callbacks.onChanged();
  };
  const choose = (name: string, label: string, address = "") =>
    act(callbacks.choose(name, address), `Agents search with ${label}.`);
  return html`
    <p class="muted">Agents search the web with it. You are asked before a search, as before other requests.</p>
    <div class="choices" role="radiogroup" aria-labelledby="search-engine-title">${status.engines.map(
      ({ name, label, needs_address }) => html`
      <label><input type="radio" name="search-engine" value=${name} .checked=${name === status.engine}
        ?disabled=${needs_address && status.address === "" && name !== status.engine}
        @change=${(event: Event) => isPressOf(event) && choose(name, label, status.address)}> ${label}</label>`,
    )}</div>
    ${chosen.problem === null ? nothing : html`<p class="outcome bad">${chosen.problem}</p>`}
    ${chosen.needs_key ? keyPart(chosen, status, attempts, callbacks, act) : nothing}
    ${addressForm(status, (address) => choose("searxng", "SearXNG", address))}
    ${attempts.outcome(WHAT)}`;
}

function keyPart(
  { name, label, key_from, variables }: SearchEngine,
  { keyring, file }: SearchSettings,
  attempts: Attempts,
  { setKey, deleteKey }: SearchCallbacks,
  act: (asked: Promise<object | Failure>, done: string) => Promise<void>,
) {
  if (key_from === "environment") return html`<p>The key of ${label} comes from ${KEY_FROM[key_from]}.</p>`;
  if (key_from !== null) {
    return html`<p>The key of ${label} is in ${KEY_FROM[key_from]}.
      ${attempts.button("Forget key", () => act(deleteKey(name), "Key deleted."), { of: WHAT, name: `Forget the key of ${label}` })}</p>`;
  }
  const save = (key: string) => act(setKey(name, key, keyring === null), "Key saved.");
  return html`
    ${
      keyring === null
        ? html`<p>This computer has no keyring. The key is saved as plain text in <code>${file}</code>, unless you start the
      companion with it in the variable <code>${variables[0]}</code>.</p>`
        : nothing
    }
    <form class="limits" @submit=${submittingField("key", save)}>
      <label>Key of ${label}
        <input id="search-key" name="key" type="password" minlength="8" maxlength="4096" required autocomplete="off" spellcheck="false"></label>
      <button type="submit">Save key</button>
    </form>`;
}

function addressForm({ address }: SearchSettings, choose: (address: string) => unknown) {
  return html`
    <form class="limits" @submit=${submittingField("address", choose)}>
      <label>Address of your SearXNG
        <input id="search-address" name="address" type="text" inputmode="url" maxlength="400" required autocomplete="off" spellcheck="false"
          placeholder="http://127.0.0.1:8888" .value=${address}></label>
      <button type="submit">Use SearXNG</button>
    </form>`;
}

/** Return a listener of `submit` that acts with a field's text, and empties the form. */
function submittingField(name: string, act: (text: string) => unknown) {
  return submittingPress((form) => {
    act(valueOf(form, name));
    form.reset();
  });
}
