/** A form in the settings for one address, with what came of the last attempt to save it. */

import { html, nothing } from "lit";
import { isPressOf } from "../trusted.js";

/** @typedef {{text: string, bad: boolean}} Outcome */

/**
 * @param {object} form
 * @param {string} form.id of the field
 * @param {string} form.section begins the id of the outcome
 * @param {string} form.label
 * @param {string} form.placeholder
 * @param {string} form.button
 * @param {string} form.value
 * @param {Outcome | null} form.outcome
 * @param {(address: string) => void} form.save called only for the person's own submission
 */
export function addressForm({ id, section, label, placeholder, button, value, outcome, save }) {
  return html`
    <form class="limits" @submit=${(/** @type {SubmitEvent} */ event) => submitted(event, save)}>
      <label>${label}
        <input id=${id} name="address" type="text" inputmode="url" maxlength="2000" autocomplete="off" spellcheck="false"
          placeholder=${placeholder} aria-invalid=${String(outcome?.bad ?? false)} aria-describedby="${section}-outcome"
          .value=${value}></label>
      <button type="submit">${button}</button>
    </form>
    <p id="${section}-outcome" class="outcome ${outcome?.bad ? "bad" : "good"}" role="status">${outcome?.text ?? nothing}</p>`;
}

/** @param {SubmitEvent} event @param {(address: string) => void} save */
function submitted(event, save) {
  event.preventDefault();
  if (!isPressOf(event)) return;
  save(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("address")));
}
