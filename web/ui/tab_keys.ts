/**
 * Return the tab that a key selects: arrows wrap around, Home and End go to the ends
 * (https://www.w3.org/WAI/ARIA/apg/patterns/tabs/).
 *
 * @template Tab
 * @param {string} key
 * @param {Tab[]} tabs
 * @param {number} index of the selected tab
 * @returns {Tab | undefined} undefined for other keys
 */
export function tabByKey(key, tabs, index) {
  return {
    ArrowRight: tabs[(index + 1) % tabs.length],
    ArrowLeft: tabs.at(index - 1),
    Home: tabs[0],
    End: tabs.at(-1),
  }[key];
}

/** The selected tab that each strip has shown, or shows once it is visible. @type {WeakMap<HTMLElement, Element>} */
const revealed = new WeakMap();
/** It reports after the layout, so that nothing here forces one. @type {IntersectionObserver | null} */
let visible = null;

/** Scroll a strip of tabs to the selected one, once for each selection. @param {HTMLElement} strip */
export function revealSelected(strip) {
  const tab = strip.querySelector("[aria-selected=true]");
  if (tab === null || revealed.get(strip) === tab) return;
  revealed.set(strip, tab);
  visible ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) reveal(/** @type {HTMLElement} */ (target));
  });
  visible.observe(strip);
}

/** @param {HTMLElement} strip */
function reveal(strip) {
  visible?.unobserve(strip);
  const [room, box] = [strip, revealed.get(strip)].map((each) => each?.getBoundingClientRect());
  if (!room || !box) return;
  if (box.left < room.left) strip.scrollLeft -= room.left - box.left;
  else if (box.right > room.right) strip.scrollLeft += box.right - room.right;
}
