/**
 * Frames whose documents can't leave an origin. A frame's own policy doesn't cover where it goes; the `frame-src` of the
 * document around it does, for links, forms, scripts and redirections alike. So there is such a document between.
 */

import { h } from "../elements.js";

/**
 * Put `frame` into a document whose frames stay on `origin`.
 * @param {HTMLElement} place
 * @param {HTMLIFrameElement} frame its load begins here
 * @param {object} options
 * @param {string} options.origin
 * @param {Record<string, string>} [options.attributes] those of the outer frame
 * @param {(event: MessageEvent) => void} options.hear gets the messages that the frame sends to its parent
 * @returns {HTMLIFrameElement} the outer frame
 */
export function confine(place, frame, { origin, attributes, hear }) {
  const policy = `frame-src ${origin}`;
  const srcdoc = `<!doctype html><meta http-equiv="content-security-policy" content="${policy}">`;
  const element = h("iframe", { ...attributes, srcdoc });
  element.addEventListener("load", () => {
    const { contentDocument: document, contentWindow: view } = element;
    // It was closed before it had loaded.
    if (!document || !view) return;
    document.documentElement.lang = "en";
    document.title = frame.title;
    document.body.style.margin = "0";
    Object.assign(frame.style, { display: "block", width: "100%", height: "100vh", border: "0" });
    // Whose surface shows it is nobody's business.
    frame.referrerPolicy = "no-referrer";
    view.addEventListener("message", hear);
    document.body.append(frame);
  }, { once: true });
  place.append(element);
  return element;
}
