// Finds out whether an action had any effect, also one that changes no element: a value, the focus, the selection, a
// scroll position, a request, a canvas.

import * as dom from "../dom.ts";
import { isSecurityError } from "../errors.ts";
import { requestsStarted } from "../pending.ts";
import { clipboardContents } from "./clipboard.ts";
import { isEditable } from "./editing.ts";
import { focused, isFocus } from "./focus.ts";
import { hitAt, type Point } from "./places.ts";

const EVENTS =
  "input change toggle close cancel scroll scrollend select play pause seeking volumechange fullscreenchange".split(
    " ",
  );
const PRESSED = "button, a[href], area[href], summary, [role=button], [role=link]";
const FIELDS = "input, textarea, select";
// Larger canvases aren't compared.
const MOST_PIXELS = 4_000_000;

/** The effects of one action, observed from construction. */
export class Effects {
  roots: (Document | ShadowRoot)[];
  seen = false;
  wasSelected = isTextSelected();
  url = location.href;
  focus = focused();
  /** True if each change of the focus counts, as by a key. A press focuses each button, also one without a use. */
  countsEachFocus = false;
  requests = requestsStarted();
  copied = clipboardContents();
  values: Map<Element, string | boolean>;
  canvases = new Map<HTMLCanvasElement, Uint32Array | null>();

  /** @param signal - ends the observation */
  constructor(roots: (Document | ShadowRoot)[], signal: AbortSignal) {
    this.roots = roots;
    this.values = this.valuesNow();
    for (const root of roots) {
      for (const type of EVENTS)
        dom.addEventListener(root, type, () => (this.seen = true), { capture: true, signal, passive: true });
      dom.addEventListener(root, "selectionchange", () => this.noteSelection(), { signal });
    }
  }

  /** A press anywhere moves the selection; only a selected text or a caret in a field counts. */
  noteSelection() {
    if (isTextSelected() || this.wasSelected || isEditable(focused())) this.seen = true;
  }

  /** Return the value of each field, which scripts change without events. */
  valuesNow() {
    const values = new Map<Element, string | boolean>();
    for (const root of this.roots) {
      for (const one of dom.querySelectorAll<HTMLInputElement>(root, FIELDS)) {
        const { type, value, checked } = one;
        values.set(one, type === "checkbox" || type === "radio" ? checked : value);
      }
    }
    return values;
  }

  /** Compare the canvas at a point later. */
  watchCanvas(point: Point) {
    const canvas = hitAt(point);
    if (canvas && dom.isNamed(canvas, "canvas") && !this.canvases.has(canvas))
      this.canvases.set(canvas, pixelsOf(canvas));
  }

  /** Return whether something has happened besides changes of elements. */
  happened() {
    if (this.seen || location.href !== this.url) return true;
    const focus = focused();
    if (focus !== this.focus && (this.countsEachFocus || (isFocus(focus) && !dom.matches(focus, PRESSED)))) return true;
    if (requestsStarted() !== this.requests || clipboardContents() !== this.copied) return true;
    if ([...this.canvases].some(([canvas, before]) => !same(before, pixelsOf(canvas)))) return true;
    const now = this.valuesNow();
    return [...this.values].some(([field, value]) => now.has(field) && now.get(field) !== value);
  }

  /** Return whether an effect may have stayed unseen, because a canvas can't be read. */
  maybeUnseen() {
    return [...this.canvases.values()].some((pixels) => pixels === null || pixels.every((pixel) => pixel === 0));
  }
}

const isTextSelected = () => getSelection()?.isCollapsed === false;

/** @returns null if it is too large or has content of another origin */
function pixelsOf(canvas: HTMLCanvasElement): Uint32Array | null {
  const { width, height } = canvas;
  if (!width || !height || width * height > MOST_PIXELS) return null;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  try {
    context?.drawImage(canvas, 0, 0);
    return context && new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  } catch (error) {
    if (isSecurityError(error)) return null;
    throw error;
  }
}

function same(one: Uint32Array | null, other: Uint32Array | null) {
  return (
    one === other || (one?.length === other?.length && one?.every((pixel, index) => pixel === other?.[index]) === true)
  );
}
