/**
 * The rail: names and icons of the panels used most, which open and close them. It is at the left; in a narrow window, at
 * the bottom. "More" lists all panels.
 */

import { html, render } from "lit";
import { Ellipsis } from "lucide";
import { byId } from "../lib/elements.ts";
import { pictureOf } from "../lib/icons.ts";
import type { PanelKind } from "./panel_kind.ts";
import { START, TERMINALS, type Workbench } from "./workbench.ts";

const AGENT = "agent";
/** In order. "More" follows. */
const WIDE = ["files", "search", "source-control", AGENT, "automations", "inbox", "tools"];
const AT_THE_END = ["settings"];
const NARROW = [START, "files", TERMINALS, "browser", AGENT];

/** Shorter names, where the panel's doesn't fit. */
const NAMES: Record<string, string> = {
  [AGENT]: "Agents",
  automations: "Automate",
  "source-control": "Git",
  [TERMINALS]: "Terminal",
};

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

export function showRail(workbench: Workbench) {
  const rail = byId("rail", HTMLElement);
  const draw = () => render(view(workbench), rail);
  workbench.onChange(draw);
  workbench.onArranged(draw);
  rail.addEventListener("keydown", (event) => moveFocus(rail, event));
  draw();
}

function view(workbench: Workbench) {
  const kinds = new Map(workbench.sections.map((kind) => [kind.id, kind]));
  const entries = (ids: string[]) => ids.flatMap((id) => kinds.get(id) ?? []).map((kind) => entry(workbench, kind));
  const behind = workbench.isNarrow ? workbench.sections.find(({ id }) => isBehindMore(workbench, id)) : undefined;
  const more = html`<button type="button" id="panels-button" class="quiet" popovertarget="panels-menu"
    title=${behind ? `All panels; ${behind.title} is shown` : "All panels"} ?data-shown=${behind !== undefined}>
    ${pictureOf(Ellipsis)}<span>More</span></button>`;
  return workbench.isNarrow
    ? html`${entries(NARROW)}${more}`
    : html`${entries(WIDE)}${more}<span class="rail-gap"></span>${entries(AT_THE_END)}`;
}

function entry(workbench: Workbench, { id, title, icon }: PanelKind) {
  const shown = isShown(workbench, id);
  return html`<button type="button" class="quiet" value=${id} title=${title} aria-pressed=${shown}
    @click=${() => press(workbench, id)}>${pictureOf(icon)}<span>${NAMES[id] ?? title}</span></button>`;
}

/** Return whether a panel is in front that has no entry of its own in a narrow window. */
function isBehindMore(workbench: Workbench, id: string) {
  return !NARROW.includes(id) && workbench.shows(id);
}

/** Agents are a place with several tabs. */
function isShown(workbench: Workbench, id: string) {
  return id === AGENT && !workbench.isNarrow ? workbench.dock.areas.isOpen("agent") : workbench.shows(id);
}

function press(workbench: Workbench, id: string) {
  if (id !== AGENT || workbench.isNarrow) workbench.toggle(id);
  else if (isShown(workbench, id)) workbench.closeArea("agent");
  else workbench.open(workbench.dock.frontOf("agent") ?? AGENT, { focus: true });
}

/** Move the focus by arrow keys, Home and End. */
function moveFocus(rail: HTMLElement, event: KeyboardEvent) {
  const buttons = [...rail.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const step = STEPS[event.key];
  const to = event.key === "Home" ? 0 : event.key === "End" ? -1 : step === undefined ? null : at + step;
  if (to === null || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  buttons.at(to % buttons.length)?.focus();
}
