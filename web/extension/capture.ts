/** Screenshots of visible tabs by the browser itself. */

/** @typedef {{ format?: "png" | "jpeg", widest?: number, ref?: string, selector?: string, whole?: boolean, boxes?: boolean }} Options */

const QUALITY = 0.9;
// String.fromCharCode takes a limited number of arguments.
const CHUNK = 1 << 15;

/** Return whether a screenshot is of what the tab shows, and not of an element or the whole document, or with boxes. @param {Options} options */
export function isOfView({ ref, selector, whole, boxes }) {
  return !ref && !selector && !whole && !boxes;
}

/**
 * @param {{ windowId: number, width: number, height: number }} tab in front in its window
 * @param {Options} options
 * @returns {Promise<{ data: string, width: number, height: number, format: string } | null>} null if the browser can't take
 *   one now: its window is hidden, or it has taken two in this second
 */
export async function capture(tab, { format = "png", widest = Infinity }) {
  const url = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" }).catch(() => null);
  if (url === null) return null;
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const width = Math.max(1, Math.round(Math.min(tab.width, widest)));
  const height = Math.max(1, Math.round((width * bitmap.height) / bitmap.width));
  const canvas = new OffscreenCanvas(width, height);
  /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(bitmap, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: `image/${format}`, quality: QUALITY });
  return { data: base64(new Uint8Array(await blob.arrayBuffer())), width, height, format };
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
