// The worker that makes thumbnails of pictures, and one picture of several of them with numbers. It reaches no network and no storage.

import { confine } from "../shared/confine.ts";

interface Order {
  /** the files, in sequence */
  bytes: Uint8Array;
  /** their sizes in bytes, with commas between */
  lengths: string;
  form: "each" | "sheet";
}

/** JPEG files in base64; null for a file that the browser doesn't decode */
type Answer = { thumbnails: (string | null)[] } | { sheet: string; width: number; height: number };

const SIDE = 160;
const COLUMNS = 5;
const QUALITY = 0.75;
const LABEL = { width: 26, height: 18 };

confine("self postMessage OffscreenCanvas createImageBitmap");

self.addEventListener("message", async ({ data }: MessageEvent) => {
  if (data.request) self.postMessage({ answer: JSON.stringify(await answer(data.request)) });
});

async function answer({ bytes, lengths, form }: Order): Promise<Answer> {
  const files = split(bytes, lengths.split(",").map(Number));
  if (form === "sheet") return sheet(files);
  const thumbnails = [];
  // In sequence: a photo takes 100 MB while it is decoded.
  for (const file of files) thumbnails.push(await thumbnail(file));
  return { thumbnails };
}

function split(bytes: Uint8Array, lengths: number[]) {
  let end = 0;
  return lengths.map((length) => bytes.subarray(end, (end += length)));
}

function decoded(file: Uint8Array) {
  // No bytes here are shared between threads.
  return createImageBitmap(new Blob([file as Uint8Array<ArrayBuffer>])).catch(() => null);
}

async function thumbnail(file: Uint8Array) {
  const bitmap = await decoded(file);
  if (bitmap === null) return null;
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return base64(canvas);
}

/** @param files - thumbnails; an empty one leaves its cell empty */
async function sheet(files: Uint8Array[]) {
  const rows = Math.ceil(files.length / COLUMNS);
  const canvas = new OffscreenCanvas(Math.min(COLUMNS, files.length) * SIDE, rows * SIDE);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser has no memory left for a picture.");
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

async function base64(canvas: OffscreenCanvas) {
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
