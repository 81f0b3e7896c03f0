// The large parts of the page script, loaded on first use from the folder of the script.

import * as dom from "./dom.ts";
import { checkMost, Hidden, InvalidArguments, messageOf, Unsupported } from "./errors.ts";
import type { Target } from "./targets.ts";

const LEAST_CHARS = 200;
const DEFAULT_CHARS = 10_000;
const FORMATS = ["png", "jpeg"];

/** the parts by their files' names */
interface Loaded {
  "gemini-page-text.js": typeof import("./text/main.ts");
  "gemini-page-screenshot.js": typeof import("./screenshot/main.ts");
}

/** A loader of the page script's parts. */
export class Parts {
  /** The URL of the folder with the parts. */
  folder: string | null;
  resolve: (target: Target) => Element;
  modules: Partial<Loaded>;

  /**
   * @param script - the URL of the page script
   * @param modules - the parts that are loaded, by their file names
   */
  constructor(script: string | null, resolve: (target: Target) => Element, modules: Partial<Loaded> = {}) {
    this.folder = script && new URL(".", script).href;
    this.resolve = resolve;
    this.modules = modules;
  }

  /**
   * Return the page's text as Markdown.
   * Throws InvalidArguments, Unsupported.
   */
  async text({ max_chars, instruction }: { max_chars?: number | null; instruction?: string | null }) {
    const most = max_chars ?? DEFAULT_CHARS;
    checkMost(most, LEAST_CHARS);
    const { textOf } = await this.#load("gemini-page-text.js");
    return textOf(document, most, instruction ?? "");
  }

  /**
   * Take a screenshot of the viewport, of the full page, or of an element.
   * Throws InvalidArguments, Unsupported; NotFound or StaleRef for the element.
   */
  async screenshot({
    format = "png",
    whole = false,
    widest,
    ref,
    selector,
    element,
  }: Target & { format?: "png" | "jpeg"; whole?: boolean; widest?: number | null }) {
    if (!FORMATS.includes(format)) {
      throw new InvalidArguments(`There is no format ${JSON.stringify(format)}.`, { hint: "Use png or jpeg." });
    }
    const target = element ?? ref ?? selector ?? null;
    const shown =
      target === null ? null : this.resolve({ element, ref: ref ?? undefined, selector: selector ?? undefined });
    if (shown && !dom.checkVisibility(shown)) throw new Hidden("The element isn't visible.");
    const { takeScreenshot } = await this.#load("gemini-page-screenshot.js");
    return takeScreenshot(shown, format, whole, widest ?? Infinity);
  }

  async #load<Name extends keyof Loaded>(name: Name): Promise<Loaded[Name]> {
    const hint = "Serve it beside gemini-page.js, or set its folder: geminiPage.install({ folder }).";
    const known = this.modules[name];
    if (known) return known;
    if (this.folder === null)
      throw new Unsupported(`${name} can't be found, because no script tag loaded the page script.`, { hint });
    try {
      return await import(new URL(name, this.folder).href);
    } catch (error) {
      throw new Unsupported(`${name} could not be loaded: ${messageOf(error)}`, {
        hint: `${hint} The page's policy (CSP) must allow it.`,
      });
    }
  }
}
