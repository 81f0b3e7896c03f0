/** The limits of the file history. Python stores them; a form shows and changes them. */

import { html, nothing } from "lit";
import type { Actions } from "../../state/actions.ts";
import { submittingPress } from "../../lib/forms.ts";
import type { Store } from "../../state/store.ts";
import { showPythonForm } from "./python_form.ts";

const FIELDS = [
  { name: "most_mb", label: "All versions (MB)" },
  { name: "most_file_mb", label: "One version (MB)" },
  { name: "most_days", label: "Age (days)" },
];

export function showHistoryLimits(store: Store, actions: Actions) {
  showPythonForm(store, {
    id: "settings-history",
    save: (changed: Record<string, number>) => actions.limitHistory(changed),
    view: (limits, outcome, change) => html`
      <form class="limits" @submit=${submittingPress((form) => change(numbersOf(form), "Saved."))}>
        ${FIELDS.map(
          ({ name, label }) => html`<label>${label}
          <input name=${name} type="number" min="1" max="10000" required .value=${String(limits[name])}></label>`,
        )}
        <button type="submit">Save limits</button>
      </form>
      <p class="outcome ${outcome?.bad ? "bad" : "good"}" role="status">${outcome?.text ?? nothing}</p>`,
  });
}

function numbersOf(form: HTMLFormElement) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, Number(value)]));
}
