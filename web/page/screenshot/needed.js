// What of a long page is copied for a picture of its viewport.

/**
 * Says of each node whether it is needed: what is in view, what that is in, and what holds its place. The boxes of blocks
 * are copied with their size, so those out of view can be empty.
 * @param {Document} page
 * @returns {(node: Node) => boolean}
 */
export function needed(page) {
  /** @type {Set<Node>} */
  const seen = new Set();
  for (const element of page.querySelectorAll("*")) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (right < 0 || bottom < 0 || left > innerWidth || top > innerHeight) continue;
    for (let at = /** @type {Element | null} */ (element); at && !seen.has(at); at = at.parentElement) seen.add(at);
  }
  return (node) => {
    const { parentElement } = node;
    // Shadow roots and frames are copied in whole.
    if (!parentElement || node.getRootNode() !== page || seen.has(node) || seen.has(parentElement)) return true;
    return !hasSize(parentElement);
  };
}

/** Whether an element keeps its size without what is in it. @param {Element} element */
function hasSize(element) {
  const { display } = getComputedStyle(element);
  return element instanceof HTMLElement && display !== "inline" && display !== "contents";
}
