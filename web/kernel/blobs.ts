// Passes blobs between the page and the kernel, because one origin can't read a `blob:` URL of another.

// An id can arrive before its blob, because they travel through different ports.
const BLOB_TIMEOUT_MS = 10_000;

// The other side may offer anything.
const MOST_OFFERS = 1000;
const LONGEST_ID = 40;

/** @param {unknown} id */
const isId = (id) => typeof id === "string" && id.length <= LONGEST_ID;

export class Blobs {
  #side;
  #last = 0;
  /** @type {MessagePort | null} */
  #port = null;
  /** Blobs that the other side offers, and blobs requested before they arrived. @type {Map<string, PromiseWithResolvers<Blob>>} */
  #offers = new Map();

  /** @param {"page" | "kernel"} side prefix that keeps the ids of both sides distinct */
  constructor(side) {
    this.#side = side;
  }

  /** Connect to a new other side and forget the offers of the previous one. @param {MessagePort} port */
  attach(port) {
    this.#port?.close();
    this.#offers.clear();
    this.#port = port;
    port.onmessage = ({ data }) => {
      if (!isId(data?.withdrawn ?? data?.offered)) return;
      if (data.withdrawn !== undefined) this.#offers.delete(data.withdrawn);
      else if (this.#offers.has(data.offered) || this.#offers.size < MOST_OFFERS) this.#entry(data.offered).resolve(data.blob);
    };
  }

  /** Offer a blob to the other side, until `withdraw`. @param {Blob} blob @returns {string} its id */
  offer(blob) {
    const offered = `${this.#side}-${++this.#last}`;
    this.#port?.postMessage({ offered, blob });
    return offered;
  }

  /** @param {string} id */
  withdraw(id) {
    this.#port?.postMessage({ withdrawn: id });
  }

  /** @param {string} id @returns {Promise<Blob>} rejects if the other side doesn't offer it */
  async take(id) {
    const entry = this.#entry(id);
    const timer = setTimeout(() => {
      this.#offers.delete(id);
      entry.reject(new Error(`The blob ${id} is no longer available.`));
    }, BLOB_TIMEOUT_MS);
    return entry.promise.finally(() => clearTimeout(timer));
  }

  /** @param {string} id */
  #entry(id) {
    const known = this.#offers.get(id);
    if (known) return known;
    /** @type {PromiseWithResolvers<Blob>} */
    const entry = Promise.withResolvers();
    // A blob that is never requested must not cause an unhandled rejection.
    entry.promise.catch(() => {});
    this.#offers.set(id, entry);
    return entry;
  }
}
