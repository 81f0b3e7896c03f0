/** The bar below a page that has downloaded a file: where it is stored, and saving it to the user's device. */

import { html, nothing, render } from "lit";
import type { TabDownload, TabRow } from "../../../generated/types.ts";
import { bytes } from "../../lib/format.ts";
import { icon } from "../../lib/icons.ts";

type DownloadActions = { show: (path: string) => void; save: (path: string) => void };

export class DownloadsBar {
  /** The downloads that the user has dismissed, by tab. */
  #dismissed = new Map<string, string>();
  place: HTMLElement;
  actions: DownloadActions;

  constructor(place: HTMLElement, actions: DownloadActions) {
    this.place = place;
    this.actions = actions;
  }

  /** @param tab - the one in front */
  render(tab: TabRow | null) {
    const last = tab?.downloads?.at(-1);
    const key = last ? `${tab?.downloads?.length} ${last.path ?? last.name}` : "";
    const isShown = tab !== null && last !== undefined && this.#dismissed.get(tab.id) !== key;
    this.place.hidden = !isShown;
    // The status exists before its text changes, so that screen readers announce the text.
    render(
      html`<span role="status">${isShown ? text(last) : nothing}</span>
      ${
        isShown
          ? this.#buttons(last.path, () => {
              this.#dismissed.set(tab.id, key);
              this.render(tab);
            })
          : nothing
      }`,
      this.place,
    );
  }

  #buttons(path: string | undefined, dismiss: () => void) {
    const { show, save } = this.actions;
    return html`${
      path === undefined
        ? nothing
        : html`
        <button type="button" id="browser-download-show" @click=${() => show(path)}>Show in Files</button>
        <button type="button" id="browser-download-save" @click=${() => save(path)}>Save to this device</button>`
    }
      <button type="button" class="icon" aria-label="Dismiss" title="Dismiss" @click=${dismiss}>${icon("close")}</button>`;
  }
}

function text({ name, state, path, size, received = 0, why }: TabDownload) {
  if (state === "done") return `Downloaded ${path} (${bytes(size)})`;
  if (state === "failed") return `${name} wasn't downloaded: ${why}`;
  return `Downloading ${name}: ${bytes(received)}${size > received ? ` of ${bytes(size)}` : ""}`;
}
