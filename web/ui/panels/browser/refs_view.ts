/**
 * The agents' view of the page in front: its snapshot as text, and a box for each ref over its element. Also flashes
 * where actions land.
 */

import { messageOf } from "../../../shared/thrown.ts";
import type { TabRow } from "../../../generated/types.ts";
import { byId, h, expect } from "../../lib/elements.ts";
import { READING } from "../../../shared/methods.ts";
import type { Frames } from "./frames.ts";

type Box = { ref: string; x: number; y: number; width: number; height: number; in_view: boolean };

const REF = /\[(e\d+)\]/;
const MAX_CHARS = 20_000;
const FLASH_MS = 900;

export class RefsView {
  #text = byId("browser-snapshot", HTMLElement);
  #lines = byId("browser-lines", HTMLOListElement);
  #toggle = byId("browser-refs", HTMLButtonElement);
  #boxes = new Map<string, HTMLElement>();
  #tab: TabRow | null = null;
  #lastRequest = 0;
  frames: Frames;
  layer: HTMLDivElement;

  constructor(frames: Frames, stage: HTMLElement) {
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

  #turn(on: boolean) {
    this.#toggle.setAttribute("aria-pressed", String(on));
    this.#text.hidden = this.layer.hidden = !on;
    this.refresh();
  }

  /** Draw again after the tab in front or its document changed. */
  render(tab: TabRow | null) {
    this.#tab = tab;
    this.#toggle.disabled = tab === null;
    this.refresh();
  }

  /** Take a new snapshot if the view is visible. */
  refresh() {
    if (this.on) void this.#takeSnapshot(++this.#lastRequest);
  }

  async #takeSnapshot(request: number) {
    const tab = this.#tab;
    if (tab === null || tab.loading || !tab.readable) {
      this.#draw(tab?.readable === false ? `This page can't be read: ${tab.why}.` : "", []);
      return;
    }
    try {
      const { text, elements } = await this.frames.ask<{ text: string; elements: Box[] }>(tab.id, "snapshot", {
        peek: true,
        max_chars: MAX_CHARS,
      });
      // An earlier request's answer may arrive later.
      if (request === this.#lastRequest) this.#draw(text, elements);
    } catch (error) {
      if (request === this.#lastRequest) this.#draw(messageOf(error), []);
    }
  }

  #draw(text: string, elements: Box[]) {
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

  #line(line: string) {
    const ref = REF.exec(line)?.[1];
    return h("li", {}, ref ? h("button", { type: "button", "data-ref": ref }, line) : line);
  }

  #highlight({ target }: MouseEvent) {
    const button = expect(target, Element).closest("button");
    if (!button) return;
    for (const other of this.#lines.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    const ref = button.dataset.ref ?? "";
    for (const [other, box] of this.#boxes) box.classList.toggle("selected", other === ref);
  }

  #flash({ x, y }: { x: number; y: number }) {
    const spot = h("div", { class: "action-flash", "aria-hidden": "true" });
    Object.assign(spot.style, { left: `${x}px`, top: `${y}px` });
    this.layer.parentElement?.append(spot);
    setTimeout(() => spot.remove(), FLASH_MS);
  }
}
