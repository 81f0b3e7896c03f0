// Tests of node:test: a tree whose nodes run one after another.
import type { Reporter } from "./main.ts";
import { fn, mock } from "./mock.ts";

const SUITE = "suite";

/** of a test; programs pass anything */
interface Options {
  skip?: unknown;
  todo?: unknown;
  timeout?: number;
}

export type Hook = "before" | "after" | "beforeEach" | "afterEach";
type Failure = ReturnType<typeof failureOf>;

const isFailure = (error: unknown): error is Failure => Boolean(Object(error).failureType);

function failureOf(type: string, cause: unknown, message?: string) {
  const text = message ?? (cause instanceof Error ? cause.message : String(cause));
  return Object.assign(new Error(text), { code: "ERR_TEST_FAILURE", failureType: type, cause });
}

/**
 * The frame of the program that calls us.
 * @returns `path:line:column`
 */
function callerPlace(): string {
  const frame =
    String(new Error().stack)
      .split("\n")
      .find((line) => line.startsWith("    at ")) ?? "";
  return /((?:file:\/\/)?(\/[^()\s]*|\[[\w-]+\]):\d+:\d+)\)?$/.exec(frame)?.[1]?.replace("file://", "") ?? "";
}

/** The argument of a test's function. */
class TestContext {
  #node: TestNode;
  mock;

  constructor(node: TestNode) {
    this.#node = node;
    this.mock = { ...mock, fn };
  }
  get name() {
    return this.#node.name;
  }
  get signal() {
    return this.#node.aborting.signal;
  }
  test(...args: unknown[]) {
    return this.#node.add("test", args).result;
  }
  diagnostic(text: string) {
    this.#node.notes.push(text);
  }
  skip(reason?: string) {
    this.#node.directive = { name: "SKIP", reason };
  }
  todo(reason?: string) {
    this.#node.directive = { name: "TODO", reason };
  }
  plan() {}
  before(action: () => unknown) {
    this.#node.hooks.before.push(action);
  }
  after(action: () => unknown) {
    this.#node.hooks.after.push(action);
  }
  beforeEach(action: () => unknown) {
    this.#node.hooks.beforeEach.push(action);
  }
  afterEach(action: () => unknown) {
    this.#node.hooks.afterEach.push(action);
  }
}

/** The argument of a suite's function. */
class SuiteContext {
  name: string;
  signal: AbortSignal;

  constructor(node: TestNode) {
    this.name = node.name;
    this.signal = node.aborting.signal;
  }
}

/** @param args - a name, options and a function, each of which may be missing */
function parsed(args: unknown[]): { name: string; action: Function | undefined; options: Options } {
  const action = args.find((each) => typeof each === "function");
  const name = typeof args[0] === "string" ? args[0] : action?.name || "<anonymous>";
  return { name, action, options: Object(args.find((each) => each !== null && typeof each === "object") ?? {}) };
}

export class TestNode {
  name: string;
  action: Function | undefined;
  options: Options;
  parent: TestNode | null;
  kind: "test" | "suite";
  reporter: Reporter;
  place: string;
  children: TestNode[] = [];
  hooks: Record<Hook, (() => unknown)[]> = { before: [], after: [], beforeEach: [], afterEach: [] };
  aborting = new AbortController();
  notes: string[] = [];
  error: Failure | null = null;
  duration = 0;
  next = 0;
  prepared = false;
  finished = false;
  cancel: (error: unknown) => void = () => {};
  directive: { name: string; reason: string | undefined } | null = null;
  resolve = () => {};
  result;
  collected?: Promise<unknown>;
  running?: Promise<void>;

  constructor(parent: TestNode | null, kind: "test" | "suite", args: unknown[], reporter: Reporter) {
    const { name, action, options } = parsed(args);
    this.name = name;
    this.action = action;
    this.options = options;
    this.parent = parent;
    this.kind = kind;
    this.reporter = reporter;
    this.place = callerPlace();
    for (const word of ["skip", "todo"] as const) {
      const reason = options[word];
      if (reason)
        this.directive = {
          name: word.toUpperCase(),
          reason: typeof reason === "string" ? reason : undefined,
        };
    }
    if (!action && !this.directive && parent) this.action = () => {};
    this.result = new Promise((resolve) => (this.resolve = () => resolve(undefined)));
  }

  get depth(): number {
    return this.parent ? this.parent.depth + 1 : -1;
  }

