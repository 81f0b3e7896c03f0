// Converts a page's copy to Markdown.

import { strikethrough, tables } from "@joplin/turndown-plugin-gfm";
import { isProbablyReaderable, Readability } from "@mozilla/readability";
import TurndownService from "turndown";

/** @typedef {{ markdown: string, title: string, kind: "article" | "page" }} Converted */

/** @param {Document} copy may be changed @returns {Converted} */
export function convert(copy) {
  const service = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    hr: "---",
  });
  service.use([tables, strikethrough]);
  if (isProbablyReaderable(copy)) {
    const article = new Readability(/** @type {Document} */ (copy.cloneNode(true)), { serializer: (node) => node }).parse();
    const body = /** @type {HTMLElement | null | undefined} */ (article?.content);
    if (article && body) {
      return { markdown: service.turndown(body), title: article.title || copy.title, kind: "article" };
    }
  }
  return { markdown: service.turndown(copy.body), title: copy.title, kind: "page" };
}
