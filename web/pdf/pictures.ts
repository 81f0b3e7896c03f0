// A page of a PDF file as a picture, for files whose pages are pictures of text. It is drawn without fonts of the system.
import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

// 200 dots an inch: what Tesseract reads best, at 72 units an inch.
const SCALE = 200 / 72;
const MOST_PIXELS = 12_000_000;

/** pdf.js draws on canvases that need no document. */
export class Canvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    return { canvas, context: canvas.getContext("2d", { willReadFrequently: true }) };
  }

  reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number) {
    Object.assign(canvas, { width, height });
  }

  destroy(drawn: { canvas: OffscreenCanvas | null; context: unknown }) {
    Object.assign(drawn, { canvas: null, context: null });
  }
}

/** Filters of SVG need a document; pictures of text need no filters. */
export class NoFilters {
  addFilter() {
    return "none";
  }

  addHCMFilter() {
    return "none";
  }

  addAlphaFilter() {
    return "none";
  }

  addLuminosityFilter() {
    return "none";
  }

  addHighlightHCMFilter() {
    return "none";
  }

  destroy() {}
}

/**
 * Return a page as a PNG file in base64.
 * @param file - a document of pdf.js
 * @param number - of the page, from 1
 */
export async function pictureOf(file: PDFDocumentProxy, number: number) {
  const page = await file.getPage(number);
  const size = page.getViewport({ scale: 1 });
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (size.width * size.height)));
  const viewport = page.getViewport({ scale });
  const canvas = new OffscreenCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)));
  // Any other intent waits for the frames of a window.
  await page.render({
    canvas: null,
    canvasContext: canvas.getContext("2d"),
    viewport,
    intent: "print",
    background: "#fff",
  }).promise;
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { data: btoa(text), width: canvas.width, height: canvas.height, pages: file.numPages };
}
