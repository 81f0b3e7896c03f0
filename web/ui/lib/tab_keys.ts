/**
 * Return the tab that a key selects: arrows wrap around, Home and End go to the ends
 * (https://www.w3.org/WAI/ARIA/apg/patterns/tabs/).
 *
 * @param index - of the selected tab
 * @returns undefined for other keys
 */
export function tabByKey<Tab>(key: string, tabs: Tab[], index: number): Tab | undefined {
  return {
    ArrowRight: tabs[(index + 1) % tabs.length],
    ArrowLeft: tabs.at(index - 1),
    Home: tabs[0],
    End: tabs.at(-1),
  }[key];
}

/** The selected tab that each strip has shown, or shows once it is visible. */
const revealed = new WeakMap<HTMLElement, Element>();
/** It reports after the layout, so that nothing here forces one. */
let visible: IntersectionObserver | null = null;

/** Scroll a strip of tabs to the selected one, once for each selection. */
export function revealSelected(strip: HTMLElement) {
  const tab = strip.querySelector("[aria-selected=true]");
  if (tab === null || revealed.get(strip) === tab) return;
  revealed.set(strip, tab);
  visible ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting && target instanceof HTMLElement) reveal(target);
  });
  visible.observe(strip);
}

function reveal(strip: HTMLElement) {
  visible?.unobserve(strip);
  const [room, box] = [strip, revealed.get(strip)].map((each) => each?.getBoundingClientRect());
  if (!room || !box) return;
  if (box.left < room.left) strip.scrollLeft -= room.left - box.left;
  else if (box.right > room.right) strip.scrollLeft += box.right - room.right;
}
