/**
 * HTML and Markdown from Python objects. The bundle loads when the first such value is shown.
 */

import { fromColoredHtml, fromMarkdown } from "../../lib/untrusted_html.ts";
import { prepared } from "../../lib/untrusted_view.ts";

// Only images in data: URLs load, so that a value can't report that it was viewed.

export function ofHtml(html: string): DocumentFragment {
  return prepared(fromColoredHtml(html));
}

export function ofMarkdown(text: string): DocumentFragment {
  return prepared(fromMarkdown(text));
}
