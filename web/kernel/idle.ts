/** A watch that waits until the kernel has been idle for some time. */
export class IdleWatch {
  #last = performance.now();

  /** Record activity. */
  touch() {
    this.#last = performance.now();
  }

  async wait(ms: number): Promise<void> {
    for (let left = ms; left > 0; left = this.#last + ms - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, left));
    }
  }
}
