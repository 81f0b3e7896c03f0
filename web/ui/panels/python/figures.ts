/** Opens results as documents: a picture in the preview, HTML with its scripts as a page in a tab. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { bytesOf } from "../../lib/base64.ts";
import type { Failure } from "../../state/types.ts";

interface Opener {
  actions: Actions;
  /** shows a file */
  preview: (path: string) => Promise<void>;
  onFailure: (failure: Failure) => void;
}

/** The directory of opened figures; it ends with the page. */
const DIRECTORY = "/tmp";
const SUFFIXES: Record<string, string> = { "image/svg+xml": "svg", "image/jpeg": "jpg" };

let opener: Opener | null = null;

export function connectFigures(created: Opener) {
  opener = created;
}

/** @param data - in base64 */
export async function openFigure(type: string, data: string) {
  const name = `figure.${SUFFIXES[type] ?? type.slice(type.indexOf("/") + 1)}`;
  const path = await store(name, new Blob([bytesOf(data)], { type }));
  if (path !== null) await opener?.preview(path);
}

export async function openHtml(text: string) {
  const path = await store("result.html", new Blob([text], { type: "text/html" }));
  if (path === null || opener === null) return;
  const answer = await opener.actions.openPage({ url: path });
  if (isFailure(answer)) opener.onFailure(answer);
}

/** @returns null if it can't be stored */
async function store(name: string, file: Blob) {
  if (opener === null) throw new TypeError("call connectFigures first");
  const given = { directory: DIRECTORY, files: [{ path: name, file }], folders: [], if_there: "keep_both" as const };
  const answer = await opener.actions.uploadFiles(given);
  if (isFailure(answer)) opener.onFailure(answer);
  return isFailure(answer) ? null : answer.paths[0];
}
