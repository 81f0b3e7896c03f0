/** Opens the dialog that connects a language model. Its bundle loads when it is first opened. */

import type { Actions } from "../../state/actions.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { h } from "../../lib/elements.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { Store } from "../../state/store.ts";
import type { ModelDialog } from "./dialog.ts";

/** @returns opens the dialog, and calls `then` once a model is connected */
export function modelDialog(
  store: Store,
  actions: Actions,
  link: CompanionLink,
): (then: () => unknown) => Promise<void> {
  const element = h("dialog", {
    id: "model-dialog",
    class: "model-dialog",
    "data-gemini-panel": "",
    "aria-labelledby": "model-dialog-title",
  });
  document.body.append(element);
  let dialog: Promise<ModelDialog> | null = null;
  return async (then) => {
    if (element.open) return;
    dialog ??= loadPart<typeof import("./dialog.ts")>("ui-models.js").then(
      ({ ModelDialog: Part }) => new Part(element, { store, actions, link }),
    );
    try {
      (await dialog).open(then);
    } catch (error) {
      dialog = null;
      showFailure(element, error);
    }
  };
}

function showFailure(element: HTMLDialogElement, error: unknown) {
  const close = h("button", { type: "button", class: "primary", onclick: () => element.close() }, "Close");
  element.replaceChildren(
    h("h2", { id: "model-dialog-title" }, "Connect a language model"),
    h(
      "p",
      {},
      `The dialog could not be loaded: ${error instanceof Error ? error.message : error}. Check the connection and open it again.`,
    ),
    h("div", { class: "answers" }, close),
  );
  element.showModal();
}
