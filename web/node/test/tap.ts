// The reporter `tap` (https://testanything.org/tap-version-13-specification.html), as Node 20 writes it.
import { inspect } from "../util/index.js";
import { expectation } from "./spec.js";

/** @typedef {import("./tree.js").TestNode} TestNode */

const STEP = "    ";

/** @param {TestNode} node */
const directiveOf = ({ directive }) => (directive ? ` # ${directive.name}${directive.reason ? ` ${directive.reason}` : ""}` : "");
/** @param {string} text */
const escaped = (text) => text.replaceAll("\\", "\\\\").replaceAll("#", "\\#").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/** @param {string} indent @param {string} name @param {any} value @returns {string} YAML */
function field(indent, name, value) {
  if (value === null || typeof value !== "object") {
    if (typeof value !== "string") return `${indent}${name}: ${inspect(value)}\n`;
    if (!value.includes("\n")) return `${indent}${name}: ${inspect(value)}\n`;
    return `${indent}${name}: |-\n${value.split("\n").map((line) => `${indent}  ${line}\n`).join("")}`;
  }
  const entries = Object.entries(value);
  return `${indent}${name}:\n${entries.map(([key, each]) => field(`${indent}  `, key, each)).join("")}`;
}

/** @param {TestNode} node @param {string} indent */
function details(node, indent) {
  const inner = `${indent}  `;
  const { error, kind, place, duration } = node;
  let text = `${inner}---\n${field(inner, "duration_ms", duration)}`;
  if (kind === "suite") text += field(inner, "type", "suite");
  if (!error) return `${text}${inner}...\n`;
  const cause = error.cause instanceof Error ? /** @type {any} */ (error.cause) : error;
  text += field(inner, "location", place) + field(inner, "failureType", error.failureType) + field(inner, "error", cause.message);
  text += field(inner, "code", cause.code ?? error.code);
  const asserted = expectation(cause);
  if (asserted) {
    const { expected, actual, operator } = asserted;
    text += field(inner, "name", "AssertionError") + field(inner, "expected", expected) + field(inner, "actual", actual) + field(inner, "operator", operator);
  } else if (cause !== error && cause.name !== "Error") text += field(inner, "name", cause.name);
  const frames = String(cause.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)).map((line) => line.replace(/^\s+at /, ""));
  if (cause !== error && frames.length) text += `${inner}stack: |-\n${frames.map((line) => `${inner}  ${line}\n`).join("")}`;
  return `${text}${inner}...\n`;
}

export class TapReporter {
  /** @param {(text: string) => void} print */
  constructor(print) {
    this.print = print;
    print("TAP version 13\n");
  }
  /** @param {TestNode} node */
  start(node) {
    this.print(`${STEP.repeat(node.depth)}# Subtest: ${escaped(node.name)}\n`);
  }
  /** @param {TestNode} node */
  end(node) {
    const indent = STEP.repeat(node.depth);
    const ran = node.children.filter((child) => child.finished).length;
    if (ran) this.print(`${indent}${STEP}1..${ran}\n`);
    const number = (node.parent?.children.filter((child) => child.finished).indexOf(node) ?? 0) + 1;
    const verdict = node.error ? "not ok" : "ok";
    this.print(`${indent}${verdict} ${number} - ${escaped(node.name)}${directiveOf(node)}\n${details(node, indent)}`);
    for (const note of node.notes) this.print(`${indent}# ${escaped(note)}\n`);
  }
  /** @param {TestNode[]} tests @param {[string, number][]} totals */
  summary(tests, totals) {
    this.print(`1..${tests.length}\n${totals.map(([name, count]) => `# ${name} ${count}\n`).join("")}`);
  }
}
