/** A document in the Help panel, with examples that run by a press. The bundle loads when the panel is first shown. */

import type { Tokens } from "marked";
import { h } from "../../lib/elements.ts";
import { fetchOfBuild } from "../../lib/integrity.ts";
import { blocksOf, fromMarkdown } from "../../lib/untrusted_html.ts";
import { prepared, UntrustedView } from "../../lib/untrusted_view.ts";

/** runs examples */
export interface Running {
  console: (code: string) => void;
  terminal: (command: string) => void;
}

interface Index {
  titles: Record<string, string>;
}

const LINK = /^(?:\.\/)?([\w-]+)\.md(?:#(.+))?$/;
/** The languages of examples that run, with where. */
const RUNS: Record<string, keyof Running> = { python: "console", sh: "terminal" };
const LABELS = { console: "Run in the console", terminal: "Run in the terminal" };

export class HelpPanel {
  #choice = h("select", { "aria-label": "Document", "data-focus-first": true });
  #article = h("article", { class: "help-article", tabindex: -1 });
  #texts: Promise<Record<string, string>>;
  #shown = "";
  running: Running;

  constructor(place: HTMLElement, index: Promise<Index>, running: Running) {
    this.running = running;
    this.#texts = fetchOfBuild("documents.json").then((response) => response.json());
    this.#choice.addEventListener("change", () => void this.open(this.#choice.value, null));
    place.replaceChildren(h("div", { class: "bar help-bar" }, this.#choice), this.#article);
    void index.then(({ titles }) => {
      const options = Object.entries(titles).map(([name, title]) => new Option(title, name));
      this.#choice.replaceChildren(...options);
      this.#choice.value = this.#shown || "help";
    });
    if (this.#shown === "") void this.open("help", null);
  }

  /** @param section - its heading, or the name of its anchor; null: the beginning */
  async open(name: string, section: string | null) {
    this.#shown = name;
    const text = (await this.#texts)[name];
    if (this.#shown !== name) return;
    this.#choice.value = name;
    const view = new UntrustedView({ style: "preview-markdown" });
    const markup = fromMarkdown(text ?? "This document isn't in the page.");
    this.#addRuns(markup.fragment, text ?? "");
    for (const image of markup.fragment.querySelectorAll("img")) image.remove();
    const anchors = markup.anchors;
    view.append(prepared(markup, (address) => this.#targetOf(address)));
    this.#article.replaceChildren(view.element);
    const heading = [...anchors].find(([anchor, element]) => anchor === section || element.textContent === section);
    if (heading) heading[1].scrollIntoView({ block: "start" });
    else this.#article.parentElement?.scrollTo(0, 0);
  }

  #targetOf(address: string) {
    const found = LINK.exec(address);
    return found && { title: found[1], act: () => void this.open(found[1], found[2] ?? null) };
  }

  /** Add a button below each example that runs here. */
  #addRuns(fragment: DocumentFragment, text: string) {
    const codes = blocksOf(text).filter((block): block is Tokens.Code => block.type === "code");
    const places = [...fragment.children].filter((element) => element.localName === "pre");
    codes.forEach((code, index) => {
      const where = RUNS[(code.lang ?? "").split(" ")[0]];
      if (where === undefined) return;
      const run = ({ isTrusted }: Event) => isTrusted && this.running[where](code.text);
      places[index]?.after(h("p", {}, h("button", { type: "button", onclick: run }, LABELS[where])));
    });
  }
}
