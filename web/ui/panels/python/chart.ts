/**
 * A chart of plotly, Altair or Vega in a frame. The chart is untrusted, so the frame has no origin, reaches no network,
 * and runs only the script that draws (web/charts/), whatever the chart contains. A document around it keeps the frame
 * from going elsewhere: a frame's own policy doesn't. The bundle loads when the first chart is shown.
 */

import { h } from "../../lib/elements.ts";
import { fetchOfBuild } from "../../lib/integrity.ts";
import { IN_EXTENSION } from "../../../shared/in_extension.ts";
import { saveUsed } from "../../lib/offline.ts";
import { refuseDropsIn } from "../../lib/stray_drops.ts";

const SCRIPTS = { plotly: "chart_plotly.js", vega: "chart_vega.js" };
const around = (frames: string) =>
  `<!doctype html><html lang="en"><meta http-equiv="content-security-policy" content="frame-src ${frames}">` +
  `<title>Chart</title><style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block }</style>`;
const STYLE =
  "html, body, #chart { margin: 0; height: 100% } body { overflow: auto } svg.marks { max-width: 100%; max-height: 100vh }";
/** Of a chart that has the height of its frame. */
const USUAL_HEIGHT = 450;
const MOST_HEIGHT = 2000;

export type Library = keyof typeof SCRIPTS;

/** The content of a frame: a document, or a page of the extension. */
type Source = { srcdoc: string } | { src: string };

/** the documents of frames by library */
const documents = new Map<Library, Promise<Source>>();

/** @param specification - as JSON */
export function chart(library: Library, specification: string): HTMLElement {
  const place = h("div", { class: "chart" });
  const fail = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    place.replaceChildren(h("p", { class: "console-hint" }, `The chart can't be drawn: ${message}`));
  };
  sourceOf(library).then((source) => place.append(framed(place, source, specification, fail)), fail);
  return place;
}

/** Return the frame around the chart's. It loads again whenever it is moved in the document, as panels are. */
function framed(place: HTMLElement, source: Source, specification: string, fail: (error: unknown) => void) {
  const outer = h("iframe", { title: "Chart", srcdoc: around("src" in source ? source.src : "'none'") });
  outer.addEventListener("load", () => {
    const { contentDocument, contentWindow: view } = outer;
    if (!contentDocument || !view) return;
    const frame = contentDocument.createElement("iframe");
    Object.assign(frame, { title: "Chart", ...source });
    frame.setAttribute("sandbox", "allow-scripts");
    view.addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      if (data?.ready === true) frame.contentWindow?.postMessage({ specification }, "*");
      else if (typeof data?.failed === "string") fail(data.failed.slice(0, 500));
      else if (Number.isFinite(data?.height)) setHeight(place, data.height || USUAL_HEIGHT);
    });
    refuseDropsIn(view);
    contentDocument.body.append(frame);
  });
  return outer;
}

function setHeight(place: HTMLElement, height: number) {
  const shown = Math.min(MOST_HEIGHT, Math.max(60, Math.ceil(height)));
  place.dataset.height = String(shown);
  place.style.height = `${shown}px`;
  // A low panel keeps it low until it makes room.
  place.dispatchEvent(new Event("resize", { bubbles: true }));
}

function sourceOf(library: Library): Promise<Source> {
  // An extension runs no script of a document; the build makes a page for each library (builder/extension.py).
  if (IN_EXTENSION) return Promise.resolve({ src: new URL(`/chart_${library}.html`, location.href).href });
  const known = documents.get(library) ?? written(library);
  documents.set(library, known);
  // The next chart tries again.
  known.catch(() => documents.delete(library));
  return known;
}

/** Write the document of a frame. The build lists its script's hash in the page's own policy (builder/integrity.py). */
async function written(library: Library): Promise<Source> {
  const response = await fetchOfBuild(SCRIPTS[library]);
  if (!response.ok) throw new Error(`${SCRIPTS[library]} isn't there (${response.status}).`);
  const script = await response.text();
  void saveUsed(SCRIPTS[library]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script)));
  const hash = `sha256-${btoa(String.fromCharCode(...digest))}`;
  const policy = `default-src 'none'; script-src '${hash}'; style-src 'unsafe-inline'; img-src data:; font-src data:`;
  const head = `<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><title>Chart</title>`;
  return {
    srcdoc: `<!doctype html><html lang="en">${head}<style>${STYLE}</style><body><script>${script}</script>`,
  };
}
