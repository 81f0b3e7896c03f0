// node:readline and node:readline/promises: lines of a stream.
import EventEmitter from "events";

class Interface extends EventEmitter {
  input: any;
  output: any;
  closed: boolean;
  text: string;
  asked: any;
  questions: ((line: string) => void)[];
  take: (chunk: string) => void;
  finish: () => void;

  constructor({ input, output = null, prompt = "> ", terminal = false }: any) {
    super();
    Object.assign(this, { input, output, terminal, closed: false, line: "" });
    this.input = input;
    this.output = output;
    this.closed = false;
    this.text = "";
    this.asked = prompt;
    this.questions = [];
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
  question(text: string, options: any, done: any = options) {
    this.output?.write(text);
    this.questions.push(done);
  }
  async *[Symbol.asyncIterator]() {
    const lines: string[] = [];
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

const optionsOf = (first: any, output?: any) => (typeof first?.on === "function" ? { input: first, output } : first);

class Asking extends Interface {
  question(text: string): any {
    return new Promise((resolve) => super.question(text, resolve));
  }
}

export const readlinePromises = {
  Interface: Asking,
  createInterface: (first: any, output: any) => new Asking(optionsOf(first, output)),
};
export const readline = {
  Interface,
  createInterface: (first: any, output: any) => new Interface(optionsOf(first, output)),
  promises: readlinePromises,
  clearLine: (stream: any) => stream.write("\u001b[2K"),
  cursorTo: (stream: any, x: number) => stream.write(`\u001b[${x + 1}G`),
};
