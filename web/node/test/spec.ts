// The reporter `spec`, as Node 20 writes it to terminals.
import { inspect } from "../util/index.ts";
import type { TestNode } from "./tree.ts";

/** an error, with what an assertion compared */
export type Cause = Error & { code?: unknown; expected?: unknown; actual?: unknown; operator?: unknown };

const COLORS: Record<string, number> = { green: 32, red: 31, gray: 90, blue: 34 };

/** Return what an assertion compared, or null. */
export function expectation(error: Cause) {
  if (error.code !== "ERR_ASSERTION") return null;
  const { expected, actual, operator } = error;
  return { expected, actual, operator };
}

export class SpecReporter {
  print: (text: string) => void;
  colors: boolean;
  failed: TestNode[] = [];
  waiting: TestNode[] = [];

  constructor(print: (text: string) => void, colors: boolean) {
    this.print = print;
    this.colors = colors;
  }
  paint(color: string, text: string) {
    return this.colors ? `\u001b[${COLORS[color]}m${text}\u001b[39m` : text;
  }
  start(node: TestNode) {
    this.waiting.push(node);
  }
  /** A test with tests below it has its name above them, too. */
  open(node: TestNode) {
    while (this.waiting.length && this.waiting[0] !== node) {
      const above = this.waiting.shift();
      if (above) this.print(`${"  ".repeat(above.depth)}▶ ${above.name}\n`);
    }
  }
  line(node: TestNode) {
    const { directive, error, name, duration } = node;
    const time = this.paint("gray", ` (${duration.toFixed(6).replace(/\.?0+$/, "")}ms)`);
    const said = directive ? ` # ${directive.reason ?? directive.name}` : "";
    if (directive?.name === "SKIP") return `${this.paint("gray", `﹣ ${name}`)}${time}${said}\n`;
    return `${error ? this.paint("red", `✖ ${name}`) : this.paint("green", `✔ ${name}`)}${time}${said}\n`;
  }
  end(node: TestNode) {
    this.open(node);
    this.waiting = this.waiting.filter((each) => each !== node);
    const indent = "  ".repeat(node.depth);
    this.print(indent + this.line(node));
    const own = node.error && node.error.failureType !== "subtestsFailed";
    if (own) {
      this.failed.push(node);
      this.print(`${this.explain(node, `${indent}  `)}\n`);
    }
    for (const note of node.notes) this.print(`${indent}${this.paint("blue", `ℹ ${note}`)}\n`);
  }
  explain({ error }: TestNode, indent: string) {
    const shown = inspect(error?.cause ?? error, { colors: this.colors, depth: 0 });
    return shown
      .split("\n")
      .map((line: string) => `${indent}${line}\n`)
      .join("");
  }
  summary(tests: TestNode[], totals: [string, number][]) {
    void tests;
    this.print(totals.map(([name, count]) => `${this.paint("blue", `ℹ ${name} ${count}`)}\n`).join(""));
    if (this.failed.length === 0) return;
    this.print(`\n${this.paint("red", "✖ failing tests:")}\n`);
    for (const node of this.failed)
      this.print(`\ntest at ${node.place}\n${this.line(node)}${this.explain(node, "  ")}`);
  }
}
