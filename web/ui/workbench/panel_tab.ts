/** A panel's tab: its icon, its name, a status mark and a close button. */

import { html, render } from "lit";
import { icon } from "../lib/icons.ts";

/** Between a terminal's name and its details, which need room. */
const DETAILS = " · ";

export class PanelTab {
  id: string;
  picture: unknown;
  close: () => void;
  dispose: () => void;
  element: HTMLDivElement;

  /**
   * @param id - of the panel
   * @param picture - the panel's icon
   * @param callbacks - dispose: dockview dropped the tab
   */
  constructor(id: string, picture: unknown, { close, dispose }: { close: () => void; dispose: () => void }) {
    this.id = id;
    this.picture = picture;
    this.close = close;
    this.dispose = dispose;
    this.element = document.createElement("div");
  }

  /** Called by dockview when the tab is in its strip. */
  init() {
    // The strip's element has the role and the focus, and lives as long as this tab.
    queueMicrotask(() =>
      this.element.parentElement?.addEventListener("keydown", (event) => {
        if (event.key !== "Delete" && event.key !== "Backspace") return;
        // dockview would remove the panel; its owner decides that.
        event.stopPropagation();
        if (event.key === "Delete") this.close();
      }),
    );
  }

  /** @param mark - classes: agent, busy, dirty, own or none */
  draw(text: string, mark: string) {
    this.element.className = `panel-tab ${mark}`;
    this.element.title = text;
    const [name, ...details] = text.split(DETAILS);
    // The close button is for pointers only: a tab must not contain focusable elements, and Delete does the same.
    const own = mark.split(" ").includes("own")
      ? html`<span class="panel-tab-own" title="Your computer">${icon("computer")}</span>`
      : "";
    render(
      html`${this.picture}${own}<span class="panel-tab-name">${name}</span><span class="panel-tab-details"
        >${details.map((detail) => DETAILS + detail)}</span>
      <span class="panel-tab-close" aria-hidden="true" title="Close (Delete)"
        @pointerdown=${stop} @click=${(event: Event) => (stop(event), this.close())}>×</span>`,
      this.element,
    );
  }
}

function stop(event: Event) {
  event.stopPropagation();
  event.preventDefault();
}
