// Servers in the page, as the kernel's fetch reaches them: nothing leaves the page, so nobody is asked.

/** of a function of Python's, which isn't called any more once it is destroyed */
type Proxy = { destroy(): void };

type Head = { status: number; reason: string; headers: [string, string][] };

/** `read` settles with the next bytes of the body, with none at its end, or with a sentence if it breaks off */
interface Arriving extends Head {
  read: Proxy & ((settle: (piece: Uint8Array<ArrayBuffer> | string) => void) => void);
  close: Proxy & (() => void);
}

interface LocalAnswer extends Head {
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

type Found = Arriving | { problem: string; message: string };

/** starts a request, and returns what cancels it; it then isn't settled */
type Answer = (
  url: string,
  method: string,
  headers: [string, string][],
  body: Uint8Array | undefined,
  settle: (found: Found) => void,
) => Proxy & (() => void);

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]);

class LocalServers {
  #ports = new Set<number>();
  #answer: Answer | null = null;

  /** Set the function that sends requests to servers. */
  answerBy(answer: Answer) {
    this.#answer = answer;
  }

  /** Record whether a server listens at a port. */
  note(port: number, listens: boolean) {
    if (listens) this.#ports.add(port);
    else this.#ports.delete(port);
  }

  /** Return whether a URL belongs to a server in the page. */
  has(address: string) {
    const url = URL.parse(address);
    return url?.protocol === "http:" && LOOPBACK.has(url.hostname) && this.#ports.has(Number(url.port || 80));
  }

  /**
   * Send a request to a server of `has`. Its answer's body must be read or cancelled.
   *
   * @throws {TypeError} there is no answer; `problem` is a name as the network door's
   */
  async send({ url, method, body, signal }: Request, headers: Headers): Promise<LocalAnswer> {
    signal.throwIfAborted();
    const content = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
    const { promise, resolve, reject }: PromiseWithResolvers<Found> = Promise.withResolvers();
    // Python sets it before its servers listen.
    const cancel = (this.#answer as Answer)(url.split("#")[0], method, [...headers], content, resolve);
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort);
    try {
      const answer = await promise;
      if ("problem" in answer) throw Object.assign(new TypeError(answer.message), { problem: answer.problem });
      return { ...answer, body: bodyOf(answer, signal) };
    } finally {
      signal.removeEventListener("abort", abort);
      cancel.destroy();
    }
  }
}

/** Return the body of an answer, which is read from the server as it is read here. */
function bodyOf({ read, close }: Arriving, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  const stopped = new AbortController();
  const end = () => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    close();
    close.destroy();
    read.destroy();
  };
  return new ReadableStream(
    {
      start(controller) {
        const abort = () => {
          controller.error(signal.reason);
          end();
        };
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { signal: stopped.signal });
      },
      pull(controller) {
        const { promise, resolve }: PromiseWithResolvers<void> = Promise.withResolvers();
        read((piece) => {
          resolve();
          if (stopped.signal.aborted) return;
          if (typeof piece !== "string" && piece.length > 0) return controller.enqueue(piece);
          end();
          if (typeof piece === "string") controller.error(new TypeError(piece));
          else controller.close();
        });
        return promise;
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

export const localServers = new LocalServers();
