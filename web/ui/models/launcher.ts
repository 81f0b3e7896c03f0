/**
 * Opens the dialog that connects a language model. Its bundle loads when it is first opened.
 *
 * @import { Actions } from "../actions.js"
 * @import { CompanionLink } from "../companion/link.js"
 * @import { Store } from "../store.js"
 * @import { ModelDialog } from "./dialog.js"
 */

import { h } from "../elements.js";
import { loadPart } from "../parts.js";
import { onTrustedKey } from "../trusted.js";

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {CompanionLink} link
 * @returns {(then: () => unknown) => Promise<void>} opens the dialog, and calls `then` once a model is connected
 */
export function modelDialog(store, actions, link) {
  const element = h("dialog", { id: "model-dialog", class: "model-dialog", "data-gemini-panel": "", "aria-labelledby": "model-dialog-title" });
  document.body.append(element);
  /** @type {Promise<ModelDialog> | null} */
  let dialog = null;
  return async (then) => {
    if (element.open) return;
    dialog ??= loadPart("ui-models.js").then(({ ModelDialog: Part }) => new Part(element, { store, actions, link }));
    try {
      (await dialog).open(then);
    } catch (error) {
      dialog = null;
      showFailure(element, error);
    }
  };
}

/** @param {HTMLDialogElement} element @param {unknown} error */
function showFailure(element, error) {
  const close = h("button", { type: "button", class: "primary", onclick: () => element.close() }, "Close");
  element.replaceChildren(
    h("h2", { id: "model-dialog-title" }, "Connect a language model"),
    h("p", {}, `The dialog could not be loaded: ${error instanceof Error ? error.message : error}. Check the connection and open it again.`),
    h("div", { class: "answers" }, close),
  );
  element.showModal();
}

/** Open the dialog at Ctrl+Alt+M, also where another letter is on that key. @param {() => unknown} open */
export function onModelKey(open) {
  onTrustedKey((event) => {
    const { code, ctrlKey, altKey, metaKey, shiftKey, defaultPrevented } = event;
    // AltGr is Ctrl+Alt on some systems, and types a letter.
    if (defaultPrevented || code !== "KeyM" || !ctrlKey || !altKey || metaKey || shiftKey || event.getModifierState("AltGraph")) return;
    if (document.querySelector("dialog:modal")) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  }, { capture: true });
}
