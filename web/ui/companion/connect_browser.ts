/** The notice of a page that its companion doesn't know, with the two ways to connect this browser. */

import { html, nothing, render } from "lit";
import { byId } from "../lib/elements.ts";
import type { Store } from "../state/store.ts";
import { isPressOf } from "../lib/trusted.ts";
import type { CompanionState } from "../state/types.ts";
import { EntryRefused } from "./entrance.ts";
import type { CompanionLink } from "./link.ts";
import { LACKING } from "./unconnected.ts";
import { beginPairing, cancelPairing, enterCode, pairingState, type Asked, type PairingState } from "./pairing.ts";

const POLL_MS = 1000;

class ConnectBrowser {
  #place = byId("unconnected", HTMLElement);
  #companion: Pick<CompanionState, "state" | "reason"> = { state: "none", reason: null };
  #asked: Asked | null = null;
  #problem = "";
  #hidden = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  link: CompanionLink;

  constructor(link: CompanionLink) {
    this.link = link;
  }

  follow({ state, reason }: CompanionState) {
    this.#companion = { state, reason };
    if (state === "connected") this.#end("");
    this.#draw();
  }

  /** Ask the companion to connect this browser. Call this only for a press by the user. */
  async begin() {
    this.#hidden = false;
    this.#end("");
    await this.#attempt(async () => {
      this.#asked = await beginPairing();
      this.#poll();
    });
    this.#draw();
    this.#place.querySelector("input")?.focus();
  }

  #poll() {
    this.#timer = setTimeout(async () => {
      const asked = this.#asked;
      if (asked === null) return;
      await this.#attempt(async () => this.#settle(await pairingState(asked)));
      if (this.#asked !== null) this.#poll();
    }, POLL_MS);
  }

  async #enter(event: Event) {
    event.preventDefault();
    const field = this.#place.querySelector("input");
    const asked = this.#asked;
    if (!event.isTrusted || asked === null || field === null) return;
    const code = field.value;
    field.value = "";
    await this.#attempt(async () => this.#settle(await enterCode(asked, code)));
    this.#draw();
  }

  #settle(state: PairingState) {
    if (state === "connected") {
      this.#end("");
      this.link.enterAgain();
    } else if (state === "over") {
      this.#end("Not connected: the time is over, or too many codes were wrong.");
    }
  }

  #cancel() {
    const asked = this.#asked;
    this.#end("");
    this.#hidden = true;
    if (asked !== null) void this.#attempt(() => cancelPairing(asked));
    this.#draw();
  }

  #end(problem: string) {
    clearTimeout(this.#timer);
    this.#asked = null;
    this.#problem = problem;
    this.#draw();
  }

  async #attempt(act: () => Promise<void>) {
    try {
      await act();
    } catch (error) {
      if (error instanceof EntryRefused) this.#problem = error.message;
      // fetch throws a TypeError if the server can't be reached.
      else if (error instanceof TypeError) this.#problem = "The companion doesn't respond.";
      else throw error;
      this.#draw();
    }
  }

  #draw() {
    const { state } = this.#companion;
    const shown = !this.#hidden && (state === "unconnected" || state === "refused");
    const appears = shown && this.#place.hidden;
    this.#place.hidden = !shown;
    render(shown ? (this.#asked === null ? this.#offer() : this.#ways(this.#asked)) : nothing, this.#place);
    // Nobody who already types or reads elsewhere loses their place. The start page's field has the focus at first sight.
    const isFree = document.activeElement === document.body || !navigator.userActivation.hasBeenActive;
    if (appears && isFree) this.#place.querySelector("button")?.focus();
  }

  #offer() {
    const { state, reason } = this.#companion;
    return html`<div>
        <strong>${state === "refused" ? "The companion doesn’t admit this browser." : "This browser isn’t connected to the companion."}</strong>
        <p>${state === "refused" && this.#problem === "" ? reason : `The companion runs. ${LACKING}`}</p>
        <p role="status">${this.#problem}</p>
      </div>
      <button type="button" class="primary" id="connect-browser" @click=${(event: Event) => {
        if (isPressOf(event)) void this.begin();
      }}>Connect this browser</button>
      <button type="button" class="quiet" @click=${() => this.#cancel()}>Not now</button>`;
  }

  #ways({ number, shown }: Asked) {
    return html`<div>
        <strong>Connect this browser</strong>
        ${
          shown
            ? html`<form @submit=${(event: Event) => void this.#enter(event)}>
          <label><span>Type the code that the companion’s terminal shows now:</span>
            <input id="pairing-code" type="text" inputmode="numeric" autocomplete="off" maxlength="20"></label>
          <button type="submit" class="primary">Connect</button></form>`
            : html`<p>This companion has no terminal.</p>`
        }
        <p>Or answer the question in a page that is connected. It shows the number <b id="pairing-number">${number}</b>.</p>
        <p role="status">${this.#problem}</p>
      </div>
      <button type="button" @click=${() => this.#cancel()}>Cancel</button>`;
  }
}

/** @returns asks the companion to connect this browser, for a press by the user */
export function showUnconnected(store: Store, link: CompanionLink): () => void {
  const notice = new ConnectBrowser(link);
  store.follow(["companion"], ({ companion }) => notice.follow(companion));
  return () => void notice.begin();
}
