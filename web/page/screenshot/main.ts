// Takes screenshots of a page from inside. A part of the page script, loaded on first use.

import * as dom from "../dom.js";
import { domToCanvas } from "modern-screenshot";
import { Unsupported } from "../errors.js";
import { Corrections } from "./corrections.js";
import { everything, inView } from "./needed.js";

/** @typedef {{ data: string, width: number, height: number, format: string }} Screenshot `data` in base64 */

// Chromium's limit for a canvas.
const MAX_PIXELS = 16_384;
const QUALITY = 0.9;
/** The element that isn't the page's. @type {Element | null} */
let leftOut = null;

/** Leave an element out of screenshots from now on. @param {Element} element */
export function leaveOut(element) {
  leftOut = element;
}

/**
 * @param {Element | null} element null for the document
 * @param {"png" | "jpeg"} format
 * @param {boolean} whole whether to include the document outside the viewport
 * @param {number} widest the maximum width in pixels; wider screenshots are scaled down
 * @returns {Promise<Screenshot>}
 */
export async function takeScreenshot(element, format, whole, widest) {
  const canvas = limitWidth(await (element ? ofElement(element) : ofDocument(whole)), widest);
  const url = canvas.toDataURL(`image/${format}`, QUALITY);
  return { data: url.slice(url.indexOf(",") + 1), width: canvas.width, height: canvas.height, format };
}

/** @param {HTMLCanvasElement} canvas @param {number} widest */
function limitWidth(canvas, widest) {
  if (canvas.width <= widest) return canvas;
  const smaller = dom.createElement(document, "canvas");
  smaller.width = widest;
  smaller.height = Math.max(1, Math.round(canvas.height * widest / canvas.width));
  const context = /** @type {CanvasRenderingContext2D} */ (smaller.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}

/** @param {Element} element */
async function ofElement(element) {
  const { left, top, right, bottom, width, height } = dom.getBoundingClientRect(element);
  const [x, y] = [Math.floor(left), Math.floor(top)];
  const size = { width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
  // Keep fractions of pixels, because they change how letters are drawn.
  const place = { marginLeft: `${left - x}px`, marginTop: `${top - y}px`, width: `${width}px`, height: `${height}px` };
  const canvas = await draw(element, { ...size, style: place }, new Corrections(element, { x, y }, everything()));
  return fillBehind(canvas, backgroundOf(dom.parentElement(element)));
}

/** @param {boolean} whole */
async function ofDocument(whole) {
  const root = dom.documentElement(document);
  const width = whole ? Math.max(dom.scrollWidth(root), innerWidth) : innerWidth;
  const height = whole ? Math.max(dom.scrollHeight(root), innerHeight) : innerHeight;
  const box = dom.getBoundingClientRect(root);
  const start = whole ? { left: box.left + scrollX, top: box.top + scrollY } : box;
  const style = {
    // Elements positioned relative to the document need a positioned root.
    position: "relative",
    overflow: "visible",
    width: `${box.width}px`,
    height: `${box.height}px`,
    marginLeft: `${start.left}px`,
    marginTop: `${start.top}px`,
  };
  const corrections = whole
    ? new Corrections(root, { x: -scrollX, y: -scrollY }, everything())
    : new Corrections(root, { x: 0, y: 0 }, inView(document));
  return fillBehind(await draw(root, { width, height, style }, corrections), canvasColor());
}

/** Fill the transparent parts of a canvas with a colour. @param {HTMLCanvasElement} canvas @param {string} color */
function fillBehind(canvas, color) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = color;
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * @param {Element} node
 * @param {{ width: number, height: number, style: Record<string, string> }} options
 * @param {Corrections} corrections
 */
async function draw(node, { width, height, style }, corrections) {
  const size = { width: Math.min(Math.ceil(width), MAX_PIXELS), height: Math.min(Math.ceil(height), MAX_PIXELS) };
  try {
    return await domToCanvas(node, {
      ...size,
      style,
      features: { restoreScrollPosition: false },
      // Chromium needs no pause; other browsers need one for images.
      drawImageInterval: 0,
      filter: (one) => one !== leftOut && corrections.enter(one),
      onCloneEachNode: (clone) => corrections.leave(clone),
      onCloneNode: () => corrections.finish(),
    });
  } catch (error) {
    // The library reads what names can hide (dom.js), such as `form.cloneNode`.
    if (!(error instanceof TypeError)) throw error;
    throw new Unsupported(`A script can't draw this page: ${error.message}.`, { hint: "Read it by a snapshot and its text." });
  }
}

/** Return the canvas colour: the root's, the body's, or the browser's default. */
function canvasColor() {
  for (const element of [dom.documentElement(document), dom.body(document)]) {
    const color = element && getComputedStyle(element).backgroundColor;
    if (color && !isClear(color)) return color;
  }
  const dark = /dark/.test(getComputedStyle(dom.documentElement(document)).colorScheme);
  return dark && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#ffffff";
}

/** @param {Element | null} element */
function backgroundOf(element) {
  for (let at = element; at; at = dom.parentElement(at)) {
    const { backgroundColor } = getComputedStyle(at);
    if (!isClear(backgroundColor)) return backgroundColor;
  }
  return canvasColor();
}

/** @param {string} color as computed */
function isClear(color) {
  return color === "transparent" || /^rgba\(.*, 0\)$/.test(color);
}
