/** The addresses that Python opens in tabs. */

import { problem } from "../../../shared/document_link.ts";

/** @returns of a document that a tab can show */
export function addressOf(text: unknown): URL {
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw problem({
    type: "InvalidArguments",
    message: `${JSON.stringify(text)} can't be opened in a tab.`,
    hint: "Use an http: or https: URL.",
  });
}

/**
 * Return whether a directory can be the site of a file: it contains the file, and is not `/`.
 *
 * @param path - percent-encoded, with a query and a fragment
 */
export function isRootOf(root: string, path: string) {
  const isPlain = (text: string) => /^(?:\/[^/]+)+$/.test(text) && !/\/\.{1,2}(?:\/|$)|[\0-\x1f]/.test(text);
  try {
    const file = decodeURIComponent(path.split(/[?#]/, 1)[0]);
    return isPlain(root) && isPlain(file.replace(/\/$/, "")) && file.startsWith(`${root}/`);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return false;
  }
}
