// Finds out whether an action had any effect, also one that changes no element: a value, the focus, the selection, a
// scroll position, a request, a canvas.

import * as dom from "../dom.js";
import { requestsStarted } from "../pending.js";
import { clipboardContents } from "./clipboard.js";
import { isEditable } from "./editing.js";
import { focused, isFocus } from "./focus.js";
import { hitAt } from "./places.js";

/**
 * @import { Point } from "./places.js"
 */

const EVENTS = "input change toggle close cancel scroll scrollend select play pause seeking volumechange fullscreenchange".split(" ");
const PRESSED = "button, a[href], area[href], summary, [role=button], [role=link]";
const FIELDS = "input, textarea, select";
// Larger canvases aren't compared.
const MOST_PIXELS = 4_000_000;

/** The effects of one action, observed from construction. */
export class Effects {
  /** @param {(Document | ShadowRoot)[]} roots @param {AbortSignal} signal ends the observation */
  constructor(roots, signal) {
    this.roots = roots;
    this.seen = false;
    this.wasSelected = getSelection()?.isCollapsed === false;
    this.url = location.href;
    this.focus = focused();
    /** True if each change of the focus counts, as by a key. A press focuses each button, also one without a use. */
    this.countsEachFocus = false;
    this.requests = requestsStarted();
    this.copied = clipboardContents();
    this.values = this.valuesNow();
    /** @type {Map<HTMLCanvasElement, Uint32Array | null>} */
    this.canvases = new Map();
    for (const root of roots) {
      for (const type of EVENTS) dom.addEventListener(root, type, () => (this.seen = true), { capture: true, signal, passive: true });
      dom.addEventListener(root, "selectionchange", () => this.noteSelection(), { signal });
    }
  }

  /** A press anywhere moves the selection; only a selected text or a caret in a field counts. */
  noteSelection() {
    const isSelected = getSelection()?.isCollapsed === false;
    if (isSelected || this.wasSelected || isEditable(focused())) this.seen = true;
  }

  /** Return the value of each field, which scripts change without events. */
  valuesNow() {
    /** @type {Map<Element, string | boolean>} */
    const values = new Map();
    for (const root of this.roots) {
      for (const one of dom.querySelectorAll(root, FIELDS)) {
        const { type, value, checked } = /** @type {HTMLInputElement} */ (one);
        values.set(one, type === "checkbox" || type === "radio" ? checked : value);
      }
    }
    return values;
  }

  /** Compare the canvas at a point later. @param {Point} point */
  watchCanvas(point) {
    const canvas = /** @type {HTMLCanvasElement | null} */ (hitAt(point));
    if (canvas?.localName === "canvas" && !this.canvases.has(canvas)) this.canvases.set(canvas, pixelsOf(canvas));
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

/** @param {HTMLCanvasElement} canvas @returns {Uint32Array | null} null if it is too large or has content of another origin */
function pixelsOf(canvas) {
  const { width, height } = canvas;
  if (!width || !height || width * height > MOST_PIXELS) return null;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  try {
    context?.drawImage(canvas, 0, 0);
    return context && new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  } catch (error) {
    if (/** @type {Error} */ (error).name === "SecurityError") return null;
    throw error;
  }
}

/** @param {Uint32Array | null} one @param {Uint32Array | null} other */
function same(one, other) {
  return one === other || (one?.length === other?.length && one?.every((pixel, index) => pixel === other?.[index]) === true);
}
