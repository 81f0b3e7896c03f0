/**
 * The names on a group's tabs. Without room for all of them, terminals leave out their details. Without room for that,
 * tabs show icons, and the tab in front its name, or every tab is an icon. A tab's tooltip always has the name.
 */

/** From the roomiest. `data-names` of the group's header has one of these. */
const LEVELS = ["all", "brief", "front", "none"];
/** In CSS pixels: the strip is as wide as its tabs, each of which is rounded. */
const ROUNDING = 2;

/**
 * Fit the names whenever the room or the tabs change.
 *
 * @param header - of a group
 */
export function fitNames(header: HTMLElement): { dispose(): void } {
  const tabs = header.querySelector(".dv-tabs-container");
  if (!tabs) return { dispose() {} };
  const fit = () => {
    for (const level of LEVELS) {
      header.dataset.names = level;
      if (tabs.scrollWidth <= tabs.clientWidth + ROUNDING) return;
    }
  };
  const sizes = new ResizeObserver(fit);
  sizes.observe(header);
  sizes.observe(tabs);
  const names = new MutationObserver(fit);
  names.observe(tabs, { childList: true, characterData: true, subtree: true, attributeFilter: ["aria-selected"] });
  fit();
  return {
    dispose: () => {
      sizes.disconnect();
      names.disconnect();
    },
  };
}
