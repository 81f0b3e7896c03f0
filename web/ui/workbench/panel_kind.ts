/** The kinds of panels besides terminals, as the workbench knows them. */

import type { TemplateResult } from "lit";
import type { IconNode } from "lucide";
import { h } from "../lib/elements.ts";

/**
 * side: the side bar, whose panels the rail opens
 * document: files, pages, and anything as large
 * below: terminals and the Python console
 * own: terminals of the user's computer
 * agent: at the right
 */
export type Area = "side" | "document" | "below" | "own" | "agent";

export interface PanelKind {
  /** of its section in index.html, if it has one there; otherwise the section is made */
  id: string;
  title: string;
  /** where it opens first */
  area: Area;
  /** terminals have names only */
  icon?: IconNode;
}

/** a panel that isn't a section of the page, such as a terminal */
export interface Guest {
  element: HTMLElement;
  title: string;
  /** whether it is a terminal of the user's computer, which shares a group with no other panel */
  own: boolean;
  /** requests closing */
  close: () => void;
  /** focuses it, now or once it is drawn */
  focus: () => void;
  action: () => TemplateResult | null;
}

/** Make the section of a panel whose content is drawn when it is first visible. */
export function sectionOf({ id, title }: PanelKind): HTMLElement {
  return h(
    "section",
    {
      id,
      class: "panel",
      "data-title": title,
      "data-gemini-panel": "",
      "aria-labelledby": `${id}-title`,
      tabindex: -1,
    },
    h("header", {}, h("h2", { id: `${id}-title` }, title)),
    h("p", { id: `${id}-problem`, class: "problem", role: "alert", hidden: true }),
    h("p", { id: `${id}-announcement`, class: "visually-hidden", role: "status" }),
    h("div", { id: `${id}-body`, class: "scroll" }, h("p", { class: "empty" }, "The panel is loading.")),
  );
}
