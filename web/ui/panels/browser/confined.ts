/**
 * Frames whose documents can't leave an origin. A frame's own policy doesn't restrict its navigation, but the
 * `frame-src` of the document around it does, for links, forms, scripts and redirects. So a document is added in
 * between.
 */

import { h } from "../../lib/elements.ts";
import { refuseDropsIn } from "../../lib/stray_drops.ts";

interface Options {
  origin: string;
  /** of the outer frame */
  attributes?: Record<string, string>;
  /** receives the messages that the frame sends to its parent */
  onMessage: (event: MessageEvent) => void;
}

/**
 * Put `frame` into a document whose frames must stay on `origin`.
 *
 * @param frame - starts loading here
 * @returns the outer frame
 */
export function confine(
  place: HTMLElement,
  frame: HTMLIFrameElement,
  { origin, attributes, onMessage }: Options,
): HTMLIFrameElement {
  const policy = `frame-src ${origin}`;
  const srcdoc = `<!doctype html><meta http-equiv="content-security-policy" content="${policy}">`;
  const element = h("iframe", { ...attributes, srcdoc });
  element.addEventListener(
    "load",
    () => {
      const { contentDocument: document, contentWindow: view } = element;
      // It was removed before it loaded.
      if (!document || !view) return;
      document.documentElement.lang = "en";
      document.title = frame.title;
      document.body.style.margin = "0";
      Object.assign(frame.style, { display: "block", width: "100%", height: "100vh", border: "0" });
      // Sites must not learn which surface shows them.
      frame.referrerPolicy = "no-referrer";
      view.addEventListener("message", onMessage);
      refuseDropsIn(view);
      document.body.append(frame);
    },
    { once: true },
  );
  place.append(element);
  return element;
}
