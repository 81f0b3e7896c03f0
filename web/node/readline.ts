// node:readline and node:readline/promises: lines of a stream.
import EventEmitter from "events";

class Interface extends EventEmitter {
  /** @param {any} options */
  constructor({ input, output = null, prompt = "> ", terminal = false }) {
    super();
    Object.assign(this, { input, output, terminal, closed: false, line: "" });
    this.input = input;
    this.output = output;
    this.closed = false;
    this.text = "";
    this.asked = prompt;
    /** @type {((line: string) => void)[]} */
    this.questions = [];
    input.setEncoding?.("utf8");
    this.take = (/** @type {string} */ chunk) => this.receive(String(chunk));
    this.finish = () => {
      if (this.text) this.pass(this.text);
      this.close();
    };
    input.on("data", this.take);
    input.on("end", this.finish);
  }
  /** @param {string} chunk */
  receive(chunk) {
    const lines = (this.text + chunk).split(/\r\n|\n|\r(?!$)/);
    this.text = lines.pop() ?? "";
    for (const line of lines) this.pass(line);
  }
  /** @param {string} line */
  pass(line) {
    this.text = this.closed ? this.text : "";
    const answer = this.questions.shift();
    if (answer) answer(line);
    else this.emit("line", line);
  }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.input.off("data", this.take);
    this.input.off("end", this.finish);
    this.input.pause?.();
    this.emit("close");
  }
  pause() {
    this.input.pause();
    return this;
  }
  resume() {
    this.input.resume();
    return this;
  }
  /** @param {string} text */
  setPrompt(text) {
    this.asked = text;
  }
  getPrompt() {
    return this.asked;
  }
  prompt() {
    this.output?.write(this.asked);
  }
  /** @param {string} text */
  write(text) {
    this.output?.write(text);
  }
  /** @param {string} text @param {any} options @param {any} [done] */
  question(text, options, done = options) {
    this.output?.write(text);
    this.questions.push(done);
  }
  async *[Symbol.asyncIterator]() {
    /** @type {string[]} */
    const lines = [];
    let wake = () => {};
    this.on("line", (line) => (lines.push(line), wake()));
    this.on("close", () => wake());
    for (;;) {
      while (lines.length) yield lines.shift();
      if (this.closed) return;
      await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  }
}

/** @param {any} first @param {any} [output] */
const optionsOf = (first, output) => (typeof first?.on === "function" ? { input: first, output } : first);

class Asking extends Interface {
  /** @param {string} text @returns {any} */
  question(text) {
    return new Promise((resolve) => super.question(text, resolve));
  }
}

export const readlinePromises = {
  Interface: Asking, createInterface: (/** @type {any} */ first, /** @type {any} */ output) => new Asking(optionsOf(first, output)),
};
export const readline = {
  Interface, createInterface: (/** @type {any} */ first, /** @type {any} */ output) => new Interface(optionsOf(first, output)), promises: readlinePromises,
  clearLine: (/** @type {any} */ stream) => stream.write("\u001b[2K"),
  cursorTo: (/** @type {any} */ stream, /** @type {number} */ x) => stream.write(`\u001b[${x + 1}G`),
};
