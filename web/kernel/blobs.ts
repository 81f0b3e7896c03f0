// Passes blobs between the page and the kernel, because one origin can't read a `blob:` URL of another.

// An id can arrive before its blob, because they travel through different ports.
const BLOB_TIMEOUT_MS = 10_000;

// The other side may offer anything.
const MOST_OFFERS = 1000;
const LONGEST_ID = 40;

const isId = (id: unknown) => typeof id === "string" && id.length <= LONGEST_ID;

export class Blobs {
  #side: "page" | "kernel";
  #last = 0;
  #port: MessagePort | null = null;
  /** Blobs that the other side offers, and blobs requested before they arrived. */
  #offers = new Map<string, PromiseWithResolvers<Blob>>();

  /** @param side - prefix that keeps the ids of both sides distinct */
  constructor(side: "page" | "kernel") {
    this.#side = side;
  }

  /** Connect to a new other side and forget the offers of the previous one. */
  attach(port: MessagePort) {
    this.#port?.close();
    this.#offers.clear();
    this.#port = port;
    port.onmessage = ({ data }) => {
      if (!isId(data?.withdrawn ?? data?.offered)) return;
      if (data.withdrawn !== undefined) this.#offers.delete(data.withdrawn);
      else if (this.#offers.has(data.offered) || this.#offers.size < MOST_OFFERS)
        this.#entry(data.offered).resolve(data.blob);
    };
  }

  /**
   * Offer a blob to the other side, until `withdraw`.
   * @returns its id
   */
  offer(blob: Blob): string {
    const offered = `${this.#side}-${++this.#last}`;
    this.#port?.postMessage({ offered, blob });
    return offered;
  }

  withdraw(id: string) {
    this.#port?.postMessage({ withdrawn: id });
  }

  /** @returns rejects if the other side doesn't offer it */
  async take(id: string): Promise<Blob> {
    const entry = this.#entry(id);
    const timer = setTimeout(() => {
      this.#offers.delete(id);
      entry.reject(new Error(`The blob ${id} is no longer available.`));
    }, BLOB_TIMEOUT_MS);
    return entry.promise.finally(() => clearTimeout(timer));
  }

  #entry(id: string) {
    const known = this.#offers.get(id);
    if (known) return known;
    const entry: PromiseWithResolvers<Blob> = Promise.withResolvers();
    // A blob that is never requested must not cause an unhandled rejection.
    entry.promise.catch(() => {});
    this.#offers.set(id, entry);
    return entry;
  }
}
