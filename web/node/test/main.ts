// node:test (https://nodejs.org/docs/latest-v20.x/api/test.html), and `node --test`.
import path from "path-browserify";

import { process } from "../base.js";
import { lstatSync, readdirSync } from "../fs.js";
import { runMain } from "../modules.js";
import { cwd } from "../paths.js";
import { keepRunning } from "../process.js";
import { mock } from "./mock.js";
import { SpecReporter } from "./spec.js";
import { TapReporter } from "./tap.js";
import { TestNode, cancelRunning, current } from "./tree.js";

/**
 * @typedef {object} Reporter
 * @property {(node: TestNode) => void} start
 * @property {(node: TestNode) => void} end
 * @property {(tests: TestNode[], totals: [string, number][]) => void} summary
 */

const TEST_FILE = /(?:^|\/)(?:test|test-[^/]*|[^/]*[._-]test)\.[cm]?js$|(?:^|\/)test\/.*\.[cm]?js$/;
let chosen = "";
/** @type {TestNode | null} */
let root = null;
/** @type {Promise<void> | null} */
let running = null;
let begun = 0;
let loading = false;

/** @param {{ reporter: string, only: string }} options */
export function useTests({ reporter, only }) {
  chosen = reporter;
  current.only = only ? new RegExp(/^\/(.*)\/\w*$/.exec(only)?.[1] ?? only) : null;
}

/** @returns {TestNode} */
function rootNode() {
  if (root) return root;
  begun = performance.now();
  const print = (/** @type {string} */ text) => void process.stdout.write(text);
  const tty = process.stdout.isTTY === true;
  const reporter = (chosen || (tty ? "spec" : "tap")) === "tap" ? new TapReporter(print) : new SpecReporter(print, tty);
  root = new TestNode(null, "suite", ["<root>"], reporter);
  current.node = root;
  process.on("beforeExit", () => {
    if (root && cancelRunning(root)) keepRunning();
    else summarize();
  });
  return root;
}

/** @param {"test" | "suite"} kind @param {any[]} args */
function add(kind, args) {
  const top = rootNode();
  const parent = current.node ?? top;
  const child = parent.add(kind, args);
  if (parent === top && !loading) start();
  return kind === "suite" ? Promise.resolve() : child.result;
}

/** Run the tests once the script has defined them. */
function start() {
  running = (running ?? Promise.resolve()).then(() => rootNode().runChildren());
}

/** @param {TestNode} node @returns {TestNode[]} */
const all = (node) => node.children.filter((child) => child.finished).flatMap((child) => [child, ...all(child)]);

let summarized = false;
function summarize() {
  if (!root || summarized) return;
  summarized = true;
  const nodes = all(root);
  const tests = nodes.filter(({ kind }) => kind === "test");
  const count = (/** @type {(node: TestNode) => boolean} */ holds) => tests.filter(holds).length;
  const cancelled = count(({ error }) => error?.failureType === "cancelledByParent");
  const skipped = count(({ directive }) => directive?.name === "SKIP");
  const todo = count(({ directive }) => directive?.name === "TODO");
  const failed = count(({ error, directive }) => error && directive === null) - cancelled;
  /** @type {[string, number][]} */
  const totals = [
    ["tests", tests.length], ["suites", nodes.length - tests.length], ["pass", tests.length - failed - cancelled - skipped - todo],
    ["fail", failed], ["cancelled", cancelled], ["skipped", skipped], ["todo", todo], ["duration_ms", performance.now() - begun],
  ];
  root.reporter.summary(root.children.filter((child) => child.finished), totals);
  if (failed + cancelled || nodes.some(({ error, kind }) => error && kind === "suite")) process.exitCode = 1;
}

/** @param {"test" | "suite"} kind */
function variants(kind) {
  const plain = (/** @type {any[]} */ ...args) => add(kind, args);
  const marked = (/** @type {string} */ mark) => (/** @type {any[]} */ ...args) => {
    const named = typeof args[0] === "string" ? [args.shift()] : [];
    const options = args[0] !== null && typeof args[0] === "object" ? args.shift() : {};
    return add(kind, [...named, { ...options, [mark]: true }, ...args]);
  };
  return Object.assign(plain, { skip: marked("skip"), todo: marked("todo"), only: plain });
}

/** @param {"before" | "after" | "beforeEach" | "afterEach"} kind */
const hook = (kind) => (/** @type {() => any} */ action) => {
  const top = rootNode();
  (current.node ?? top).hooks[kind].push(action);
};

const plain = variants("test");
const it = variants("test");
const describe = variants("suite");
export const test = Object.assign(plain, {
  test: plain, it, describe, suite: describe, mock, run: undefined,
  before: hook("before"), after: hook("after"), beforeEach: hook("beforeEach"), afterEach: hook("afterEach"),
});

/** @param {string} folder @returns {string[]} the files of tests below it */
function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((/** @type {any} */ entry) => {
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : testFiles(whole);
    return TEST_FILE.test(path.relative(cwd(), whole)) ? [whole] : [];
  });
}

/** Run the tests of files, as `node --test` does, but all of them in this worker. @param {string[]} given */
export async function runTestFiles(given) {
  const files = (given.length ? given : [cwd()]).map((each) => path.resolve(cwd(), each));
  const found = files.flatMap((file) => (lstatSync(file).isDirectory() ? testFiles(file) : [file]));
  const top = rootNode();
  for (const file of found) {
    loading = true;
    try {
      await runMain(file);
    } catch (error) {
      const node = top.add("test", [path.relative(cwd(), file), () => Promise.reject(error)]);
      node.place = file;
    }
    loading = false;
    start();
    await running;
  }
}
