/** Opens results as documents: a picture or a chart in the Figure panel, HTML with its scripts as a page in a tab. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { h } from "../../lib/elements.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { Figure } from "../figure/panel.ts";
import type { Library } from "./chart.ts";
import type { Failure } from "../../state/types.ts";

interface Opener {
  actions: Actions;
  /** shows a picture or a chart as a document */
  show: (figure: Figure) => void;
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
export function openFigure(type: string, data: string) {
  const url = `data:${type};base64,${data}`;
  const name = `figure.${SUFFIXES[type] ?? type.slice(type.indexOf("/") + 1)}`;
  opener?.show({ content: h("img", { src: url, alt: "Image of the value" }), file: { name, url } });
}

/** @param specification - as JSON */
export async function openChart(library: Library, specification: string) {
  const part = await loadPart<typeof import("./chart.ts")>("ui-chart.js");
  opener?.show({ content: part.chart(library, specification), file: null });
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
