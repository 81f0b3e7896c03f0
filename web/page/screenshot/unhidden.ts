// The library that draws pages reads nodes by this (builder/bundles.py), because names of fields and images hide properties
// of their form and document (dom.ts).

import * as dom from "../dom.ts";

/** Return a node, or a view of a form or document that has the properties of its prototypes only. */
export function unhidden<T extends Node | null | undefined>(node: T): T | object {
  const type = node && dom.nodeType(node);
  const isHiding = type === Node.DOCUMENT_NODE || (node && dom.isElementNode(node) && dom.localName(node) === "form");
  if (!isHiding) return node;
  return new Proxy(
    {},
    {
      get: (_, key) => {
        const value = Reflect.get(Object.getPrototypeOf(node), key, node);
        return typeof value === "function" ? value.bind(node) : value;
      },
      set: (_, key, value) => Reflect.set(Object.getPrototypeOf(node), key, value, node),
    },
  );
}
