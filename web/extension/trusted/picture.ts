/** Screenshots of any tab, also in the background, by the browser's debugger. */

import { problem, type DocumentLink } from "../../shared/document_link.ts";
import type { Options } from "../capture.ts";
import type { Session } from "./session.ts";

const JPEG_QUALITY = 90;

export async function takePicture(
  session: Session,
  link: DocumentLink,
  { boxes = false, ...options }: Options,
  signal?: AbortSignal,
): Promise<{ data: string; width: number; height: number; format: string }> {
  if (!boxes) return take(session, link, options, signal);
  await link.ask("mark", { on: true }, signal);
  try {
    return await take(session, link, options, signal);
  } finally {
    await link.ask("mark", { on: false });
  }
}

/** in pixels of the viewport */
type Box = { x: number; y: number; width: number; height: number };

/** https://chromedevtools.github.io/devtools-protocol/tot/Page/#method-getLayoutMetrics */
interface Metrics {
  cssVisualViewport: { pageX: number; pageY: number; clientWidth: number; clientHeight: number };
  cssContentSize: { width: number; height: number };
}

async function take(
  session: Session,
  link: DocumentLink,
  { format = "png", widest, ref, selector, whole = false }: Options,
  signal?: AbortSignal,
) {
  const box =
    ref === undefined && selector === undefined ? null : await link.ask<Box>("box", { ref, selector }, signal);
  if (box !== null && Math.min(box.width, box.height) <= 0)
    throw problem({ type: "Hidden", message: "The element isn't visible." });
  const { cssVisualViewport: view, cssContentSize: page } = await session.send<Metrics>("Page.getLayoutMetrics");
  const clip =
    box !== null
      ? { ...box, x: box.x + view.pageX, y: box.y + view.pageY }
      : whole
        ? { x: 0, y: 0, width: page.width, height: page.height }
        : { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight };
  const scale = Math.min(1, (widest ?? clip.width) / clip.width);
  const quality = format === "jpeg" ? { quality: JPEG_QUALITY } : {};
  const { data } = await session.send<{ data: string }>("Page.captureScreenshot", {
    format,
    ...quality,
    clip: { ...clip, scale },
    captureBeyondViewport: whole,
  });
  return { data, width: Math.round(clip.width * scale), height: Math.round(clip.height * scale), format };
}
