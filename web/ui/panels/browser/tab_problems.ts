/** Why tabs show nothing: the error of the last page that each was to open. */

import { PageProblem } from "../../../page/errors.ts";

const OPENING = ["open", "openFile", "openServer"];
// The user knows what they have refused.
const KNOWN = "Refused";

export class TabProblems {
  #byTab = new Map<string, PageProblem>();

  /** @returns null if the tab's page was opened */
  of(tab: string): PageProblem | null {
    return this.#byTab.get(tab) ?? null;
  }

  /** Return the page's methods for Python, with those that open pages followed. */
  // biome-ignore lint/suspicious/noExplicitAny: each method has its own parameters
  watch<Methods extends Record<string, (asked: any) => unknown>>(methods: Methods): Methods {
    const followed = OPENING.map((name) => [
      name,
      (asked: { tab: string }) => this.#follow(asked.tab, Promise.resolve(methods[name](asked))),
    ]);
    return { ...methods, ...Object.fromEntries(followed) };
  }

  /** Remember why a tab's page can't be opened, until the tab opens another one. Returns or throws what `opening` does. */
  async #follow<Opened>(tab: string, opening: Promise<Opened>): Promise<Opened> {
    this.#byTab.delete(tab);
    try {
      return await opening;
    } catch (error) {
      if (error instanceof PageProblem && error.type !== KNOWN) this.#byTab.set(tab, error);
      throw error;
    }
  }
}
