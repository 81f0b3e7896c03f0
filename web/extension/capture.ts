/** Screenshots of visible tabs by the browser itself. */

export interface Options {
  format?: "png" | "jpeg";
  widest?: number;
  ref?: string;
  selector?: string;
  whole?: boolean;
  boxes?: boolean;
}

const QUALITY = 0.9;
// String.fromCharCode takes a limited number of arguments.
const CHUNK = 1 << 15;

/** Return whether a screenshot is of the tab's viewport, without boxes, and not of an element or the full document. */
export function isOfView({ ref, selector, whole, boxes }: Options) {
  return !ref && !selector && !whole && !boxes;
}

/**
 * @param tab - in front in its window
 * @returns null if the browser can't take one now: its window is hidden, or it has taken two in this second
 */
export async function capture(
  tab: { windowId: number; width: number; height: number },
  { format = "png", widest = Infinity }: Options,
): Promise<{ data: string; width: number; height: number; format: string } | null> {
  const url = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" }).catch(() => null);
  if (url === null) return null;
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const width = Math.max(1, Math.round(Math.min(tab.width, widest)));
  const height = Math.max(1, Math.round((width * bitmap.height) / bitmap.width));
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: `image/${format}`, quality: QUALITY });
  return { data: base64(new Uint8Array(await blob.arrayBuffer())), width, height, format };
}

function base64(bytes: Uint8Array) {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
