/**
 * The terminals that the user opened on their own computer. Their keys go from here to the companion: Python draws
 * these terminals but can't type into them.
 */

import type { CompanionLink } from "./link.ts";

/** opens a terminal for a press and returns its id */
type Create = (press: string) => Promise<string | null>;

export class OwnTerminals {
  /** The press that opened each terminal. */
  #presses = new Map<string, string>();
  /** Called when the set of the user's own terminals changes. */
  onChange = () => {};
  /** Sends keys in the order in which they were typed. */
  #typing = Promise.resolve();
  link: CompanionLink;

  constructor(link: CompanionLink) {
    this.link = link;
  }

  /**
   * Open a terminal for a press of the user's.
   *
   * @param known - the ids of the open terminals
   * @returns its id
   */
  async open(known: Set<string>, create: Create): Promise<string | null> {
    const press = await this.link.pressForTerminal();
    const id = await create(press);
    // Python names the terminal, and must not name one that already exists.
    if (id === null || known.has(id)) return null;
    this.#presses.set(id, press);
    this.onChange();
    return id;
  }

  /** @param id - of a terminal */
  has(id: string) {
    return this.#presses.has(id);
  }

  /** Forget a terminal that has closed: another one may get its name. */
  forget(id: string) {
    if (this.#presses.delete(id)) this.onChange();
  }

  /**
   * @param id - of a terminal
   * @param onEnd - called when the terminal no longer accepts keys
   */
  type(id: string, keys: string, onEnd: (why: unknown) => void) {
    const press = this.#presses.get(id) ?? "";
    this.#typing = this.#typing
      .then(() => this.link.typeKeys(press, keys))
      .catch((error) => {
        this.#presses.delete(id);
        this.onChange();
        onEnd(error);
      });
  }
}
