// The reporter `tap` (https://testanything.org/tap-version-13-specification.html), as Node 20 writes it.
import { inspect } from "../util/index.ts";
import { expectation, type Cause } from "./spec.ts";
import type { TestNode } from "./tree.ts";

const STEP = "    ";

const directiveOf = ({ directive }: TestNode) =>
  directive ? ` # ${directive.name}${directive.reason ? ` ${directive.reason}` : ""}` : "";
const escaped = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll("#", "\\#").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/** @returns YAML */
function field(indent: string, name: string, value: unknown): string {
  if (value === null || typeof value !== "object") {
    if (typeof value !== "string") return `${indent}${name}: ${inspect(value)}\n`;
    if (!value.includes("\n")) return `${indent}${name}: ${inspect(value)}\n`;
    return `${indent}${name}: |-\n${value
      .split("\n")
      .map((line) => `${indent}  ${line}\n`)
      .join("")}`;
  }
  const entries = Object.entries(value);
  return `${indent}${name}:\n${entries.map(([key, each]) => field(`${indent}  `, key, each)).join("")}`;
}

function details(node: TestNode, indent: string) {
  const inner = `${indent}  `;
  const { error, kind, place, duration } = node;
  let text = `${inner}---\n${field(inner, "duration_ms", duration)}`;
  if (kind === "suite") text += field(inner, "type", "suite");
  if (!error) return `${text}${inner}...\n`;
  const cause: Cause = error.cause instanceof Error ? error.cause : error;
  text +=
    field(inner, "location", place) +
    field(inner, "failureType", error.failureType) +
    field(inner, "error", cause.message);
  text += field(inner, "code", cause.code ?? error.code);
  const asserted = expectation(cause);
  if (asserted) {
    const { expected, actual, operator } = asserted;
    text +=
      field(inner, "name", "AssertionError") +
      field(inner, "expected", expected) +
      field(inner, "actual", actual) +
      field(inner, "operator", operator);
  } else if (cause !== error && cause.name !== "Error") text += field(inner, "name", cause.name);
  const frames = String(cause.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.replace(/^\s+at /, ""));
  if (cause !== error && frames.length)
    text += `${inner}stack: |-\n${frames.map((line) => `${inner}  ${line}\n`).join("")}`;
  return `${text}${inner}...\n`;
}

export class TapReporter {
  print: (text: string) => void;

  constructor(print: (text: string) => void) {
    this.print = print;
    print("TAP version 13\n");
  }
  start(node: TestNode) {
    this.print(`${STEP.repeat(node.depth)}# Subtest: ${escaped(node.name)}\n`);
  }
  end(node: TestNode) {
    const indent = STEP.repeat(node.depth);
    const ran = node.children.filter((child) => child.finished).length;
    if (ran) this.print(`${indent}${STEP}1..${ran}\n`);
    const number = (node.parent?.children.filter((child) => child.finished).indexOf(node) ?? 0) + 1;
    const verdict = node.error ? "not ok" : "ok";
    this.print(`${indent}${verdict} ${number} - ${escaped(node.name)}${directiveOf(node)}\n${details(node, indent)}`);
    for (const note of node.notes) this.print(`${indent}# ${escaped(note)}\n`);
  }
  summary(tests: TestNode[], totals: [string, number][]) {
    this.print(`1..${tests.length}\n${totals.map(([name, count]) => `# ${name} ${count}\n`).join("")}`);
  }
}
