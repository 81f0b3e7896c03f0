// The worker that makes thumbnails of pictures, and one picture of several of them with numbers. It reaches no network and no storage.

import { confine } from "../shared/confine.js";

/**
 * @typedef {object} Order
 * @property {Uint8Array} bytes the files, one after the other
 * @property {string} lengths their sizes in bytes, with commas between
 * @property {"each" | "sheet"} form
 * @typedef {{ thumbnails: (string | null)[] } | { sheet: string, width: number, height: number }} Answer JPEG files in base64; null for a
 *   file that the browser doesn't decode
 */

const SIDE = 160;
const COLUMNS = 5;
const QUALITY = 0.75;
const LABEL = { width: 26, height: 18 };

confine("self postMessage OffscreenCanvas createImageBitmap");

self.addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
  if (data.request) self.postMessage({ answer: JSON.stringify(await answer(data.request)) });
});

/** @param {Order} request @returns {Promise<Answer>} */
async function answer({ bytes, lengths, form }) {
  const files = split(bytes, lengths.split(",").map(Number));
  if (form === "sheet") return sheet(files);
  const thumbnails = [];
  // One after the other: a photo takes 100 MB while it is decoded.
  for (const file of files) thumbnails.push(await thumbnail(file));
  return { thumbnails };
}

/** @param {Uint8Array} bytes @param {number[]} lengths */
function split(bytes, lengths) {
  let end = 0;
  return lengths.map((length) => bytes.subarray(end, (end += length)));
}

/** @param {Uint8Array} file */
function decoded(file) {
  return createImageBitmap(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (file)])).catch(() => null);
}

/** @param {Uint8Array} file */
async function thumbnail(file) {
  const bitmap = await decoded(file);
  if (bitmap === null) return null;
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return base64(canvas);
}

/** @param {Uint8Array[]} files thumbnails; an empty one leaves its cell empty */
async function sheet(files) {
  const rows = Math.ceil(files.length / COLUMNS);
  const canvas = new OffscreenCanvas(Math.min(COLUMNS, files.length) * SIDE, rows * SIDE);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = "14px sans-serif";
  for (const [index, file] of files.entries()) {
    const [x, y] = [(index % COLUMNS) * SIDE, Math.floor(index / COLUMNS) * SIDE];
    const bitmap = file.length === 0 ? null : await decoded(file);
    if (bitmap) context.drawImage(bitmap, x + (SIDE - bitmap.width) / 2, y + (SIDE - bitmap.height) / 2);
    context.fillStyle = "#fff";
    context.fillRect(x, y, LABEL.width, LABEL.height);
    context.fillStyle = "#000";
    context.fillText(String(index + 1), x + 4, y + 14);
  }
  return { sheet: await base64(canvas), width: canvas.width, height: canvas.height };
}

/** @param {OffscreenCanvas} canvas */
async function base64(canvas) {
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
