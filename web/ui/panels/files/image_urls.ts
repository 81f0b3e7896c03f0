/** Object URLs of files that are shown as images, or by a viewer of the browser. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Failure } from "../../state/types.ts";

export class ImageUrls {
  #urls: string[] = [];
  actions: Actions;

  constructor(actions: Actions) {
    this.actions = actions;
  }

  /** Return the URL of a file as an image, or of another type. */
  async load(path: string, type: string): Promise<string | Failure> {
    const answer = await this.actions.downloadFiles({ paths: [path] });
    if (isFailure(answer)) return answer;
    const url = URL.createObjectURL(answer.blob.slice(0, answer.blob.size, type));
    this.#urls.push(url);
    return url;
  }

  /** Return the URLs so far, for `revoke` once nothing shows them. */
  take() {
    return this.#urls.splice(0);
  }

  static revoke(urls: string[]) {
    for (const url of urls) URL.revokeObjectURL(url);
  }
}
