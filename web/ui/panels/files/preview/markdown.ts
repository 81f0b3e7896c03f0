/**
 * Rendered Markdown. It is untrusted text: nothing in it acts, and nothing loads from outside. Images and links to
 * other files work.
 */

import { html } from "lit";
import { fromMarkdown } from "../../../lib/untrusted_html.ts";
import { prepared, UntrustedView } from "../../../lib/untrusted_view.ts";
import { isFailure } from "../../../state/kernel_calls.ts";
import type { Failure } from "../../../state/types.ts";

export interface Context {
  /** of the text */
  path: string;
  loadImage: (path: string, type: string) => Promise<string | Failure>;
  open: (path: string) => void;
  /** returns the media type of an image */
  typeOf: (path: string) => string | undefined;
}

export function markdown(text: string, context: Context) {
  const markup = fromMarkdown(text);
  // Before the fragment is in the document, where images would load.
  for (const image of markup.fragment.querySelectorAll("img")) replaceImage(image, context);
  for (const table of markup.fragment.querySelectorAll("table")) makeScrollable(table);
  const view = new UntrustedView({ style: "preview-markdown" });
  view.append(prepared(markup, (address) => targetOf(address, context)));
  return html`<article>${view.element}</article>`;
}

function replaceImage(image: HTMLImageElement, { path, loadImage, typeOf }: Context) {
  const source = image.getAttribute("src") ?? "";
  if (/^data:image\//i.test(source)) return;
  const target = filePath(source, path);
  const type = target === null ? undefined : typeOf(target);
  image.removeAttribute("src");
  if (target === null || type === undefined) {
    image.replaceWith(`[external image, not loaded: ${image.alt || "no description"}]`);
    return;
  }
  void loadImage(target, type).then((url) => {
    if (isFailure(url)) image.replaceWith(`[missing image: ${target}]`);
    else image.src = url;
  });
}

function targetOf(address: string, { path, open }: Context) {
  const target = filePath(address, path);
  return target === null ? null : { title: target, act: () => open(target) };
}

/**
 * Return the file that an address in a text refers to, or null if it leads elsewhere.
 *
 * @param path - of the text
 */
function filePath(address: string, path: string) {
  if (address === "" || address.startsWith("#") || address.startsWith("//") || /^[a-z][a-z\d+.-]*:/i.test(address))
    return null;
  const { pathname } = new URL(address, `file://${encodeURI(path)}`);
  try {
    return decodeURIComponent(pathname);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function makeScrollable(table: HTMLTableElement) {
  const place = document.createElement("div");
  place.className = "preview-table";
  place.tabIndex = 0;
  place.setAttribute("role", "region");
  place.setAttribute("aria-label", "Table");
  table.replaceWith(place);
  place.append(table);
}
