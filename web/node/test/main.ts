// node:test (https://nodejs.org/docs/latest-v20.x/api/test.html), and `node --test`.
import path from "path-browserify";

import { process } from "../base.ts";
import { lstatSync, readdirSync } from "../fs.ts";
import { runMain } from "../modules.ts";
import { cwd } from "../paths.ts";
import { keepRunning } from "../process.ts";
import { mock } from "./mock.ts";
import { SpecReporter } from "./spec.ts";
import { TapReporter } from "./tap.ts";
import { TestNode, cancelRunning, current, type Hook } from "./tree.ts";

export interface Reporter {
  start: (node: TestNode) => void;
  end: (node: TestNode) => void;
  summary: (tests: TestNode[], totals: [string, number][]) => void;
}

const TEST_FILE = /(?:^|\/)(?:test|test-[^/]*|[^/]*[._-]test)\.[cm]?js$|(?:^|\/)test\/.*\.[cm]?js$/;
let chosen = "";
let root: TestNode | null = null;
let running: Promise<void> | null = null;
let begun = 0;
let loading = false;

export function useTests({ reporter, only }: { reporter: string; only: string }) {
  chosen = reporter;
  current.only = only ? new RegExp(/^\/(.*)\/\w*$/.exec(only)?.[1] ?? only) : null;
}

function rootNode(): TestNode {
  if (root) return root;
  begun = performance.now();
  const print = (text: string) => void process.stdout.write(text);
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

function add(kind: "test" | "suite", args: unknown[]) {
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

const all = (node: TestNode): TestNode[] =>
  node.children.filter((child) => child.finished).flatMap((child) => [child, ...all(child)]);

let summarized = false;
function summarize() {
  if (!root || summarized) return;
  summarized = true;
  const nodes = all(root);
  const tests = nodes.filter(({ kind }) => kind === "test");
  const count = (holds: (node: TestNode) => boolean) => tests.filter(holds).length;
  const cancelled = count(({ error }) => error?.failureType === "cancelledByParent");
  const skipped = count(({ directive }) => directive?.name === "SKIP");
  const todo = count(({ directive }) => directive?.name === "TODO");
  const failed = count(({ error, directive }) => error !== null && directive === null) - cancelled;
  const totals: [string, number][] = [
    ["tests", tests.length],
    ["suites", nodes.length - tests.length],
    ["pass", tests.length - failed - cancelled - skipped - todo],
    ["fail", failed],
    ["cancelled", cancelled],
    ["skipped", skipped],
    ["todo", todo],
    ["duration_ms", performance.now() - begun],
  ];
  root.reporter.summary(
    root.children.filter((child) => child.finished),
    totals,
  );
  if (failed + cancelled || nodes.some(({ error, kind }) => error && kind === "suite")) process.exitCode = 1;
}

function variants(kind: "test" | "suite") {
  const plain = (...args: unknown[]) => add(kind, args);
  const marked =
    (mark: string) =>
    (...args: unknown[]) => {
      const named = typeof args[0] === "string" ? [args.shift()] : [];
      const options = args[0] !== null && typeof args[0] === "object" ? args.shift() : {};
      return add(kind, [...named, { ...Object(options), [mark]: true }, ...args]);
    };
  return Object.assign(plain, { skip: marked("skip"), todo: marked("todo"), only: plain });
}

const hook = (kind: Hook) => (action: () => unknown) => {
  const top = rootNode();
  (current.node ?? top).hooks[kind].push(action);
};

const plain = variants("test");
const it = variants("test");
const describe = variants("suite");
export const test = Object.assign(plain, {
  test: plain,
  it,
  describe,
  suite: describe,
  mock,
  run: undefined,
  before: hook("before"),
  after: hook("after"),
  beforeEach: hook("beforeEach"),
  afterEach: hook("afterEach"),
});

/** @returns the files of tests below it */
function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : testFiles(whole);
    return TEST_FILE.test(path.relative(cwd(), whole)) ? [whole] : [];
  });
}

/** Run the tests of files, as `node --test` does, but all of them in this worker. */
export async function runTestFiles(given: string[]) {
  const files = (given.length ? given : [cwd()]).map((each) => path.resolve(cwd(), each));
  const found = files.flatMap((file) => (lstatSync(file)?.isDirectory() ? testFiles(file) : [file]));
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
