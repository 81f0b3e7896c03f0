// Takes screenshots of a page from inside. A part of the page script, loaded on first use.

import * as dom from "../dom.ts";
import { domToCanvas } from "modern-screenshot";
import { Unsupported } from "../errors.ts";
import { Corrections } from "./corrections.ts";
import { everything, inView } from "./needed.ts";

/** `data` in base64 */
type Screenshot = { data: string; width: number; height: number; format: string };

// Chromium's limit for a canvas.
const MAX_PIXELS = 16_384;
const QUALITY = 0.9;
/** The element that isn't the page's. */
let leftOut: Element | null = null;

/** Leave an element out of screenshots from now on. */
export function leaveOut(element: Element) {
  leftOut = element;
}

/**
 * @param element - null for the document
 * @param whole - whether to include the document outside the viewport
 * @param widest - the maximum width in pixels; wider screenshots are scaled down
 */
export async function takeScreenshot(
  element: Element | null,
  format: "png" | "jpeg",
  whole: boolean,
  widest: number,
): Promise<Screenshot> {
  const canvas = limitWidth(await (element ? ofElement(element) : ofDocument(whole)), widest);
  const url = canvas.toDataURL(`image/${format}`, QUALITY);
  return { data: url.slice(url.indexOf(",") + 1), width: canvas.width, height: canvas.height, format };
}

function limitWidth(canvas: HTMLCanvasElement, widest: number) {
  if (canvas.width <= widest) return canvas;
  const smaller = dom.createElement(document, "canvas");
  smaller.width = widest;
  smaller.height = Math.max(1, Math.round((canvas.height * widest) / canvas.width));
  const context = contextOf(smaller);
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}

async function ofElement(element: Element) {
  const { left, top, right, bottom, width, height } = dom.getBoundingClientRect(element);
  const [x, y] = [Math.floor(left), Math.floor(top)];
  const size = { width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
  // Keep fractions of pixels, because they change how letters are drawn.
  const place = { marginLeft: `${left - x}px`, marginTop: `${top - y}px`, width: `${width}px`, height: `${height}px` };
  const canvas = await draw(element, { ...size, style: place }, new Corrections(element, { x, y }, everything()));
  return fillBehind(canvas, backgroundOf(dom.parentElement(element)));
}

async function ofDocument(whole: boolean) {
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

function contextOf(canvas: HTMLCanvasElement) {
  const context = canvas.getContext("2d");
  if (!context) throw new Unsupported("The browser has no memory left for a screenshot.");
  return context;
}

/** Fill the transparent parts of a canvas with a color. */
function fillBehind(canvas: HTMLCanvasElement, color: string) {
  const context = contextOf(canvas);
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = color;
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}

async function draw(
  node: Element,
  { width, height, style }: { width: number; height: number; style: Record<string, string> },
  corrections: Corrections,
) {
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
    // The library reads what names can hide (dom.ts), such as `form.cloneNode`.
    if (!(error instanceof TypeError)) throw error;
    throw new Unsupported(`A script can't draw this page: ${error.message}.`, {
      hint: "Read it by a snapshot and its text.",
    });
  }
}

/** Return the canvas color: the root's, the body's, or the browser's default. */
function canvasColor() {
  for (const element of [dom.documentElement(document), dom.body(document)]) {
    const color = element && getComputedStyle(element).backgroundColor;
    if (color && !isClear(color)) return color;
  }
  const dark = /dark/.test(getComputedStyle(dom.documentElement(document)).colorScheme);
  return dark && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#ffffff";
}

function backgroundOf(element: Element | null) {
  for (let at = element; at; at = dom.parentElement(at)) {
    const { backgroundColor } = getComputedStyle(at);
    if (!isClear(backgroundColor)) return backgroundColor;
  }
  return canvasColor();
}

/** @param color - as computed */
function isClear(color: string) {
  return color === "transparent" || /^rgba\(.*, 0\)$/.test(color);
}
