// The areas of image maps, which are drawn as parts of an image and have no boxes themselves
// (https://html.spec.whatwg.org/multipage/image-maps.html).

import * as dom from "./dom.ts";
import { mayBeDrawn, surfaceOf } from "./surfaces.ts";

/** Return the areas of an image that are links; none before the image is loaded. */
export function areasOf(image: Element): Element[] {
  const name = dom.getAttribute(image, "usemap")?.replace(/^#/, "");
  if (!name || !(dom.isNamed(image, "img") && image.naturalWidth)) return [];
  const root = dom.getRootNode(image);
  const map = dom.querySelector(root, `map[name="${CSS.escape(name)}"]`);
  return map && imageOf(map) === image ? Array.from(dom.querySelectorAll(map, ":scope > area[href]")) : [];
}

/** Return the first image that uses the map of an area. */
function imageOf(part: Element): Element | null {
  const map = dom.closest(part, "map");
  const root = dom.getRootNode(part);
  return map && dom.querySelector(root, `img[usemap="#${CSS.escape(map.name)}"]`);
}

/** Return the element whose visibility an element has: the image for an area. */
export function shownAs(element: Element): Element {
  return (dom.localName(element) === "area" && imageOf(element)) || element;
}

/** Return the element that is drawn for an element: the image for an area, the surface for an editor's field. */
export function drawnAs(element: Element): Element {
  return surfaceOf(element) ?? shownAs(element);
}

/** Return the element's box, in pixels of its document's viewport. */
export function boxOf(element: Element): DOMRect {
  if (dom.isNamed(element, "area")) return boxOfArea(element);
  const box = dom.getBoundingClientRect(element);
  if (mayBeDrawn(element, box)) {
    const surface = surfaceOf(element);
    if (surface) return dom.getBoundingClientRect(surface);
  }
  // In parts that `content-visibility: auto` skips, Chromium's first answer may be empty.
  return box.width || box.height ? box : dom.getBoundingClientRect(element);
}

/** Return the boxes of the element's lines. */
export function boxesOf(element: Element): DOMRect[] {
  return dom.localName(element) === "area"
    ? [boxOf(element)]
    : Array.from(dom.getClientRects(surfaceOf(element) ?? element));
}

function boxOfArea(area: HTMLAreaElement) {
  const image = imageOf(area);
  if (!image) return new DOMRect();
  const { left, top, width, height } = dom.getBoundingClientRect(image);
  const { paddingLeft, paddingTop } = getComputedStyle(image);
  const coords = area.coords.split(",").map(Number);
  const known = area.shape !== "default" && coords.length > 2 && coords.every(Number.isFinite);
  const inner = known ? extent(area.shape, coords) : new DOMRect(0, 0, width, height);
  inner.x += left + dom.clientLeft(image) + parseFloat(paddingLeft);
  inner.y += top + dom.clientTop(image) + parseFloat(paddingTop);
  return inner;
}

/** Return a box whose middle is inside the shape. */
function extent(shape: string, coords: number[]) {
  const [x, y, other, below = 0] = coords;
  if (shape.startsWith("circ")) return new DOMRect(x - other, y - other, 2 * other, 2 * other);
  if (!shape.startsWith("poly"))
    return new DOMRect(Math.min(x, other), Math.min(y, below), Math.abs(other - x), Math.abs(below - y));
  return spanOf(coords);
}

/** Return a box around the first segment that is inside a polygon at half its height. */
function spanOf(coords: number[]) {
  const points = Array.from({ length: coords.length >> 1 }, (_, index) => ({
    x: coords[2 * index],
    y: coords[2 * index + 1],
  }));
  const heights = points.map(({ y }) => y);
  const middle = (Math.min(...heights) + Math.max(...heights)) / 2;
  const crossings = points.flatMap((one, index) => {
    const next = points[(index + 1) % points.length];
    if (one.y > middle === next.y > middle) return [];
    return [one.x + ((middle - one.y) / (next.y - one.y)) * (next.x - one.x)];
  });
  const [from = 0, to = 0] = crossings.sort((one, other) => one - other);
  return new DOMRect(from, middle - 1, to - from, 2);
}
