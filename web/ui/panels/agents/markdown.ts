/** The text of a model as Markdown. */

import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import { until } from "lit/directives/until.js";
import { loadPart } from "../../lib/lazy_bundles.ts";

/** Show a text with its format, and as it is until the code for that has loaded. */
export function markdown(text: string) {
  return guard([text], () => until(markdownOf(text), text));
}

function markdownOf(text: string) {
  return loadPart<typeof import("../chat/main.ts")>("ui-chat.js").then(
    ({ MarkdownView }) => {
      const view = new MarkdownView();
      view.update(text, true);
      return view.element;
    },
    (error) => html`<p class="agent-text">${text}</p><p class="muted">Shown without its format: ${String(error)}.</p>`,
  );
}
