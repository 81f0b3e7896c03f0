/**
 * The server that agents find places with.
 *
 * @import { PlaceSettings } from "../companion/types.js"
 * @import { Failure } from "../types.js"
 * @import { Attempts } from "./attempts.js"
 */

import { html, nothing } from "lit";
import { isPressOf } from "../trusted.js";

const WHAT = "places";

/**
 * @param {PlaceSettings} status
 * @param {Attempts} attempts
 * @param {{choose: (address: string) => Promise<object | Failure>, onChanged: () => Promise<unknown>}} callbacks
 */
export function placesView({ address, public: publicAddress }, attempts, { choose, onChanged }) {
  /** @param {string} chosen @param {string} done */
  const act = async (chosen, done) => {
    await attempts.follow(WHAT, "Saving…", choose(chosen), () => done);
    await onChanged();
  };
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (isPressOf(event)) void act(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("address")), "Saved.");
  };
  return html`<details class="places-settings"><summary>Server of places</summary>
    <p class="muted">Agents find coordinates and addresses at ${address || publicAddress}. You are asked first.</p>
    <form class="limits" @submit=${submit}>
      <label>Address of your Nominatim
        <input id="places-address" name="address" type="text" inputmode="url" maxlength="400" required autocomplete="off" spellcheck="false"
          placeholder=${publicAddress} .value=${address}></label>
      <button type="submit">Use this server</button>
    </form>
    ${address === "" ? nothing : attempts.button("Use the public server", () => act("", "Saved."), { of: WHAT, name: "Use the public server of places" })}
    ${attempts.outcome(WHAT)}</details>`;
}
