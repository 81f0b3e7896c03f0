// Pictures: decoded by the browser, as shades of gray, and written in a form that Tesseract reads.

/** shades of gray, row by row: 0 is black */
export interface Gray {
  width: number;
  height: number;
  shades: Uint8Array;
}

export interface Picture {
  /** of the file's picture, upright as its EXIF data says */
  width: number;
  height: number;
  /** by which it was scaled down to the shades */
  scale: number;
  /** by which the shades must be scaled up for Tesseract */
  factor: number;
  gray: Gray;
}

// More pixels take too long: a photo of 40 megapixels is scaled down.
const MOST_PIXELS = 12_000_000;
// Text on screens is small: Tesseract reads letters of 20 pixels and more best.
const SCREEN_PIXELS = 3_000_000;
// Canvases of browsers end here.
const LONGEST = 16_000;

/** A file isn't a picture that this browser decodes. */
export class NoPicture extends Error {}

/** @throws {NoPicture} */
export async function decoded(bytes: Uint8Array): Promise<Picture> {
  // No bytes here are shared between threads.
  const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>])).catch(() => {
    throw new NoPicture("this browser doesn't decode it");
  });
  const { width, height } = bitmap;
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)), LONGEST / Math.max(width, height));
  const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
  const context = new OffscreenCanvas(...size).getContext("2d", { willReadFrequently: true });
  if (context === null) throw new NoPicture("it is too large for this browser");
  // Transparent parts are seen on white.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, ...size);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, ...size);
  bitmap.close();
  const gray = grayOf(context.getImageData(0, 0, ...size));
  return { width, height, scale, gray, factor: size[0] * size[1] <= SCREEN_PIXELS ? 2 : 1 };
}

function grayOf({ width, height, data }: ImageData): Gray {
  const shades = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < shades.length; at += 1, from += 4) {
    // ITU-R BT.601
    shades[at] = (data[from] * 299 + data[from + 1] * 587 + data[from + 2] * 114) / 1000;
  }
  return { width, height, shades };
}

/**
 * Return a picture as a Portable Graymap (https://netpbm.sourceforge.net/doc/pgm.html).
 * @param factor - by which it is enlarged
 * @param turn - clockwise degrees: 0, 90, 180 or 270
 */
export function toPgm(gray: Gray, factor: number, turn: number) {
  const { width, height, shades } = turned(enlarged(gray, factor), turn);
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + shades.length);
  file.set(head);
  file.set(shades, head.length);
  return file;
}

function enlarged({ width, height, shades }: Gray, factor: number): Gray {
  if (factor === 1) return { width, height, shades };
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < shades.length; at += 1) pixels[at] = 0xff000000 | (shades[at] * 0x10101);
  const small = new OffscreenCanvas(width, height);
  small.getContext("2d")?.putImageData(image, 0, 0);
  const large = new OffscreenCanvas(width * factor, height * factor).getContext("2d", { willReadFrequently: true });
  if (large === null) return { width, height, shades };
  large.imageSmoothingQuality = "high";
  large.drawImage(small, 0, 0, width * factor, height * factor);
  return grayOf(large.getImageData(0, 0, width * factor, height * factor));
}

function turned(gray: Gray, turn: number): Gray {
  if (turn === 0) return gray;
  const { width, height, shades } = gray;
  const size = turn === 180 ? { width, height } : { width: height, height: width };
  const after = new Uint8Array(shades.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const to =
        turn === 90
          ? x * height + (height - 1 - y)
          : turn === 180
            ? shades.length - 1 - at
            : (width - 1 - x) * height + y;
      after[to] = shades[at];
    }
  }
  return { ...size, shades: after };
}
