/** A form in the settings for one address, with what came of the last attempt to save it. */

import { html, nothing } from "lit";
import { submittingPress, valueOf } from "../../lib/forms.ts";

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
    <form class="limits" @submit=${submittingPress((form) => save(valueOf(form, "address")))}>
      <label>${label}
        <input id=${id} name="address" type="text" inputmode="url" maxlength="2000" autocomplete="off" spellcheck="false"
          placeholder=${placeholder} aria-invalid=${String(outcome?.bad ?? false)} aria-describedby="${section}-outcome"
          .value=${value}></label>
      <button type="submit">${button}</button>
    </form>
    <p id="${section}-outcome" class="outcome ${outcome?.bad ? "bad" : "good"}" role="status">${outcome?.text ?? nothing}</p>`;
}
