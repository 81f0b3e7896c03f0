// A picture of a page, drawn from inside: a part of the page script, loaded on first use.

import { domToCanvas } from "modern-screenshot";
import { Corrections } from "./corrections.js";
import { everything, inView } from "./needed.js";

/** @typedef {{ data: string, width: number, height: number, format: string }} Picture `data` in base64 */

// Chromium draws no canvas beyond it.
const MOST_PIXELS = 16_384;
const QUALITY = 0.9;

/**
 * @param {Element | null} element null for the document
 * @param {"png" | "jpeg"} format
 * @param {boolean} whole whether the document is shown beyond the viewport
 * @param {number} widest in pixels; what is wider is made smaller
 * @returns {Promise<Picture>}
 */
export async function pictureOf(element, format, whole, widest) {
  const canvas = noWider(await (element ? ofElement(element) : ofDocument(whole)), widest);
  const url = canvas.toDataURL(`image/${format}`, QUALITY);
  return { data: url.slice(url.indexOf(",") + 1), width: canvas.width, height: canvas.height, format };
}

/** @param {HTMLCanvasElement} canvas @param {number} widest */
function noWider(canvas, widest) {
  if (canvas.width <= widest) return canvas;
  const smaller = document.createElement("canvas");
  smaller.width = widest;
  smaller.height = Math.max(1, Math.round(canvas.height * widest / canvas.width));
  const context = /** @type {CanvasRenderingContext2D} */ (smaller.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}

/** @param {Element} element */
async function ofElement(element) {
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  const [x, y] = [Math.floor(left), Math.floor(top)];
  const size = { width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
  // Letters look otherwise where they begin between two pixels.
  const place = { marginLeft: `${left - x}px`, marginTop: `${top - y}px`, width: `${width}px`, height: `${height}px` };
  const picture = await draw(element, { ...size, style: place }, new Corrections(element, { x, y }, everything()));
  return behind(picture, backgroundOf(element.parentElement));
}

/** @param {boolean} whole */
async function ofDocument(whole) {
  const { documentElement: root } = document;
  const width = whole ? Math.max(root.scrollWidth, innerWidth) : innerWidth;
  const height = whole ? Math.max(root.scrollHeight, innerHeight) : innerHeight;
  const box = root.getBoundingClientRect();
  const start = whole ? { left: box.left + scrollX, top: box.top + scrollY } : box;
  const style = {
    // What is placed by the document's start is so in the picture.
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
  return behind(await draw(root, { width, height, style }, corrections), canvasColor());
}

/** Put a colour behind a picture. @param {HTMLCanvasElement} canvas @param {string} color */
function behind(canvas, color) {
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
  const size = { width: Math.min(Math.ceil(width), MOST_PIXELS), height: Math.min(Math.ceil(height), MOST_PIXELS) };
  return domToCanvas(node, {
    ...size,
    style,
    features: { restoreScrollPosition: false },
    // Once is enough for Chromium; the others need a moment for images in the picture.
    drawImageInterval: 0,
    filter: (one) => corrections.enter(one),
    onCloneEachNode: (clone) => corrections.leave(clone),
    onCloneNode: () => corrections.finish(),
  });
}

/** What is behind everything: the root's colour, the body's, or the browser's own. */
function canvasColor() {
  for (const element of [document.documentElement, document.body]) {
    const color = element && getComputedStyle(element).backgroundColor;
    if (color && !isClear(color)) return color;
  }
  const dark = /dark/.test(getComputedStyle(document.documentElement).colorScheme);
  return dark && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#ffffff";
}

/** @param {Element | null} element */
function backgroundOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!isClear(backgroundColor)) return backgroundColor;
  }
  return canvasColor();
}

/** @param {string} color as computed */
function isClear(color) {
  return color === "transparent" || /^rgba\(.*, 0\)$/.test(color);
}
