/** The result of a call: an image, or JSON. */

import { html, nothing, type TemplateResult } from "lit";
import { hintOf } from "../../lib/hint.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { plainJson } from "../../lib/format.ts";

const SHOWN_CHARACTERS = 20_000;
const IMAGES = new Set(["png", "jpeg"]);
const BASE64 = /^[A-Za-z0-9+/=]+$/;

/** `took` in milliseconds */
export type Outcome = { value: unknown; took: number; whole: boolean };

export function resultView({ value, whole }: Outcome, showAll: () => void): TemplateResult {
  if (isFailure(value)) {
    const { type, message, hint, data } = value.error;
    return html`<div class="problem"><b>${type}</b> ${message}
      ${hintOf({ type, hint })}
      ${data == null ? nothing : html`<pre tabindex="0" aria-label="Error data">${plainJson(data)}</pre>`}</div>`;
  }
  const image = imageOf(value);
  const text = plainJson(image ? { ...Object(value), data: "(shown)" } : value);
  const cut = !whole && text.length > SHOWN_CHARACTERS;
  return html`${image ? html`<img src=${image} alt="Image returned by the call">` : nothing}
    <pre tabindex="0" aria-label="Result">${cut ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}</pre>
    ${cut ? html`<button type="button" @click=${showAll}>Show all ${text.length.toLocaleString()} characters</button>` : nothing}`;
}

function imageOf(value: unknown) {
  const { format, data }: { format?: unknown; data?: unknown } = value ?? {};
  const shown = typeof format === "string" && IMAGES.has(format) && typeof data === "string" && BASE64.test(data);
  return shown ? `data:image/${format};base64,${data}` : null;
}
