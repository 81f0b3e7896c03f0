// node:console, on the program's streams.
import { process } from "./base.ts";
import { formatWithOptions, inspect, stripVTControlCharacters } from "./util/index.ts";

let indent = "";
const counts = new Map<string, number>();
const started = new Map<string, number>();

function print(name: "stdout" | "stderr", values: unknown[]) {
  const stream = process[name];
  const text = formatWithOptions({ colors: stream.isTTY === true }, ...values);
  stream.write(`${indent ? text.replaceAll(/^/gm, indent) : text}\n`);
}
const log = (...values: unknown[]) => print("stdout", values);
const warn = (...values: unknown[]) => print("stderr", values);

function elapsed(label: string) {
  const ms = performance.now() - (started.get(label) ?? performance.now());
  return ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`;
}

/** A table of values, as Node draws it. */
function table(data: unknown, only?: string[]) {
  if (data === null || typeof data !== "object") return log(data);
  const isMap = data instanceof Map;
  const isCollection = isMap || data instanceof Set;
  const entries = isCollection ? [...data].map((each, at): [number, unknown] => [at, each]) : Object.entries(data);
  const isRow = (value: unknown): value is Record<string, unknown> =>
    !isCollection && value !== null && /object|function/.test(typeof value);
  const keys = only ?? [...new Set(entries.flatMap(([, row]) => (isRow(row) ? Object.keys(row) : [])))];
  const hasValues = entries.some(([, row]) => !isRow(row));
  const shown = (value: unknown) => {
    const isObject = value !== null && typeof value === "object";
    return inspect(value, {
      depth: isObject ? 0 : 1,
      maxArrayLength: 3,
      breakLength: Infinity,
      colors: process.stdout.isTTY === true,
    });
  };
  const valuesOf = (row: unknown) =>
    isMap && Array.isArray(row) ? row.map(shown) : hasValues ? [isRow(row) ? "" : shown(row)] : [];
  const rows = entries.map(([index, row]) => [
    String(index),
    ...keys.map((key) => (isRow(row) && Object.hasOwn(row, key) ? shown(row[key]) : "")),
    ...valuesOf(row),
  ]);
  const head = [
    isCollection ? "(iteration index)" : "(index)",
    ...keys,
    ...(isMap ? ["Key", "Values"] : hasValues ? ["Values"] : []),
  ];
  const width = (text: string) => stripVTControlCharacters(text).length;
  const widths = head.map((title, at) => Math.max(width(title), ...rows.map((row) => width(row[at] ?? ""))) + 2);
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((width) => "─".repeat(width)).join(middle) + right;
  const line = (row: string[]) =>
    `│${row.map((text, at) => ` ${text}${" ".repeat((widths[at] ?? 0) - width(text) - 1)}`).join("│")}│`;
  log([rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤"), ...rows.map(line), rule("└", "┴", "┘")].join("\n"));
}

const group = (...values: unknown[]) => {
  if (values.length) log(...values);
  indent += "  ";
};

export const console = {
  log,
  info: log,
  debug: log,
  warn,
  error: warn,
  table,
  group,
  groupCollapsed: group,
  groupEnd: () => void (indent = indent.slice(2)),
  dir: (value: unknown, options: object) => log(inspect(value, { customInspect: false, ...options })),
  dirxml: log,
  trace: (...values: unknown[]) => {
    const mark = Object.assign(new Error(formatWithOptions({}, ...values)), { name: "Trace" });
    warn(String(mark.stack).replace(/^\w+/, "Trace"));
  },
  assert: (holds: unknown, ...values: unknown[]) => {
    if (holds) return;
    const [first, ...rest] = values;
    if (typeof first === "string") warn(`Assertion failed: ${first}`, ...rest);
    else warn("Assertion failed", ...values);
  },
  count: (label = "default") => log(`${label}: ${counts.set(label, (counts.get(label) ?? 0) + 1).get(label)}`),
  countReset: (label = "default") => void counts.delete(label),
  time: (label = "default") => void started.set(label, performance.now()),
  timeLog: (label = "default", ...values: unknown[]) => log(`${label}: ${elapsed(label)}`, ...values),
  timeEnd: (label = "default") => {
    log(`${label}: ${elapsed(label)}`);
    started.delete(label);
  },
};
