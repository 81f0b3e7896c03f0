/** The Panels menu, which opens and closes each panel. */

import { html, render } from "lit";
import { byId } from "../lib/elements.ts";
import type { Workbench } from "./workbench.ts";

export function showPanelsMenu(workbench: Workbench) {
  const menu = byId("panels-menu", HTMLElement);
  const draw = () =>
    render(
      html`
    ${workbench.sections
      .filter(({ id }) => id !== "terminals")
      .map(
        ({ id, title, open }) => html`
      <button type="button" class="quiet" value=${id} aria-pressed=${open} @click=${() => toggle(id)}>${title}</button>`,
      )}
    <hr>
    <button type="button" class="quiet" value="reset" @click=${() => reset()}>Reset layout</button>`,
      menu,
    );
  /** Close a visible panel; open any other, or bring it to the front. */
  const toggle = (id: string) => {
    if (workbench.dock.shows(id) && !workbench.isNarrow) workbench.close(id);
    else {
      menu.hidePopover();
      workbench.open(id, { focus: true });
    }
  };
  const reset = () => {
    menu.hidePopover();
    workbench.reset();
  };
  workbench.onChange(() => menu.matches(":popover-open") && draw());
  menu.addEventListener("beforetoggle", draw);
}
