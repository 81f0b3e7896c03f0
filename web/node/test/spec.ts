// The reporter `spec`, as Node 20 writes it to terminals.
import { inspect } from "../util/index.js";

/** @typedef {import("./tree.js").TestNode} TestNode */

/** @type {Record<string, number>} */
const COLORS = { green: 32, red: 31, gray: 90, blue: 34 };

/** Return what an assertion compared, or null. @param {any} error */
export function expectation(error) {
  if (error?.code !== "ERR_ASSERTION") return null;
  const { expected, actual, operator } = error;
  return { expected, actual, operator };
}

export class SpecReporter {
  /** @param {(text: string) => void} print @param {boolean} colors */
  constructor(print, colors) {
    this.print = print;
    this.colors = colors;
    /** @type {TestNode[]} */
    this.failed = [];
    /** @type {TestNode[]} */
    this.waiting = [];
  }
  /** @param {string} color @param {string} text */
  paint(color, text) {
    return this.colors ? `\u001b[${COLORS[color]}m${text}\u001b[39m` : text;
  }
  /** @param {TestNode} node */
  start(node) {
    this.waiting.push(node);
  }
  /** A test with tests below it has its name above them, too. @param {TestNode} node */
  open(node) {
    while (this.waiting.length && this.waiting[0] !== node) {
      const above = /** @type {TestNode} */ (this.waiting.shift());
      this.print(`${"  ".repeat(above.depth)}▶ ${above.name}\n`);
    }
  }
  /** @param {TestNode} node */
  line(node) {
    const { directive, error, name, duration } = node;
    const time = this.paint("gray", ` (${duration.toFixed(6).replace(/\.?0+$/, "")}ms)`);
    const said = directive ? ` # ${directive.reason ?? directive.name}` : "";
    if (directive?.name === "SKIP") return `${this.paint("gray", `﹣ ${name}`)}${time}${said}\n`;
    return `${error ? this.paint("red", `✖ ${name}`) : this.paint("green", `✔ ${name}`)}${time}${said}\n`;
  }
  /** @param {TestNode} node */
  end(node) {
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
  /** @param {TestNode} node @param {string} indent */
  explain({ error }, indent) {
    const shown = inspect(error.cause ?? error, { colors: this.colors, depth: 0 });
    return shown.split("\n").map((/** @type {string} */ line) => `${indent}${line}\n`).join("");
  }
  /** @param {TestNode[]} tests @param {[string, number][]} totals */
  summary(tests, totals) {
    void tests;
    this.print(totals.map(([name, count]) => `${this.paint("blue", `ℹ ${name} ${count}`)}\n`).join(""));
    if (this.failed.length === 0) return;
    this.print(`\n${this.paint("red", "✖ failing tests:")}\n`);
    for (const node of this.failed) this.print(`\ntest at ${node.place}\n${this.line(node)}${this.explain(node, "  ")}`);
  }
}
