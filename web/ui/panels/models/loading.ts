import { html, nothing } from "lit";
import type { ModelsRow } from "../../../generated/types.ts";

/** Show progress while the code that asks models loads. */
export function loadingView(models: ModelsRow | undefined) {
  if (!models?.loading) return nothing;
  const { done, total } = models.loading;
  return html`<p class="models-loading" role="status"><label>Loading language model support
    <progress max=${total} .value=${done}></progress></label></p>`;
}
