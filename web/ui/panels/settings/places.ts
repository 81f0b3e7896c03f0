/** The server that agents find places with. */

import { html, nothing } from "lit";
import type { PlaceSettings } from "../../companion/types.ts";
import { submittingPress, valueOf } from "../../lib/forms.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

const WHAT = "places";

export function placesView(
  { address, public: publicAddress }: PlaceSettings,
  attempts: Attempts,
  { choose, onChanged }: { choose: (address: string) => Promise<object | Failure>; onChanged: () => Promise<unknown> },
) {
  const act = async (chosen: string) => {
    await attempts.follow(WHAT, "Saving…", choose(chosen), () => "Saved.");
    await onChanged();
  };
  const submit = submittingPress((form) => act(valueOf(form, "address")));
  return html`<details class="places-settings"><summary>Map server</summary>
    <p class="muted">Agents find coordinates and addresses at ${address || publicAddress}. You are asked first.</p>
    <form class="limits" @submit=${submit}>
      <label>Address of your Nominatim
        <input id="places-address" name="address" type="text" inputmode="url" maxlength="400" required autocomplete="off" spellcheck="false"
          placeholder=${publicAddress} .value=${address}></label>
      <button type="submit">Use this server</button>
    </form>
    ${address === "" ? nothing : attempts.button("Use the public server", () => act(""), { of: WHAT, name: "Use the public map server" })}
    ${attempts.outcome(WHAT)}</details>`;
}
