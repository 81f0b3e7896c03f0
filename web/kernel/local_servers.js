// Servers in the page, as the kernel's fetch reaches them: nothing leaves the page, so nobody is asked.

/**
 * @typedef {object} LocalAnswer
 * @property {number} status
 * @property {string} reason
 * @property {[string, string][]} headers
 * @property {Uint8Array<ArrayBuffer>} body
 *
 * @typedef {(url: string, method: string, headers: [string, string][], body: Uint8Array | undefined,
 *   settle: (answer: LocalAnswer | { problem: string, message: string }) => void) => (() => void) & { destroy(): void }} Answer
 *   starts a request, and returns a function of Python's that cancels it; it then isn't settled
 */

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]);

export class LocalServers {
  /** @type {Set<number>} */
  #ports = new Set();
  /** @type {Answer | null} */
  #answer = null;

  /** Set the function that sends requests to servers. @param {Answer} answer */
  answerBy(answer) {
    this.#answer = answer;
  }

  /** Record whether a server listens at a port. @param {number} port @param {boolean} listens */
  note(port, listens) {
    if (listens) this.#ports.add(port);
    else this.#ports.delete(port);
  }

  /** Return whether a URL is that of a server in the page. @param {string} address */
  has(address) {
    const url = URL.parse(address);
    return url?.protocol === "http:" && LOOPBACK.has(url.hostname) && this.#ports.has(Number(url.port || 80));
  }

  /**
   * Send a request to a server of `has`.
   *
   * @param {Request} request
   * @param {Headers} headers
   * @returns {Promise<LocalAnswer>}
   * @throws {TypeError} there is no answer; `problem` is a name as the network door's
   */
  async send({ url, method, body, signal }, headers) {
    signal.throwIfAborted();
    const content = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
    /** @type {PromiseWithResolvers<LocalAnswer | { problem: string, message: string }>} */
    const { promise, resolve, reject } = Promise.withResolvers();
    const cancel = /** @type {Answer} */ (this.#answer)(url.split("#")[0], method, [...headers], content, resolve);
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort);
    try {
      const answer = await promise;
      if ("problem" in answer) throw Object.assign(new TypeError(answer.message), { problem: answer.problem });
      return answer;
    } finally {
      signal.removeEventListener("abort", abort);
      cancel.destroy();
    }
  }
}

export const localServers = new LocalServers();
