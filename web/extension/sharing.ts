/**
 * The dialog in which the user shares tabs of the browser: one, several or all; and sites of banks and for mail, which
 * are off until they are allowed here.
 */

import { html, nothing, render } from "lit";
import { allowedSites, allowSite, isSensitive } from "./sites.ts";
import { allowDownloads } from "./stored.ts";
import type { ExtensionTabs } from "./tabs.ts";
import { setTrustedInput } from "./trusted/setting.ts";

/** a tab of the browser */
type Row = { id: number; title: string; url: string; host: string };

export class SharingDialog {
  #dialog = document.createElement("dialog");
  #rows: Row[] = [];
  #allowed: string[] = [];
  tabs: ExtensionTabs;
  open: (url: string) => Promise<unknown>;

  /** @param open - opens a URL in a new tab of the surface */
  constructor(tabs: ExtensionTabs, open: (url: string) => Promise<unknown>) {
    this.tabs = tabs;
    this.open = open;
    this.#dialog.id = "share-tabs";
    this.#dialog.className = "connect";
    this.#dialog.dataset.geminiPanel = "";
    this.#dialog.setAttribute("aria-labelledby", "share-tabs-title");
    document.body.append(this.#dialog);
    tabs.onChange = () => void this.#refresh();
    for (const event of [chrome.tabs.onUpdated, chrome.tabs.onRemoved]) event.addListener(() => void this.#refresh());
  }

  async show() {
    this.#dialog.showModal();
    await this.#refresh();
  }

  async #refresh() {
    if (!this.#dialog.open) return;
    const found = await chrome.tabs.query({ url: ["http://*/*", "https://*/*"] });
    this.#rows = found.map(({ id, title, url }) => ({ id, title, url, host: new URL(url).host }));
    this.#allowed = await allowedSites();
    this.#draw();
  }

  #draw() {
    render(
      html`
      <h2 id="share-tabs-title">Share tabs of this browser</h2>
      ${this.tabs.available ? this.#list() : this.#question()}
      <div class="answers">
        <button type="button" autofocus @click=${() => this.#dialog.close()}>Close</button>
      </div>`,
      this.#dialog,
    );
  }

  #question() {
    return html`
      <p>Agents can read and use tabs of this browser, as you are signed in there. They open tabs of their own, in a group
        named “gemini”, and use those that you share. You are asked for each site, and a bar in the tab has a Stop button.</p>
      <p class="muted">The browser asks next whether the extension may use websites.</p>
      <p><button type="button" class="primary" @click=${() => void this.tabs.allow()}>Allow tabs of this browser</button></p>`;
  }

  #list() {
    const unshared = this.#rows.filter(({ id, url }) => !this.tabs.isShared(id) && !this.#isOff(url));
    return html`
      ${this.#rows.length === 0 ? html`<p class="muted">No website is open in this browser.</p>` : nothing}
      <ul class="rows" aria-label="Tabs of this browser">${this.#rows.map(
        (row) => html`<li>
        <div><strong>${row.title || row.url}</strong><p class="muted">${row.host}${this.#isOff(row.url) ? " · a bank’s or a mail site, off" : ""}</p></div>
        ${this.#button(row)}</li>`,
      )}</ul>
      ${this.#trustedInput()}
      ${this.#downloads()}
      <p>
        <button type="button" ?disabled=${unshared.length === 0} @click=${() => void this.#share(unshared)}>Share all tabs</button>
        <button type="button" class="quiet" @click=${() => void this.tabs.forbid()}>Don’t use tabs of this browser</button>
      </p>`;
  }

  #trustedInput() {
    const onChange = ({ currentTarget }: Event) =>
      currentTarget instanceof HTMLInputElement && void setTrustedInput(currentTarget.checked);
    return html`
      <label class="checked"><input id="trusted-input" type="checkbox" aria-describedby="trusted-input-about"
        .checked=${this.tabs.trusted} @change=${onChange}> Trusted input</label>
      <p id="trusted-input-about" class="muted">Pages can’t tell the presses and keys of agents from yours, so they may open windows or
        play sound for them, and pages that accept only real input work. Pictures show tabs in the background. The browser shows a
        bar while it is used: <b>Cancel</b> there ends the sharing.</p>`;
  }

  #downloads() {
    const onChange = async ({ currentTarget }: Event) => {
      if (!(currentTarget instanceof HTMLInputElement)) return;
      await allowDownloads(currentTarget.checked);
      await this.tabs.check();
      await this.#refresh();
    };
    return html`
      <label class="checked"><input id="see-downloads" type="checkbox" aria-describedby="see-downloads-about"
        .checked=${this.tabs.downloads} @change=${onChange}> Store agents’ downloads here</label>
      <p id="see-downloads-about" class="muted">A file that a site sends because of an agent’s press is stored in /project/downloads
        instead of this device. The browser asks whether the extension may manage downloads; yours stay as they are.</p>`;
  }

  #button(row: Row) {
    const { origin } = new URL(row.url);
    if (this.#isOff(row.url))
      return html`<button type="button" @click=${() => this.#allow(origin, true)}>Allow this site</button>`;
    if (this.tabs.isShared(row.id))
      return html`<button type="button" @click=${() => this.tabs.unshare(row.id)}>Stop sharing</button>`;
    const forget = this.#allowed.includes(origin)
      ? html`<button type="button" class="quiet" @click=${() => this.#allow(origin, false)}>Turn off</button>`
      : nothing;
    return html`${forget}<button type="button" class="share" @click=${() => void this.#share([row])}>Share</button>`;
  }

  #isOff(url: string) {
    const { hostname, origin } = new URL(url);
    return isSensitive(hostname) && !this.#allowed.includes(origin);
  }

  async #allow(origin: string, allowed: boolean) {
    await allowSite(origin, allowed);
    await this.#refresh();
  }

  async #share(rows: Row[]) {
    for (const { id, url } of rows) {
      this.tabs.share(id, url);
      await this.open(url);
      this.tabs.unprepare(id);
    }
    await this.#refresh();
  }
}
