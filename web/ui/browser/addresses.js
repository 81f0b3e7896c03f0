/** The addresses that Python opens in tabs. */

import { problem } from "./document_link.js";

/** @param {unknown} text @returns {URL} of a document that a tab can show */
export function addressOf(text) {
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw problem({ type: "InvalidArguments", message: `${JSON.stringify(text)} can't be opened in a tab.`, hint: "Use an http: or https: URL." });
}
