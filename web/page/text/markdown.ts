// Converts a page's copy to Markdown.

import { strikethrough, tables } from "@joplin/turndown-plugin-gfm";
import { isProbablyReaderable, Readability } from "@mozilla/readability";
import TurndownService from "turndown";

type Converted = { markdown: string; title: string; kind: "article" | "page" };

/** @param copy - may be changed */
export function convert(copy: Document): Converted {
  const service = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    hr: "---",
  });
  service.use([tables, strikethrough]);
  if (isProbablyReaderable(copy)) {
    // A copy has the type of its original; the DOM's types don't say so.
    const article = new Readability(copy.cloneNode(true) as typeof copy, { serializer: (node) => node }).parse();
    const body = article?.content;
    if (article && body instanceof HTMLElement) {
      return { markdown: service.turndown(body), title: article.title || copy.title, kind: "article" };
    }
  }
  return { markdown: service.turndown(copy.body), title: copy.title, kind: "page" };
}