  add(kind: "test" | "suite", args: unknown[]) {
    const child = new TestNode(this, kind, args, this.reporter);
    this.children.push(child);
    // A suite's function only collects; what a running test adds runs at once.
    if (kind === SUITE) child.collect();
    else if (this.kind === "test" && this.parent) void this.runChildren();
    return child;
  }

  collect() {
    if (this.directive?.name === "SKIP") return;
    const outer = current.node;
    current.node = this;
    try {
      const done = this.action?.call(new SuiteContext(this), new SuiteContext(this));
      if (done?.then)
        this.collected = done.then(
          () => {},
          (error: unknown) => (this.error = failureOf("testCodeFailure", error)),
        );
    } catch (error) {
      this.error = failureOf("testCodeFailure", error);
    } finally {
      current.node = outer;
    }
  }

  /** Run those children that haven't run, one after another. */
  runChildren(): Promise<void> {
    this.running = (this.running ?? Promise.resolve()).then(async () => {
      while (this.next < this.children.length) {
        const child = this.children[this.next++];
        if (child.isSelected()) await child.run();
      }
    });
    return this.running;
  }

  isSelected() {
    if (!current.only) return true;
    const matches: (node: TestNode) => boolean = (node) =>
      current.only?.test(node.name) === true || node.children.some(matches);
    for (let node = this.parent; node?.parent; node = node.parent) if (current.only.test(node.name)) return true;
    return matches(this);
  }

  /** @returns the hooks of this test and of all above */
  inherited(kind: "beforeEach" | "afterEach"): (() => unknown)[] {
    const above = this.parent ? this.parent.inherited(kind) : [];
    return kind === "beforeEach" ? [...above, ...this.hooks[kind]] : [...this.hooks[kind], ...above];
  }

  async run() {
    const begun = performance.now();
    this.reporter.start(this);
    const outer = current.node;
    current.node = this;
    if (this.directive?.name !== "SKIP") await this.attempt();
    current.node = outer;
    const failed = this.children.filter((child) => child.error && child.directive?.name !== "TODO").length;
    if (failed && !this.error)
      this.error = failureOf("subtestsFailed", undefined, `${failed} subtest${failed > 1 ? "s" : ""} failed`);
    this.duration = performance.now() - begun;
    this.finished = true;
    this.aborting.abort();
    this.reporter.end(this);
    this.resolve();
  }

  async attempt() {
    try {
      await this.prepare();
      if (this.kind === SUITE) {
        await this.collected;
        for (const hook of this.hooks.before) await hook();
        await this.runChildren();
      } else {
        for (const hook of this.parent?.inherited("beforeEach") ?? []) await hook();
        await this.call();
        await this.runChildren();
      }
    } catch (error) {
      this.error ??= isFailure(error) ? error : failureOf("testCodeFailure", error);
    }
    await this.tidy();
  }

  /** Before the first test of the file, its hooks. */
  async prepare() {
    const { parent } = this;
    if (!parent || parent.parent || parent.prepared) return;
    parent.prepared = true;
    for (const hook of parent.hooks.before) await hook();
  }

  async tidy() {
    try {
      if (this.kind === "test") for (const hook of this.parent?.inherited("afterEach") ?? []) await hook();
      for (const hook of this.hooks.after) await hook();
    } catch (error) {
      this.error ??= failureOf("hookFailed", error);
    }
  }

  /** Call the test's function, for as long as it may take. */
  async call() {
    const { action, options } = this;
    const context = new TestContext(this);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopped = new Promise((_, reject) => {
      this.cancel = reject;
      if (options.timeout) {
        timer = setTimeout(
          () => reject(failureOf("testTimeoutFailure", undefined, `test timed out after ${options.timeout}ms`)),
          options.timeout,
        );
        timer.unref();
      }
    });
    const done =
      action && action.length > 1
        ? new Promise((resolve, reject) =>
            action.call(context, context, (error: unknown) => (error ? reject(error) : resolve(undefined))),
          )
        : action?.call(context, context);
    await Promise.race([done, stopped]).finally(() => clearTimeout(timer));
  }
}

export const current: { node: TestNode | null; only: RegExp | null } = { node: null, only: null };

/**
 * Fail the running and remaining tests when the event loop has nothing more to do.
 * @returns whether there was something
 */
export function cancelRunning(root: TestNode): boolean {
  const deepest: (node: TestNode) => TestNode | undefined = (node) => {
    const child = node.children[node.next - 1];
    return child && !child.finished ? deepest(child) : node;
  };
  const found = deepest(root);
  if (!found || found === root) return false;
  const message = "Promise resolution is still pending but the event loop has already resolved";
  found.cancel(failureOf("cancelledByParent", undefined, message));
  return true;
}
