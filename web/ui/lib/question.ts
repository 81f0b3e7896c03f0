/** A modal question to the user. */

import { html, nothing, render, type TemplateResult } from "lit";
import { isPressOf } from "./trusted.ts";

interface Choice {
  value: string;
  label: string;
  /** the default */
  primary?: boolean;
}

/**
 * Ask in a dialog whether to act.
 *
 * @param yes - the answer that agrees, next to Cancel
 */
export async function agrees(
  title: string,
  text: string,
  yes: { value: string; label: string },
  detail: TemplateResult | null = null,
): Promise<boolean> {
  const choices = [
    { value: "", label: "Cancel" },
    { ...yes, primary: true },
  ];
  return (await askPerson(title, text, choices, detail)) === yes.value;
}

/**
 * Ask in a dialog. Closing it, also with Escape, is no answer. Presses by scripts don't count.
 *
 * @param choices - the safest first; it gets the focus
 * @param detail - shown below the text
 * @returns the value of the choice; null without an answer
 */
export function askPerson(
  title: string,
  text: string,
  choices: Choice[],
  detail: TemplateResult | null = null,
): Promise<string | null> {
  const dialog = document.createElement("dialog");
  dialog.className = "question";
  dialog.dataset.geminiPanel = "";
  dialog.setAttribute("aria-labelledby", "question-title");
  dialog.setAttribute("aria-describedby", "question-text");
  render(
    html`
    <h2 id="question-title">${title}</h2>
    <p id="question-text">${text}</p>
    ${detail ?? nothing}
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
