/** The Help menu. */

import { html, render } from "lit";
import { commands } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";

/** The ids of its commands, in order. */
const COMMAND_IDS = ["open-help", "shortcuts", "tour"];

export function showHelpMenu() {
  const menu = byId("help-menu", HTMLElement);
  const listed = commands.all.filter(({ id }) => COMMAND_IDS.includes(id));
  const choose = (run: () => unknown) => {
    menu.hidePopover();
    run();
  };
  render(
    listed.map(
      ({ id, title, shortcut, run }) => html`
    <button type="button" class="quiet" value=${id} @click=${() => choose(run)}>${title}${
      shortcut ? html` <kbd>${shortcut}</kbd>` : ""
    }</button>`,
    ),
    menu,
  );
}
