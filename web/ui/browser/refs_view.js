/**
 * The agents' view of the page in front: its snapshot as text, and a box for each ref over its element. Also flashes
 * where actions land.
 *
 * @import { Frames } from "./frames.js"
 * @import { TabRow } from "../../generated/types.js"
 */

import { byId, h } from "../elements.js";
import { READING } from "../../shared/methods.js";

/** @typedef {{ref: string, x: number, y: number, width: number, height: number, in_view: boolean}} Box */

const REF = /\[(e\d+)\]/;
const MAX_CHARS = 20_000;
const FLASH_MS = 900;

export class RefsView {
  #text = byId("browser-snapshot", HTMLElement);
  #lines = byId("browser-lines", HTMLOListElement);
  #toggle = byId("browser-refs", HTMLButtonElement);
  /** @type {Map<string, HTMLElement>} */
  #boxes = new Map();
  /** @type {TabRow | null} */
  #tab = null;
  #lastRequest = 0;

  /** @param {Frames} frames @param {HTMLElement} stage */
  constructor(frames, stage) {
    this.frames = frames;
    this.layer = h("div", { class: "refs-layer", "aria-hidden": "true" });
    stage.append(this.layer);
    this.#toggle.addEventListener("click", () => this.#turn(!this.on));
    this.#lines.addEventListener("click", (event) => this.#highlight(event));
    frames.watch((tab, method, result) => {
      if (result?.at && tab === this.#tab?.id) this.#flash(result.at);
      if (!READING.has(method)) this.refresh();
    });
  }

  get on() {
    return this.#toggle.getAttribute("aria-pressed") === "true";
  }

  /** @param {boolean} on */
  #turn(on) {
    this.#toggle.setAttribute("aria-pressed", String(on));
    this.#text.hidden = this.layer.hidden = !on;
    this.refresh();
  }

  /** Draw again after the tab in front or its document changed. @param {TabRow | null} tab */
  render(tab) {
    this.#tab = tab;
    this.#toggle.disabled = tab === null;
    this.refresh();
  }

  /** Take a new snapshot if the view is visible. */
  refresh() {
    if (this.on) void this.#takeSnapshot(++this.#lastRequest);
  }

  /** @param {number} request */
  async #takeSnapshot(request) {
    const tab = this.#tab;
    if (tab === null || tab.loading || !tab.readable) {
      this.#draw(tab?.readable === false ? `This page can't be read: ${tab.why}.` : "", []);
      return;
    }
    try {
      const { text, elements } = await this.frames.ask(tab.id, "snapshot", { peek: true, max_chars: MAX_CHARS });
      // An earlier request's answer may arrive later.
      if (request === this.#lastRequest) this.#draw(text, elements);
    } catch (error) {
      if (request === this.#lastRequest) this.#draw(/** @type {Error} */ (error).message, []);
    }
  }

  /** @param {string} text @param {Box[]} elements */
  #draw(text, elements) {
    this.#boxes.clear();
    for (const { ref, x, y, width, height, in_view } of elements) {
      if (!in_view) continue;
      const box = h("div", { class: "ref-box" }, h("span", {}, ref));
      Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
      this.#boxes.set(ref, box);
    }
    this.layer.replaceChildren(...(this.#tab?.id === "page" ? [] : this.#boxes.values()));
    this.#lines.replaceChildren(...text.split("\n").map((line) => this.#line(line)));
  }

  /** @param {string} line */
  #line(line) {
    const ref = REF.exec(line)?.[1];
    return h("li", {}, ref ? h("button", { type: "button", "data-ref": ref }, line) : line);
  }

  /** @param {MouseEvent} event */
  #highlight({ target }) {
    const button = /** @type {Element} */ (target).closest("button");
    if (!button) return;
    for (const other of this.#lines.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    const ref = button.dataset.ref ?? "";
    for (const [other, box] of this.#boxes) box.classList.toggle("selected", other === ref);
  }

  /** @param {{x: number, y: number}} at */
  #flash({ x, y }) {
    const spot = h("div", { class: "action-flash", "aria-hidden": "true" });
    Object.assign(spot.style, { left: `${x}px`, top: `${y}px` });
    this.layer.parentElement?.append(spot);
    setTimeout(() => spot.remove(), FLASH_MS);
  }
}
