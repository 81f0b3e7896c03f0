import { html, nothing } from "lit";

/** @import { ModelsRow } from "../../generated/types.js" */

/** Show progress while the code that asks models loads. @param {ModelsRow | undefined} models */
export function loadingView(models) {
  if (!models?.loading) return nothing;
  const { done, total } = models.loading;
  return html`<p class="models-loading" role="status"><label>Loading language model support
    <progress max=${total} .value=${done}></progress></label></p>`;
}
