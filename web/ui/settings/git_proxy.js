/** The CORS proxy for git's requests where there is no companion. Only the page has its address; Python can't change it. */

import { html, nothing, render } from "lit";
import { byId } from "../elements.js";
import { gitProxy, saveGitProxy } from "../network.js";

class GitProxy {
  #place = byId("settings-git-proxy", HTMLElement);
  /** @type {{text: string, bad: boolean} | null} */
  #outcome = null;

  draw() {
    render(html`
      <form class="limits" @submit=${(/** @type {SubmitEvent} */ event) => this.#save(event)}>
        <label>CORS proxy
          <input id="settings-git-proxy-address" name="address" type="text" inputmode="url" maxlength="2000" autocomplete="off"
            spellcheck="false" placeholder="https://proxy.example/" aria-invalid=${String(this.#outcome?.bad ?? false)}
            aria-describedby="settings-git-proxy-outcome" .value=${gitProxy() ?? ""}></label>
        <button type="submit">Save proxy</button>
      </form>
      <p id="settings-git-proxy-outcome" class="outcome ${this.#outcome?.bad ? "bad" : "good"}" role="status">${
        this.#outcome?.text ?? nothing}</p>`, this.#place);
  }

  /** @param {SubmitEvent} event */
  #save(event) {
    event.preventDefault();
    if (!event.isTrusted) return;
    const address = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("address"));
    const saved = saveGitProxy(address);
    const done = address.trim() ? "Saved. You are asked before git uses it." : "Saved. git uses no proxy.";
    this.#outcome = saved ? { text: done, bad: false }
      : { text: "Enter an address with https:, or http: on this computer, without a user name.", bad: true };
    this.draw();
  }
}

export const showGitProxy = () => new GitProxy().draw();
