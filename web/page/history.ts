// Goes back and forward in the history, and reloads.

import { InvalidArguments } from "./errors.ts";

interface Traversal {
  /** false if the history has no such entry */
  moved: boolean;
  /** whether the entry belongs to this document */
  same_document: boolean;
  /** the URL of another document */
  navigates_to?: string;
}

/** Go back (negative `delta`) or forward by some entries in this document's history. */
export async function go({ delta }: { delta: number }): Promise<Traversal> {
  if (!Number.isInteger(delta) || delta === 0) throw new InvalidArguments("`delta` must be an integer other than 0.");
  const entry = navigation.entries()[(navigation.currentEntry?.index ?? 0) + delta];
  if (!entry) return { moved: false, same_document: false };
  if (entry.sameDocument) {
    await navigation.traverseTo(entry.key).finished;
    return { moved: true, same_document: true };
  }
  afterAnswer(() => navigation.traverseTo(entry.key));
  return { moved: true, same_document: false, navigates_to: entry.url ?? "" };
}

/** Reload the document. */
export function reload(): { navigates_to: string } {
  afterAnswer(() => location.reload());
  return { navigates_to: location.href };
}

/** Leave after the answer is sent, because an unloaded document can't send it. */
function afterAnswer(leave: () => void) {
  setTimeout(leave);
}
