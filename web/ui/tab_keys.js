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
