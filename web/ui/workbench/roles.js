/**
 * What dockview tells assistive software of its boxes, put right: a place in the stack is no level of a heading or a
 * tree (ARIA 1.2, aria-level), and a group of panels is no region beside the regions that its panels are.
 */

/** @param {HTMLElement} root of the dock */
export function withoutLevels(root) {
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target instanceof Element && target.hasAttribute("aria-level")) target.removeAttribute("aria-level");
    }
  });
  observer.observe(root, { subtree: true, attributeFilter: ["aria-level"] });
}

/** @param {HTMLElement} group the element of a group of panels */
export function asGroup(group) {
  group.setAttribute("role", "group");
  group.querySelector("[role=tablist]")?.setAttribute("aria-label", "Panels in this place");
}
