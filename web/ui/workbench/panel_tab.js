/** What stands on a panel's tab: its name, a mark of what goes on there, and a cross to close it. */

import { html, render } from "lit";

export class PanelTab {
  /** @param {string} id of the panel @param {{close: () => void, gone: () => void}} owner gone: dockview needs it no longer */
  constructor(id, { close, gone }) {
    this.id = id;
    this.close = close;
    this.dispose = gone;
    this.element = document.createElement("div");
  }

  /** dockview calls it when the tab stands in its strip. */
  init() {
    // The strip's own element has the role and the focus; it is there for as long as this tab.
    queueMicrotask(() => this.element.parentElement?.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      // dockview would take the panel away; whether it goes is for its owner to say.
      event.stopPropagation();
      if (event.key === "Delete") this.close();
    }));
  }

  /** @param {string} text @param {string} mark a class: agent, busy, dirty or none */
  draw(text, mark) {
    this.element.className = `panel-tab ${mark}`;
    // The cross is for pointers only: a tab may hold nothing that takes the focus, and Delete does the same.
    render(html`<span class="panel-tab-name" title=${text}>${text}</span>
      <span class="panel-tab-close" aria-hidden="true" title="Close (Delete)"
        @pointerdown=${stop} @click=${(/** @type {Event} */ event) => (stop(event), this.close())}>×</span>`, this.element);
  }
}

/** @param {Event} event */
function stop(event) {
  event.stopPropagation();
  event.preventDefault();
}
