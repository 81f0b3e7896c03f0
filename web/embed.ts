// Embeds the surface in any web application with one script tag. Agents see and act on the application's page; the
// surface is a frame of the same origin in a corner. Load this script first, so that it records which elements have
// listeners.
//
//   <script src="/gemini/gemini-embed.js"></script>

import "./page/main.ts";
import * as dom from "./page/dom.ts";
import { PANEL } from "./page/panels.ts";

// web/ui/app/host.ts reads it.
const MARK = "data-gemini-surface";
const CORNER = `
  :host { position: fixed; z-index: 2147483000; inset: auto 12px 12px auto; }
  button { float: right; padding: 8px 14px; border: 1px solid #7d8794; border-radius: 999px; background: #fff;
    color: #1b2129; font: 600 14px/1.4 system-ui, sans-serif; box-shadow: 0 4px 16px rgb(20 30 45 / 25%); cursor: pointer; }
  button:focus-visible { outline: 3px solid #0b5fc0; outline-offset: 2px; }
  .frame { position: absolute; right: 0; bottom: 52px; width: min(1080px, 100vw - 24px); height: min(720px, 100vh - 76px);
    overflow: hidden; border: 1px solid #7d8794; border-radius: 12px; box-shadow: 0 12px 40px rgb(20 30 45 / 35%); }
  /* Hidden but laid out: agents need the layout of the tabs inside. */
  .collapsed { visibility: hidden; }
  iframe { width: 100%; height: 100%; border: 0; }
  @media (prefers-color-scheme: dark) { button { background: #14181e; color: #e4e9ef; } }
`;

// Through the prototype: markup of the page's users may hide the document's own properties.
const script = dom.currentScript(document);
if (!(script instanceof HTMLScriptElement)) throw new TypeError("gemini-embed.js must be loaded by a script tag.");
const surface = new URL("index.html", script.src);

/** Return whether a page around this one has the surface, or is the surface, whose tab this is. */
function isWithin() {
  try {
    for (let at: Window = window; at !== at.parent; at = at.parent) {
      if (dom.querySelector(at.parent.document, "gemini-surface, html[data-kernel]")) return true;
    }
  } catch {
    // A page of another origin: its content is no business of ours.
  }
  return false;
}

function embed() {
  if (dom.querySelector(document, "gemini-surface") || isWithin()) return;
  // Elements of their own have no entry in the names of elements.
  const corner = dom.createElement(document, "gemini-surface" as "div");
  // Hides the surface's own panels from agents.
  corner.setAttribute(PANEL, "");
  const style = dom.createElement(document, "style");
  style.textContent = CORNER;
  const place = dom.createElement(document, "div");
  place.className = "frame collapsed";
  place.id = "surface";
  const frame = dom.createElement(document, "iframe");
  frame.setAttribute(MARK, "");
  frame.title = "gemini control surface";
  frame.src = surface.href;
  place.append(frame);
  const button = dom.createElement(document, "button");
  button.type = "button";
  button.textContent = "gemini";
  button.setAttribute("aria-controls", "surface");
  const expand = (open: boolean) => {
    place.classList.toggle("collapsed", !open);
    button.setAttribute("aria-expanded", String(open));
    corner.toggleAttribute("data-open", open);
  };
  expand(false);
  button.addEventListener("click", () => expand(button.getAttribute("aria-expanded") !== "true"));
  // A question in a collapsed frame would never be answered.
  frame.addEventListener("gemini-attention", () => expand(true));
  corner.attachShadow({ mode: "open" }).append(style, place, button);
  dom.body(document).append(corner);
}

if (surface.origin !== location.origin) {
  console.error(
    `The surface must have this page's origin, ${location.origin}, but it comes from ${surface.origin}. Copy its files to ${location.origin}.`,
  );
} else if (dom.body(document)) {
  embed();
} else {
  dom.addEventListener(document, "DOMContentLoaded", embed);
}
