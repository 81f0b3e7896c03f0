/**
 * Corrects dockview's ARIA attributes: a stacking position isn't the level of a heading or a tree (ARIA 1.2,
 * aria-level), and a group of panels isn't a region, because its panels are.
 */

/** @param root - of the dock */
export function removeLevels(root: HTMLElement) {
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target instanceof Element && target.hasAttribute("aria-level")) target.removeAttribute("aria-level");
    }
  });
  observer.observe(root, { subtree: true, attributeFilter: ["aria-level"] });
}

/** @param group - the element of a group of panels */
export function setGroupRole(group: HTMLElement) {
  group.setAttribute("role", "group");
  group.querySelector("[role=tablist]")?.setAttribute("aria-label", "Panels in this group");
}
