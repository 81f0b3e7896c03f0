// Servers in the page, as the kernel's fetch reaches them: nothing leaves the page, so nobody is asked.

/**
 * @template T
 * @typedef {PromiseLike<T> & { cancel(): void, destroy(): void }} Future of Python's
 */

/**
 * @typedef {Function & { destroy(): void }} Proxy of a function of Python's
 *
 * @typedef {{ status: number, reason: string, headers: [string, string][] }} Head
 * @typedef {Head & { piece: Proxy & (() => Future<Uint8Array<ArrayBuffer> | string>), close: Proxy & (() => void) }} PythonAnswer
 *   `piece` returns the next bytes of the body, none at its end, or a sentence if it breaks off
 * @typedef {Head & { body: ReadableStream<Uint8Array<ArrayBuffer>> }} LocalAnswer
 * @typedef {Future<PythonAnswer | { problem: string, message: string }>} Answering
 * @typedef {(url: string, method: string, headers: [string, string][], body: Uint8Array | undefined) => Answering} Answer
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
   * Send a request to a server of `has`. Its answer's body must be read or cancelled.
   *
   * @param {Request} request
   * @param {Headers} headers
   * @returns {Promise<LocalAnswer>}
   * @throws {TypeError} there is no answer; `problem` is a name as the network door's
   */
  async send({ url, method, body, signal }, headers) {
    signal.throwIfAborted();
    const content = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
    const answering = /** @type {Answer} */ (this.#answer)(url.split("#")[0], method, [...headers], content);
    const abort = () => answering.cancel();
    signal.addEventListener("abort", abort);
    try {
      const answer = await answering;
      if ("problem" in answer) throw Object.assign(new TypeError(answer.message), { problem: answer.problem });
      return { ...answer, body: bodyOf(answer, signal) };
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
      answering.destroy();
    }
  }
}

/**
 * Return the body of an answer, which is read from the server as it is read here.
 *
 * @param {PythonAnswer} answer
 * @param {AbortSignal} signal
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
 */
function bodyOf({ piece, close }, signal) {
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    close();
    close.destroy();
    piece.destroy();
  };
  return new ReadableStream({
    start(controller) {
      signal.addEventListener("abort", () => {
        if (!ended) controller.error(signal.reason);
        end();
      });
    },
    async pull(controller) {
      const reading = piece();
      const found = await reading;
      reading.destroy();
      if (ended) return;
      if (typeof found !== "string" && found.length > 0) return controller.enqueue(found);
      end();
      if (typeof found === "string") controller.error(new TypeError(found));
      else controller.close();
    },
    cancel: end,
  }, { highWaterMark: 0 });
}

export const localServers = new LocalServers();
