/** The menu of all panels, by area, which opens and closes each. */

import { html, render } from "lit";
import { byId } from "../lib/elements.ts";
import { pictureOf } from "../lib/icons.ts";
import type { Area, PanelKind } from "./panel_kind.ts";
import type { Workbench } from "./workbench.ts";

const AREAS: [Area, string][] = [
  ["side", "Side bar"],
  ["document", "Documents"],
  ["agent", "Agents"],
  ["below", "Panel below"],
];

export function showPanelsMenu(workbench: Workbench) {
  const menu = byId("panels-menu", HTMLElement);
  const toggle = (id: string) => {
    if (!workbench.shows(id) || workbench.isNarrow) menu.hidePopover();
    workbench.toggle(id);
  };
  const reset = () => {
    menu.hidePopover();
    workbench.reset();
  };
  const item = ({ id, title, icon }: PanelKind) => html`<button type="button" class="quiet" value=${id}
    aria-pressed=${workbench.shows(id)} @click=${() => toggle(id)}>${pictureOf(icon)}${title}</button>`;
  const group = ([area, name]: [Area, string]) => html`<div role="group" aria-label=${name}><h2>${name}</h2>
    ${workbench.sections.filter((kind) => kind.area === area).map(item)}</div>`;
  const draw = () =>
    render(
      html`<div class="panels-menu-groups">${AREAS.map(group)}</div>
      <hr><button type="button" class="quiet" value="reset" @click=${reset}>Reset layout</button>`,
      menu,
    );
  workbench.onChange(() => menu.matches(":popover-open") && draw());
  menu.addEventListener("beforetoggle", draw);
}
