/** Notebooks in the Editor panel: they have a view of their own, unless the user wants to see the text. */

import type { ConsoleEntry } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { byId } from "../../lib/elements.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { Buffer } from "./main.ts";
import type { OpenText } from "./open_text.ts";

/** The view that the part for notebooks exports (notebook/main.ts). */
interface NotebookView {
  show: (path: string, buffer: Buffer) => boolean;
  follow: (entries: ConsoleEntry[]) => void;
  focus: () => void;
  run: () => void;
  runAll: () => void;
}

interface NotebookPart {
  NotebookView: new (
    place: HTMLElement,
    options: { actions: Actions; onChange: () => void; open: (path: string) => void; showText: () => void },
  ) => NotebookView;
}

interface Callbacks {
  /** the text has changed */
  onChange: () => void;
  /** opens another file */
  open: (path: string) => void;
  /** the file is shown as text from now on */
  onText: () => void;
}

export class Notebooks {
  #place = byId("editor-notebook", HTMLElement);
  #view: NotebookView | null = null;
  #current: OpenText | null = null;
  #entries: ConsoleEntry[] = [];
  /** The files that are shown as text, by id. */
  #asText = new Set<number>();
  #callbacks: Callbacks;
  actions: Actions;

  constructor(actions: Actions, callbacks: Callbacks) {
    this.actions = actions;
    this.#callbacks = callbacks;
  }

  /** Return whether a file is shown as a notebook. */
  has(text: OpenText | null): boolean {
    return text !== null && text.path.endsWith(".ipynb") && !this.#asText.has(text.id) && !text.comparing;
  }

  /** @param text - the file in front; null if it is no notebook */
  async show(text: OpenText | null): Promise<NotebookView | null> {
    this.#place.hidden = !text?.buffer;
    const buffer = text?.buffer;
    if (!text || !buffer) return null;
    this.#place.setAttribute("aria-labelledby", `editor-tab-${text.id}`);
    const view = await this.#load(text);
    view.follow(this.#entries);
    if (view.show(text.path, buffer)) return view;
    // It isn't a notebook of version 4.
    this.#showText(text);
    return null;
  }

  /** @param entries - of the console */
  follow(entries: ConsoleEntry[]) {
    this.#entries = entries;
    this.#view?.follow(entries);
  }

  run(all: boolean) {
    if (all) this.#view?.runAll();
    else this.#view?.run();
  }

  async #load(text: OpenText): Promise<NotebookView> {
    const part = await loadPart<NotebookPart>("ui-notebook.js");
    this.#current = text;
    this.#view ??= new part.NotebookView(this.#place, {
      actions: this.actions,
      onChange: () => this.#callbacks.onChange(),
      open: (path) => this.#callbacks.open(path),
      showText: () => this.#current && this.#showText(this.#current),
    });
    return this.#view;
  }

  #showText(text: OpenText) {
    this.#asText.add(text.id);
    this.#callbacks.onText();
  }
}
