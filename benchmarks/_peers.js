// Other libraries that read a page from inside. `peers[name]()` returns the size of the result.

import { PageController } from "@page-agent/page-controller";
import * as aria from "aria-api";
import axe from "axe-core";
import { computeAccessibleName, getRole, isInaccessible } from "dom-accessibility-api";

/** Collects the result of `read` and the position of each element, and returns the length of the JSON. */
function each(read) {
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    const entry = read(element);
    if (!entry) continue;
    const { x, y, width, height } = element.getBoundingClientRect();
    found.push([...entry, x, y, width, height]);
  }
  return JSON.stringify(found).length;
}

globalThis.peers = {
  "playwright ariaSnapshot": () => globalThis.playwright.ariaSnapshot(document.body, { mode: "ai" }).length,
  "playwright, its role and name functions": () => {
    const { getAriaRole, getElementAccessibleNameText } = globalThis.playwright.utils;
    return each((element) => {
      const role = getAriaRole(element);
      return role && element.checkVisibility() && [role, getElementAccessibleNameText(element, false)];
    });
  },
  "aria-api": () => each((element) => aria.getRole(element) && !aria.getAttribute(element, "hidden") && [aria.getRole(element), aria.getName(element)]),
  "dom-accessibility-api": () =>
    each((element) => getRole(element) && !isInaccessible(element) && [getRole(element), computeAccessibleName(element)]),
  "axe-core": () => {
    axe.setup(document.body);
    try {
      const { aria: roles, dom, text } = axe.commons;
      return each((element) => {
        const role = roles.getRole(element);
        return role && dom.isVisibleToScreenReaders(element) && [role, text.accessibleText(element)];
      });
    } finally {
      axe.teardown();
    }
  },
  "page-agent": async () => (await new PageController({ enableMask: false }).updateTree()).length,
};
