/** The Figure panel: the picture or chart of a result that the user opened last, as a document. */

import { byId, h } from "../../lib/elements.ts";

export interface Figure {
  content: HTMLElement;
  /** the picture as a file; charts have none */
  file: { name: string; url: string } | null;
}

const ID = "figure";

/** @param open - shows the panel and focuses it */
export function showFigure(open: () => void) {
  const body = byId(`${ID}-body`, HTMLElement);
  const empty = "Press a picture, or “Open the chart”, in the Python console or a notebook to see it here.";
  body.replaceChildren(h("p", { class: "empty" }, empty));
  return ({ content, file }: Figure) => {
    const download = file && h("a", { href: file.url, download: file.name }, "Download");
    body.replaceChildren(
      ...(download ? [h("div", { class: "figure-tools" }, download)] : []),
      h("div", { class: "figure-place" }, content),
    );
    open();
  };
}
