/**
 * The notes on the page in front: over it, that it loads; below it, why agents can't read it, with the offer of a tab of
 * another browser. A page that forbids being shown here has a card in the place of its empty frame.
 */

import { html, nothing, render } from "lit";
import type { TabRow } from "../../../generated/types.ts";
import { IN_EXTENSION } from "../../../shared/in_extension.ts";
import type { PageProblem } from "../../../page/errors.ts";
import type { OuterTabs } from "../../../shared/outer_tabs.ts";
import { byId } from "../../lib/elements.ts";
import type { Frames } from "./frames.ts";
import { openOutside } from "../../lib/outside.ts";

const PAGE = "page";
const FORBIDS: Record<string, string> = {
  "X-Frame-Options": "with the header X-Frame-Options",
  "frame-ancestors": "with the directive frame-ancestors of its Content-Security-Policy",
};

export class PageNote {
  #place = byId("browser-note", HTMLElement);
  #below = byId("browser-unread", HTMLElement);
  /** The page whose card has been shown, so that its button gets the focus only once. */
  #carded = "";
  frames: Frames;
  open: (url: string) => void;

  /** @param open - opens an address in the tab in front, as the user has pressed */
  constructor(frames: Frames, open: (url: string) => void) {
    this.frames = frames;
    this.open = open;
  }

  /** @param address - where the user enters addresses */
  render(front: TabRow | null, address: HTMLInputElement) {
    const { id = PAGE, loading = false, readable = true, why = "", framing } = front ?? {};
    const url = loading || readable ? "" : this.#outside(id);
    const problem = loading ? null : this.frames.problems.of(id);
    const isCard = problem !== null || (url !== "" && framing !== undefined && framing in FORBIDS);
    const text =
      id === PAGE
        ? "Enter an address or the path of an HTML file above. Agents open pages in tabs of their own, which are marked."
        : loading
          ? "Loading…"
          : "";
    const outer = url === "" ? null : this.frames.elsewhere();
    render(problem !== null ? failure(problem) : isCard ? this.#card(url, framing ?? "", outer) : text, this.#place);
    this.#place.hidden = text === "" && !isCard;
    this.#place.classList.toggle("over", loading);
    this.#place.classList.toggle("card", isCard);
    this.#below.hidden = loading || readable || isCard;
    render(
      this.#below.hidden
        ? nothing
        : html`<span title=${why}>${
            framing === "unknown" ? "This page may not allow being shown here." : `Agents can't read it: ${why}.`
          }</span>
      ${url === "" ? nothing : outer ? this.#outerOffer(url, outer, "") : offer(url, "")}`,
      this.#below,
    );
    if (isCard && problem === null) this.#focus(`${id} ${url}`, address);
    else this.#carded = "";
  }

  /** Return the address that the user has allowed, not the one that Python names. */
  #outside(id: string) {
    const url = this.frames.sites.of(id) || !this.frames.has(id) ? "" : this.frames.openedIn(id);
    return /^https?:/.test(url) ? url : "";
  }

  /** Let Enter open a page that the user has just entered. */
  #focus(page: string, address: HTMLInputElement) {
    if (page === this.#carded) return;
    this.#carded = page;
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === address) this.#place.querySelector("button")?.focus();
  }

  #card(url: string, framing: string, outer: OuterTabs | null) {
    return html`<h3>${new URL(url).host} can't be shown here</h3>
      <p>Its server forbids showing it inside another page, ${FORBIDS[framing]}.</p>
      ${
        outer
          ? html`<p>${this.#outerOffer(url, outer, "primary")} ${offer(url, "")}</p><p>Agents can use it in ${outer.name} only.</p>`
          : html`<p>${offer(url, "primary")}</p>${
              IN_EXTENSION
                ? nothing
                : html`<p>Agents can use it in the companion's browser: start the companion with <code>--browser</code>.</p>`
            }`
      }`;
  }

  #outerOffer(url: string, outer: OuterTabs, style: string) {
    const press = async () => {
      if (!outer.available && !(await outer.allow?.())) return;
      this.frames.entered.choose(url);
      this.open(url);
    };
    return html`<button type="button" id="browser-elsewhere" class=${style} title=${url} @click=${press}>Open in ${outer.name}</button>`;
  }
}

/** Say why a tab shows nothing, and what to do. */
function failure({ message, hint }: PageProblem) {
  return html`<h3>This page can't be shown</h3><p>${message}</p>${hint ? html`<p>${hint}</p>` : nothing}`;
}

function offer(url: string, style: string) {
  return html`<button type="button" id="browser-outside" class=${style} title=${url} @click=${() => openOutside(url)}>Open in a browser tab</button>`;
}
