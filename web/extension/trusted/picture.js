/** Screenshots of any tab, also in the background, by the browser's debugger. */

import { problem } from "../../shared/document_link.js";

/**
 * @import { Session } from "./session.js"
 * @import { DocumentLink } from "../../shared/document_link.js"
 * @import { Options } from "../capture.js"
 */

const JPEG_QUALITY = 90;

/**
 * @param {Session} session
 * @param {DocumentLink} link
 * @param {Options} options
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ data: string, width: number, height: number, format: string }>}
 */
export async function takePicture(session, link, { boxes = false, ...options }, signal) {
  if (!boxes) return take(session, link, options, signal);
  await link.ask("mark", { on: true }, signal);
  try {
    return await take(session, link, options, signal);
  } finally {
    await link.ask("mark", { on: false });
  }
}

/** @param {Session} session @param {DocumentLink} link @param {Options} options @param {AbortSignal} [signal] */
async function take(session, link, { format = "png", widest, ref, selector, whole = false }, signal) {
  const box = ref === undefined && selector === undefined ? null : await link.ask("box", { ref, selector }, signal);
  if (box !== null && Math.min(box.width, box.height) <= 0) throw problem({ type: "Hidden", message: "The element isn't visible." });
  const { cssVisualViewport: view, cssContentSize: page } = await session.send("Page.getLayoutMetrics");
  const clip = box !== null ? { ...box, x: box.x + view.pageX, y: box.y + view.pageY }
    : whole ? { x: 0, y: 0, width: page.width, height: page.height }
    : { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight };
  const scale = Math.min(1, (widest ?? clip.width) / clip.width);
  const quality = format === "jpeg" ? { quality: JPEG_QUALITY } : {};
  const { data } = await session.send("Page.captureScreenshot", { format, ...quality, clip: { ...clip, scale }, captureBeyondViewport: whole });
  return { data, width: Math.round(clip.width * scale), height: Math.round(clip.height * scale), format };
}
