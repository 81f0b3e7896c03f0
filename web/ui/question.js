/** A question that the person answers before anything else goes on. */

import { html, nothing, render } from "lit";

/**
 * @typedef {object} Choice
 * @property {string} value
 * @property {string} label
 * @property {boolean} [primary] the one that is meant as a rule
 */

/**
 * Asks in a dialog. Escape, and closing it otherwise, is no answer; nor is what a script presses.
 *
 * @param {string} title
 * @param {string} text
 * @param {Choice[]} choices the first is the careful one, and has the focus
 * @returns {Promise<string | null>} the value of the choice; null where there is none
 */
export function askPerson(title, text, choices) {
  const dialog = document.createElement("dialog");
  dialog.className = "question";
  dialog.dataset.geminiPanel = "";
  dialog.setAttribute("aria-labelledby", "question-title");
  dialog.setAttribute("aria-describedby", "question-text");
  render(html`
    <h2 id="question-title">${title}</h2>
    <p id="question-text">${text}</p>
    <div class="answers">
      ${choices.map(({ value, label, primary }, index) => html`
        <button type="button" value=${value} class=${primary ? "primary" : nothing} ?autofocus=${index === 0}
          @click=${(/** @type {Event} */ event) => event.isTrusted && dialog.close(value)}>${label}</button>`)}
    </div>`, dialog);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    dialog.showModal();
  });
}
