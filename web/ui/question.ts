/** A modal question to the person. */

import { html, nothing, render } from "lit";
import { isPressOf } from "./trusted.js";

/**
 * @typedef {object} Choice
 * @property {string} value
 * @property {string} label
 * @property {boolean} [primary] the default
 */

/**
 * Ask in a dialog. Closing it, also with Escape, is no answer. Presses by scripts don't count.
 *
 * @param {string} title
 * @param {string} text
 * @param {Choice[]} choices the safest first; it gets the focus
 * @returns {Promise<string | null>} the value of the choice; null without an answer
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
          @click=${(/** @type {Event} */ event) => isPressOf(event) && dialog.close(value)}>${label}</button>`)}
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
