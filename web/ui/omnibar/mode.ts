/** A mode of the omnibar: a module that suggests items for a text. */

import type { Piece } from "../../generated/types.ts";

export interface Suggestion {
  /** the same whenever the item is suggested; items with one are remembered */
  id?: string;
  /** one word */
  kind: string;
  title: Piece[];
  detail?: Piece[];
  /** at the end of the line */
  hint?: string;
  /** the shortcut, as displayed */
  keys?: string;
  /** whether Alt+Enter chooses it */
  second?: boolean;
  /** the text that the right arrow puts into the bar */
  fill?: string;
  /** whether it is offered for any text */
  fallback?: boolean;
  /** the heading above the first item of a group */
  group?: string;
  /** may return a failure, or its promise */
  run: () => unknown;
}

export interface Suggestions {
  /** best first */
  items: Suggestion[];
  /** shown next to the items */
  note?: string;
  /** whether to ask again in a moment for more items */
  again?: boolean;
  /** replaces these when it arrives */
  more?: Promise<Suggestions>;
}

export interface Mode {
  id: string;
  label: string;
  placeholder: string;
  /** selects the mode when typed first, and is removed */
  prefix?: string;
  /** returns whether a text selects the mode */
  implied?: (text: string) => boolean;
  /** milliseconds between a key and the request */
  wait: number;
  suggest: (text: string, signal: AbortSignal) => Promise<Suggestions> | Suggestions;
}

export function plain(text: string): Piece[] {
  return text === "" ? [] : [{ text, match: false }];
}
