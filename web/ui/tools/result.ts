/**
 * The result of a call: an image, or JSON.
 *
 * @import { TemplateResult } from "lit"
 */

import { html, nothing } from "lit";
import { isFailure } from "../call.js";
import { plainJson } from "../format.js";

const SHOWN_CHARACTERS = 20_000;
const IMAGES = new Set(["png", "jpeg"]);
const BASE64 = /^[A-Za-z0-9+/=]+$/;

/** @typedef {{value: unknown, took: number, whole: boolean}} Outcome `took` in milliseconds */

/**
 * @param {Outcome} outcome
 * @param {() => void} showAll
 * @returns {TemplateResult}
 */
export function resultView({ value, whole }, showAll) {
  if (isFailure(value)) {
    const { type, message, hint, data } = value.error;
    return html`<div class="problem"><b>${type}</b> ${message}
      ${hint ? html`<span class="hint">${hint}</span>` : nothing}
      ${data == null ? nothing : html`<pre tabindex="0" aria-label="Error data">${plainJson(data)}</pre>`}</div>`;
  }
  const image = imageOf(value);
  const text = plainJson(image ? { .../** @type {object} */ (value), data: "(shown)" } : value);
  const cut = !whole && text.length > SHOWN_CHARACTERS;
  return html`${image ? html`<img src=${image} alt="Image returned by the call">` : nothing}
    <pre tabindex="0" aria-label="Result">${cut ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}</pre>
    ${cut ? html`<button type="button" @click=${showAll}>Show all ${text.length.toLocaleString()} characters</button>` : nothing}`;
}

/** @param {unknown} value */
function imageOf(value) {
  const { format, data } = /** @type {{format?: unknown, data?: unknown}} */ (value ?? {});
  const shown = typeof format === "string" && IMAGES.has(format) && typeof data === "string" && BASE64.test(data);
  return shown ? `data:image/${format};base64,${data}` : null;
}
