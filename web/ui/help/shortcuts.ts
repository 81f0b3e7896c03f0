/**
 * The list of keyboard shortcuts, built from the keys that modules register.
 */

import { html, render } from "lit";
import { commands } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import { onTrustedKey } from "../lib/trusted.ts";

const TAKES_TEXT =
  "input:not([type=button], [type=checkbox], [type=radio], [type=submit]), textarea, select, [contenteditable]";

export function showShortcutSheet() {
  const dialog = byId("shortcuts", HTMLDialogElement);
  const open = () => {
    render(
      sheet(() => dialog.close()),
      dialog,
    );
    dialog.showModal();
  };
  onTrustedKey((event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { target } = event;
    if ((target instanceof Element && target.closest(TAKES_TEXT)) || document.querySelector("dialog:modal")) return;
    event.preventDefault();
    open();
  });
  commands.add({
    id: "shortcuts",
    title: "Keyboard shortcuts",
    keywords: "keys help hotkeys",
    shortcut: "?",
    run: open,
  });
}

function sheet(close: () => void) {
  return html`<header>
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <button id="shortcuts-close" type="button" autofocus @click=${close}>Close</button>
    </header>
    <div class="sheet" tabindex="0" role="group" aria-labelledby="shortcuts-title">${commands.keys.map(
      ({ where, does }) => html`
      <section><h3>${where}</h3>
        <dl>${does.map(([keys, text]) => html`<div><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${text}</dd></div>`)}</dl>
      </section>`,
    )}</div>`;
}
