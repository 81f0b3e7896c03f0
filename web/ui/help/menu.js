/** The menu of help: what else there is to read. */

import { html, render } from "lit";
import { commands } from "../commands.js";
import { byId } from "../elements.js";

/** The commands that help, in their order. */
const HELPFUL = ["shortcuts", "tour"];

export function showHelpMenu() {
  const menu = byId("help-menu", HTMLElement);
  const helpful = commands.all.filter(({ id }) => HELPFUL.includes(id));
  const choose = (/** @type {() => unknown} */ run) => {
    menu.hidePopover();
    run();
  };
  render(helpful.map(({ id, title, shortcut, run }) => html`
    <button type="button" class="quiet" value=${id} @click=${() => choose(run)}>${title}${
      shortcut ? html` <kbd>${shortcut}</kbd>` : ""}</button>`), menu);
}
