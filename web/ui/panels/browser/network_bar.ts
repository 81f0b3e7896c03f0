/**
 * The button Network, and the bar below it in which the user names a host. Both only ask: the user answers in the
 * dialog, for each host.
 */

import { byId } from "../../lib/elements.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { Frames } from "./frames.ts";

export class NetworkBar {
  #button = byId("browser-network", HTMLButtonElement);
  #form = byId("browser-network-form", HTMLFormElement);
  #host = byId("browser-network-host", HTMLInputElement);
  /** The tab that the bar is for. */
  #tab = "";
  frames: Frames;
  front: () => string;
  report: (problem: { message: string; hint?: string } | null) => void;

  /** @param front - returns the tab in front */
  constructor(
    frames: Frames,
    front: () => string,
    report: (problem: { message: string; hint?: string } | null) => void,
  ) {
    this.frames = frames;
    this.front = front;
    this.report = report;
    this.#button.addEventListener("click", (event) => isPressOf(event) && void this.#press(front()));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (isPressOf(event)) void this.#submit();
    });
    this.#form.addEventListener("keydown", ({ key }) => key === "Escape" && this.#close());
    byId("browser-network-cancel", HTMLButtonElement).addEventListener("click", () => this.#close());
  }

  render() {
    const tab = this.front();
    const site = this.frames.sites.of(tab);
    const hosts = site?.hosts ?? [];
    this.#button.disabled = !site?.alone;
    this.#button.setAttribute("aria-pressed", String(hosts.length > 0));
    this.#button.title =
      hosts.length > 0
        ? `This page may reach ${hosts.join(", ")}. Press to cut it off`
        : site && !site.alone
          ? "This page shares its origin with others, so it can't use the network"
          : "Let this page reach a host";
    if (tab !== this.#tab || !site?.alone) this.#form.hidden = true;
  }

  async #press(tab: string) {
    const { sites } = this.frames;
    const site = sites.of(tab);
    if (!site) return;
    if (site.hosts.length > 0) return sites.network.cutOff(site.root);
    const hosts = await this.frames.network.hostsTried(tab);
    if (hosts.length > 0) return this.frames.network.allow(tab, hosts);
    this.#tab = tab;
    this.#form.hidden = !this.#form.hidden;
    if (!this.#form.hidden) this.#host.focus();
  }

  async #submit() {
    const host = this.frames.sites.network.hostOf(this.#host.value);
    if (host === null)
      return this.report({
        message: `A page can't be allowed to reach ${this.#host.value || "nothing"}.`,
        hint: "Enter the name of a host, such as api.example.org.",
      });
    this.report(null);
    this.#close();
    await this.frames.network.allow(this.#tab, [host]);
  }

  #close() {
    this.#form.hidden = true;
    this.#host.value = "";
    this.#button.focus();
  }
}
