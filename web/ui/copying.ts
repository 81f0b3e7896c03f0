/** The person's clipboard. @import { ErrorRow } from "../generated/types.js" */

/**
 * Copy a text to the clipboard.
 *
 * @param {string} text
 * @param {string} [alternative] what the person can do if the browser denies access
 * @returns {Promise<ErrorRow | null>} the error, or null when copied
 */
export async function copyText(text, alternative) {
  try {
    await navigator.clipboard.writeText(text);
    return null;
  } catch (error) {
    const message = `Copying failed: ${error instanceof Error ? error.message : error}`;
    return { type: "NotCopied", message, hint: `Allow this page to use the clipboard${alternative ? `, or ${alternative}` : ""}.` };
  }
}
