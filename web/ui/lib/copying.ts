/** The user's clipboard. */

import type { ErrorRow } from "../../generated/types.ts";

/**
 * Copy a text to the clipboard.
 *
 * @param alternative - advice for the user if the browser denies access
 * @returns the error, or null when copied
 */
export async function copyText(text: string, alternative?: string): Promise<ErrorRow | null> {
  try {
    await navigator.clipboard.writeText(text);
    return null;
  } catch (error) {
    const message = `Copying failed: ${error instanceof Error ? error.message : error}`;
    return {
      type: "NotCopied",
      message,
      hint: `Allow this page to use the clipboard${alternative ? `, or ${alternative}` : ""}.`,
    };
  }
}
