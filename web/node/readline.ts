// node:readline and node:readline/promises: lines of a stream.
import EventEmitter from "events";

import type { Stream } from "./base.ts";

type Answer = (line: string) => void;

/** a stream of lines */
interface Input extends Stream {
  off(event: string, listener: (...args: never[]) => void): unknown;
  setEncoding?(name: string): void;
  pause(): void;
}

interface Options {
  input: Input;
  output?: Pick<Stream, "write"> | null;
  prompt?: string;
  terminal?: boolean;
}

class Interface extends EventEmitter {
  input: Input;
  output: Pick<Stream, "write"> | null;
  closed = false;
  text = "";
  asked: string;
  questions: ((line: string) => void)[] = [];
  take: (chunk: string) => void;
  finish: () => void;

  constructor({ input, output = null, prompt = "> ", terminal = false }: Options) {
    super();
    Object.assign(this, { terminal, line: "" });
    this.input = input;
    this.output = output;
    this.asked = prompt;
    input.setEncoding?.("utf8");
    this.take = (chunk: string) => this.receive(String(chunk));
    this.finish = () => {
      if (this.text) this.pass(this.text);
      this.close();
    };
    input.on("data", this.take);
    input.on("end", this.finish);
  }
  receive(chunk: string) {
    const lines = (this.text + chunk).split(/\r\n|\n|\r(?!$)/);
    this.text = lines.pop() ?? "";
    for (const line of lines) this.pass(line);
  }
  pass(line: string) {
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
  setPrompt(text: string) {
    this.asked = text;
  }
  getPrompt() {
    return this.asked;
  }
  prompt() {
    this.output?.write(this.asked);
  }
  write(text: string) {
    this.output?.write(text);
  }
  question(text: string, options: object | Answer, done: object | Answer = options) {
    this.output?.write(text);
    if (typeof done === "function") this.questions.push((line) => done(line));
  }
  async *[Symbol.asyncIterator]() {
    const lines: string[] = [];
    let wake = () => {};
    this.on("line", (line: string) => (lines.push(line), wake()));
    this.on("close", () => wake());
    for (;;) {
      while (lines.length) yield lines.shift();
      if (this.closed) return;
      await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  }
}

const optionsOf = (first: Input | Options, output?: Options["output"]): Options =>
  "on" in first ? { input: first, output } : first;

class Asking extends Interface {
  question(text: string): Promise<string> {
    return new Promise((resolve) => super.question(text, resolve));
  }
}

export const readlinePromises = {
  Interface: Asking,
  createInterface: (first: Input | Options, output?: Options["output"]) => new Asking(optionsOf(first, output)),
};
export const readline = {
  Interface,
  createInterface: (first: Input | Options, output?: Options["output"]) => new Interface(optionsOf(first, output)),
  promises: readlinePromises,
  clearLine: (stream: Stream) => stream.write("\u001b[2K"),
  cursorTo: (stream: Stream, x: number) => stream.write(`\u001b[${x + 1}G`),
};
