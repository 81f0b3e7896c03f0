// The worker that computes embeddings on the device (web/meaning), from Python's side.

type Answer = { vectors: Float32Array } | { problem: string; message: string };

export class Embedder {
  #worker: Worker;
  #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  #last = 0;

  /** @param folder - the address of the model's folder */
  constructor(folder: string) {
    this.#worker = new Worker(new URL("worker.mjs", folder), { type: "module", name: "meaning" });
    this.#worker.onmessage = ({ data }) => {
      this.#waiting.get(data.id)?.resolve(data);
      this.#waiting.delete(data.id);
    };
    this.#worker.onerror = ({ message }) => this.end(message || "the worker of the model can't be loaded");
  }

  /** Return the vectors of texts, in turn, or the problem. */
  ask(texts: string[]): Promise<Answer> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, texts });
    });
  }

  /** End the worker; what waits for it fails for this reason. */
  end(reason = "it was ended") {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}
