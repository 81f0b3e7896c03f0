/** Positions of panels: in the dock's words and in dockview's. Lengths are CSS pixels. */

export type Rect = { x: number; y: number; width: number; height: number };
export type Side = "left" | "right" | "above" | "below" | "within";

/** null: the whole dock */
export type Place = { floating: Rect } | { beside: string; side: Side } | { side: "left" | "right" } | null;

export const SIDES: Record<Side, "left" | "right" | "top" | "bottom" | "center"> = {
  left: "left",
  right: "right",
  above: "top",
  below: "bottom",
  within: "center",
};
export const ARROWS = { left: "left", right: "right", above: "up", below: "down" } as const;
const STEP = 24;

/** Return whether the place is in a group with a front panel. */
export function sharesGroup(place: Place) {
  return place !== null && "side" in place && place.side === "within";
}

export function placed(place: Place, index?: number) {
  if (place === null) return {};
  if ("floating" in place) return { floating: place.floating };
  if ("beside" in place) return { position: { referencePanel: place.beside, direction: place.side, index } };
  return { position: { direction: place.side } };
}

export function stepped({ x, y }: Rect, direction: "left" | "right" | "above" | "below") {
  const towards = direction === "left" || direction === "above" ? -STEP : STEP;
  return direction === "left" || direction === "right" ? { x: x + towards } : { y: y + towards };
}

export function scrollsIn(element: HTMLElement): [Element, number][] {
  return [element, ...element.querySelectorAll("*")]
    .filter(({ scrollTop }) => scrollTop > 0)
    .map((part) => [part, part.scrollTop]);
}
