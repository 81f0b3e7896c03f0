/** A form in the settings for one address, with what came of the last attempt to save it. */

import { expect } from "../../lib/elements.ts";
import { html, nothing } from "lit";
import { isPressOf } from "../../lib/trusted.ts";

export type Outcome = { text: string; bad: boolean };

interface Form {
  /** of the field */
  id: string;
  /** begins the id of the outcome */
  section: string;
  label: string;
  placeholder: string;
  button: string;
  value: string;
  outcome: Outcome | null;
  /** called only for the user's own submission */
  save: (address: string) => void;
}

export function addressForm({ id, section, label, placeholder, button, value, outcome, save }: Form) {
  return html`
    <form class="limits" @submit=${(event: SubmitEvent) => submitted(event, save)}>
      <label>${label}
        <input id=${id} name="address" type="text" inputmode="url" maxlength="2000" autocomplete="off" spellcheck="false"
          placeholder=${placeholder} aria-invalid=${String(outcome?.bad ?? false)} aria-describedby="${section}-outcome"
          .value=${value}></label>
      <button type="submit">${button}</button>
    </form>
    <p id="${section}-outcome" class="outcome ${outcome?.bad ? "bad" : "good"}" role="status">${outcome?.text ?? nothing}</p>`;
}

function submitted(event: SubmitEvent, save: (address: string) => void) {
  event.preventDefault();
  if (!isPressOf(event)) return;
  save(String(new FormData(expect(event.target, HTMLFormElement)).get("address")));
}
