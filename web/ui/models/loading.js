import { html, nothing } from "lit";

/** @import { Models } from "../types.js" */

/** That what asks models is on its way, while it is. @param {Models | undefined} models */
export function loadingView(models) {
  if (!models?.loading) return nothing;
  const { done, total } = models.loading;
  return html`<p class="models-loading" role="status"><label>Loading what asks language models
    <progress max=${total} .value=${done}></progress></label></p>`;
}
