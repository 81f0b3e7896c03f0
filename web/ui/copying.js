/** The person's clipboard. @import { ErrorDetails } from "./types.js" */

/**
 * Puts a text there.
 *
 * @param {string} text
 * @param {string} [instead] what the person can do where the browser doesn't let the page
 * @returns {Promise<ErrorDetails | null>} why it isn't there
 */
export async function copyText(text, instead) {
  try {
    await navigator.clipboard.writeText(text);
    return null;
  } catch (error) {
    const message = `It could not be copied: ${error instanceof Error ? error.message : error}`;
    return { type: "NotCopied", message, hint: `Allow this page to use the clipboard${instead ? `, or ${instead}` : ""}.` };
  }
}
