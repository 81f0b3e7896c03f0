/**
 * The bar below a page that has downloaded a file: where it is stored, and saving it to the person's device.
 *
 * @import { TabDownload, TabRow } from "../../generated/types.js"
 */

import { html, nothing, render } from "lit";
import { bytes } from "../format.js";
import { icon } from "../workbench/icons.js";

/** @typedef {{ show: (path: string) => void, save: (path: string) => void }} DownloadActions */

export class DownloadsBar {
  /** The downloads that the person has dismissed, by tab. @type {Map<string, string>} */
  #dismissed = new Map();

  /** @param {HTMLElement} place @param {DownloadActions} actions */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
  }

  /** @param {TabRow | null} tab the one in front */
  render(tab) {
    const last = tab?.downloads?.at(-1);
    const key = last ? `${tab?.downloads?.length} ${last.path ?? last.name}` : "";
    const isShown = tab !== null && last !== undefined && this.#dismissed.get(tab.id) !== key;
    this.place.hidden = !isShown;
    // The status exists before its text changes, so that screen readers announce the text.
    render(html`<span role="status">${isShown ? text(last) : nothing}</span>
      ${isShown ? this.#buttons(last.path, () => {
        this.#dismissed.set(tab.id, key);
        this.render(tab);
      }) : nothing}`, this.place);
  }

  /** @param {string | undefined} path @param {() => void} dismiss */
  #buttons(path, dismiss) {
    const { show, save } = this.actions;
    return html`${path === undefined ? nothing : html`
        <button type="button" id="browser-download-show" @click=${() => show(path)}>Show in Files</button>
        <button type="button" id="browser-download-save" @click=${() => save(path)}>Save to this device</button>`}
      <button type="button" class="icon" aria-label="Dismiss" title="Dismiss" @click=${dismiss}>${icon("close")}</button>`;
  }
}

/** @param {TabDownload} download */
function text({ name, state, path, size, received = 0, why }) {
  if (state === "done") return `Downloaded ${path} (${bytes(size)})`;
  if (state === "failed") return `${name} wasn't downloaded: ${why}`;
  return `Downloading ${name}: ${bytes(received)}${size > received ? ` of ${bytes(size)}` : ""}`;
}
