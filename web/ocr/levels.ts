// Levels: each area of one color, such as a button or a dark page, becomes white with dark text. Tesseract compares the whole
// picture with one shade, so it would lose white text on blue, and gray on gray.

import type { Gray } from "./picture.ts";

// Neighbours in an area of one color differ by at most this: pictures are compressed.
const NEAR = 4;
// Pixels.
const LARGEST_CORNER = 24;
const LEAST = { width: 24, height: 12 };
// The part of its box that an area fills, though it has text.
const FILLED = 0.5;
// The largest ones; no page has more buttons.
const MOST_AREAS = 1_000;
// Shades that differ by this from the area's are its text.
const CONTRAST = 40;
const BLACK = 0;
const WHITE = 255;

/** `right` and `bottom` are outside, `root` is its first pixel */
type Area = { x: number; y: number; right: number; bottom: number; count: number; shade: number; root: number };

export function levelled(gray: Gray): Gray {
  const { width, height, shades } = gray;
  const page = { x: 0, y: 0, right: width, bottom: height, count: width * height, shade: commonest(shades), root: 0 };
  const after = { width, height, shades: new Uint8Array(shades.length) };
  const roots = rootsOf(gray);
  level(gray, page, after.shades);
  for (const area of areasOf(gray, roots)) {
    level(gray, area, after.shades);
    whitenCorners(gray, area, roots, after.shades);
  }
  return after;
}

function commonest(shades: Uint8Array) {
  const counts = new Uint32Array(256);
  for (const shade of shades) counts[shade] += 1;
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count)));
}

/** Write the box of an area with its own shade as white and the shade of its text as black. */
function level({ width, shades }: Gray, { x, y, right, bottom, shade }: Area, after: Uint8Array) {
  let darker = 0;
  let lighter = 0;
  for (let row = y; row < bottom; row += 1) {
    for (let at = row * width + x; at < row * width + right; at += 1) {
      if (shades[at] < shade - CONTRAST) darker += 1;
      else if (shades[at] > shade + CONTRAST) lighter += 1;
    }
  }
  const ink = lighter > darker ? WHITE : BLACK;
  const values = Uint8ClampedArray.from({ length: 256 }, (_, each) => (WHITE * (each - ink)) / (shade - ink || 1));
  for (let row = y; row < bottom; row += 1) {
    for (let at = row * width + x; at < row * width + right; at += 1) after[at] = values[shades[at]];
  }
}

/** Make the round corners of an area's box white: their edges would be read as letters. */
function whitenCorners(
  { width, height }: Gray,
  { x, y, right, bottom, root }: Area,
  roots: Int32Array,
  after: Uint8Array,
) {
  // At the edge of the picture these may be letters that are cut off.
  if (x === 0 || y === 0 || right === width || bottom === height) return;
  const most = Math.min(LARGEST_CORNER, (bottom - y) / 2);
  for (let row = y; row < bottom; row += 1) {
    if (Math.min(row - y, bottom - 1 - row) >= most) continue;
    const [from, to] = [row * width + x, row * width + right];
    let [first, last] = [from, to];
    while (first < to && roots[first] !== root) first += 1;
    while (last > first && roots[last - 1] !== root) last -= 1;
    if (first - from <= most) after.fill(WHITE, from, first);
    if (to - last <= most) after.fill(WHITE, last, to);
  }
}

/** Return the areas of one color, those that contain others first. */
function areasOf(gray: Gray, roots: Int32Array): Area[] {
  const counts = new Uint32Array(roots.length);
  for (const root of roots) counts[root] += 1;
  const areas = new Map<number, Area>();
  const { width, height, shades } = gray;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const root = roots[at];
      // A photo has millions of small ones.
      if (counts[root] < FILLED * LEAST.width * LEAST.height) continue;
      const area = areas.get(root);
      if (area === undefined)
        areas.set(root, { x, y, right: x + 1, bottom: y + 1, count: counts[root], shade: shades[root], root });
      else {
        area.x = Math.min(area.x, x);
        area.right = Math.max(area.right, x + 1);
        area.bottom = y + 1;
      }
    }
  }
  return [...areas.values()]
    .filter(isBox)
    .sort((one, other) => size(other) - size(one))
    .slice(0, MOST_AREAS);
}

function size({ x, y, right, bottom }: Area) {
  return (right - x) * (bottom - y);
}

function isBox(area: Area) {
  return (
    area.right - area.x >= LEAST.width && area.bottom - area.y >= LEAST.height && area.count >= FILLED * size(area)
  );
}

/** Return for each pixel the first one of its area, by union and find. */
function rootsOf({ width, height, shades }: Gray) {
  const parents = new Int32Array(shades.length);
  const find = (at: number) => {
    while (parents[at] !== at) at = parents[at] = parents[parents[at]];
    return at;
  };
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const shade = shades[at];
      const isLeft = x > 0 && Math.abs(shade - shades[at - 1]) <= NEAR;
      const isAbove = y > 0 && Math.abs(shade - shades[at - width]) <= NEAR;
      // The pixel above and the one on the left mostly have the same parent.
      parents[at] = isLeft ? parents[at - 1] : isAbove ? parents[at - width] : at;
      if (!isLeft || !isAbove || parents[at] === parents[at - width]) continue;
      const [one, other] = [find(at - 1), find(at - width)];
      parents[Math.max(one, other)] = parents[at] = Math.min(one, other);
    }
  }
  // A parent comes before its pixels, so it has its root already.
  for (let at = 0; at < parents.length; at += 1) parents[at] = parents[parents[at]];
  return parents;
}
