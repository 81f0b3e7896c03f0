// Blobs that page and kernel show each other: a `blob:` address of one origin can't be read from another.

// How long an id may be on its way: it can come before its blob, by another port.
const PATIENCE_MS = 10_000;

export class Blobs {
  #side;
  #last = 0;
  /** @type {MessagePort | null} */
  #port = null;
  /** What the other side shows, or is asked for before it came. @type {Map<string, PromiseWithResolvers<Blob>>} */
  #shown = new Map();

  /** @param {"page" | "kernel"} side keeps the ids of both apart */
  constructor(side) {
    this.#side = side;
  }

  /** Talks to another side from now on, which shows nothing yet. @param {MessagePort} port */
  attach(port) {
    this.#port?.close();
    this.#shown.clear();
    this.#port = port;
    port.onmessage = ({ data }) => {
      if (data.withdrawn !== undefined) this.#shown.delete(data.withdrawn);
      else this.#entry(data.offered).resolve(data.blob);
    };
  }

  /** Shows a blob to the other side, until `withdraw`. @param {Blob} blob @returns {string} its id */
  offer(blob) {
    const offered = `${this.#side}-${++this.#last}`;
    this.#port?.postMessage({ offered, blob });
    return offered;
  }

  /** @param {string} id */
  withdraw(id) {
    this.#port?.postMessage({ withdrawn: id });
  }

  /** @param {string} id @returns {Promise<Blob>} rejects where the other side doesn't show it */
  async take(id) {
    const entry = this.#entry(id);
    const timer = setTimeout(() => {
      this.#shown.delete(id);
      entry.reject(new Error(`${id} isn't offered any more.`));
    }, PATIENCE_MS);
    return entry.promise.finally(() => clearTimeout(timer));
  }

  /** @param {string} id */
  #entry(id) {
    const known = this.#shown.get(id);
    if (known) return known;
    /** @type {PromiseWithResolvers<Blob>} */
    const entry = Promise.withResolvers();
    // One that nobody takes is no failure.
    entry.promise.catch(() => {});
    this.#shown.set(id, entry);
    return entry;
  }
}
