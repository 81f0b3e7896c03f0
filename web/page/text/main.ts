// Reads a page's text as Markdown. A part of the page script, loaded on first use.

import { cut } from "./budget.ts";
import { copyOf } from "./copy.ts";
import { convert } from "./markdown.ts";

interface PageText {
  /** Markdown */
  text: string;
  /** whether the text was cut */
  truncated: boolean;
  title: string;
  /** "article": only the article in the page; "page": the full page */
  kind: "article" | "page";
  /** of the full text */
  total_chars: number;
}

/** @param most - characters */
export function textOf(page: Document, most: number, instruction: string): PageText {
  const { markdown, title, kind } = convert(copyOf(page));
  return { ...cut(markdown, most, instruction), title, kind, total_chars: markdown.length };
}
