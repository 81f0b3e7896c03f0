/** The CORS proxy for git's requests where there is no companion. Only the page has its address; Python can't change it. */

import { render } from "lit";
import { byId } from "../../lib/elements.ts";
import { gitProxy, saveGitProxy } from "../../kernel/network_door.ts";
import { addressForm, type Outcome } from "./address_form.ts";

class GitProxy {
  #place = byId("settings-git-proxy", HTMLElement);
  #outcome: Outcome | null = null;

  draw() {
    render(
      addressForm({
        id: "settings-git-proxy-address",
        section: "settings-git-proxy",
        label: "CORS proxy",
        placeholder: "https://proxy.example/",
        button: "Save proxy",
        value: gitProxy() ?? "",
        outcome: this.#outcome,
        save: (address) => this.#save(address),
      }),
      this.#place,
    );
  }

  #save(address: string) {
    const saved = saveGitProxy(address);
    const done = address.trim() ? "Saved. You are asked before git uses it." : "Saved. git uses no proxy.";
    this.#outcome = saved
      ? { text: done, bad: false }
      : { text: "Enter an address with https:, or http: on this computer, without a user name.", bad: true };
    this.draw();
  }
}

export const showGitProxy = () => new GitProxy().draw();
