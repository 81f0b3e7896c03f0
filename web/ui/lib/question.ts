/** A modal question to the user. */

import { html, nothing, render } from "lit";
import { isPressOf } from "./trusted.ts";

interface Choice {
  value: string;
  label: string;
  /** the default */
  primary?: boolean;
}

/**
 * Ask in a dialog. Closing it, also with Escape, is no answer. Presses by scripts don't count.
 *
 * @param choices - the safest first; it gets the focus
 * @returns the value of the choice; null without an answer
 */
export function askPerson(title: string, text: string, choices: Choice[]): Promise<string | null> {
  const dialog = document.createElement("dialog");
  dialog.className = "question";
  dialog.dataset.geminiPanel = "";
  dialog.setAttribute("aria-labelledby", "question-title");
  dialog.setAttribute("aria-describedby", "question-text");
  render(
    html`
    <h2 id="question-title">${title}</h2>
    <p id="question-text">${text}</p>
    <div class="answers">
      ${choices.map(
        ({ value, label, primary }, index) => html`
        <button type="button" value=${value} class=${primary ? "primary" : nothing} ?autofocus=${index === 0}
          @click=${(event: Event) => isPressOf(event) && dialog.close(value)}>${label}</button>`,
      )}
    </div>`,
    dialog,
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    dialog.showModal();
  });
}
