// A program of `node`, in a worker of its own: the kernel sends its command line, and answers its calls.
// Not Node.js: the same modules and words on the browser's engine (docs/shell.md).
import { process } from "./base.js";
import { builtins } from "./builtin_table.js";
import "./builtins.js";
import { confine } from "../shared/confine.js";
import { setZone } from "../kernel/clock.js";
import { trimStacks } from "./failing.js";
import { readFileSync } from "./fs.js";
import { connect, receive } from "./kernel.js";
import { hold, run } from "./loop.js";
import { Module, runMain, runModuleText, scopeOf } from "./modules.js";
import { parseCommandLine } from "./options.js";
import { completeProcess, fail } from "./process.js";
import { compileModule, compileScript, evaluateScript, hasModuleSyntax } from "./source.js";
import { runTestFiles, useTests } from "./test/main.js";
import { inspect } from "./util/index.js";

/** @typedef {import("./options.js").Options} Options */

const listen = globalThis.addEventListener.bind(globalThis);
let unsettled = false;
let begun = false;

/** Wait for a program that is an ES module. @param {Promise<unknown> | undefined} running */
function follow(running) {
  if (!running) return;
  unsettled = true;
  running.then(() => (unsettled = false), (error) => (unsettled = false, fail(error)));
}

/** Define the variables of -e and -p: `require`, and the modules by their names. @param {string} name */
function openScope(name) {
  Object.assign(globalThis, scopeOf(name));
  for (const each of Module.builtinModules) {
    if (each in globalThis || each.includes("/") || each === "test") continue;
    const set = (/** @type {any} */ value) => Object.defineProperty(globalThis, each, { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, each, { get: () => builtins[each]?.(), set, configurable: true });
  }
}

/** @param {string} code @param {Options} options @param {string} name */
function runText(code, { isModule, prints }, name) {
  if (!prints && (isModule || hasModuleSyntax(code))) return follow(runModuleText(code, `${name}1`));
  openScope(name);
  let value;
  try {
    value = evaluateScript(code, name);
  } catch (error) {
    // `await` makes it a module.
    if (prints || !(error instanceof SyntaxError) || !/await/.test(error.message)) throw error;
    return follow(runModuleText(code, `${name}1`));
  }
  if (prints) process.stdout.write(`${typeof value === "string" ? value : inspect(value, { colors: process.stdout.isTTY === true })}\n`);
}

/** @param {string} file */
function check(file) {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".mjs") || hasModuleSyntax(text)) compileModule(text, file);
  else compileScript(text, file);
}

/** @param {Options} options */
function begin(options) {
  const { code, rest, required, tests, checks } = options;
  const [file = "-", ...args] = rest;
  for (const name of required) scopeOf("[preload]").require(name);
  if (tests) return follow(runTestFiles(rest));
  if (code !== null) {
    process.argv.splice(1, Infinity, ...rest);
    return runText(code, options, "[eval]");
  }
  if (file === "-") {
    if (process.stdin.isTTY) throw Object.assign(new Error("node: there is no interactive prompt here: use -e, or a file"), { usage: true, status: 9 });
    process.argv.splice(1, Infinity, ...(rest.length ? ["-", ...args] : []));
    return runText(String(readFileSync(0, "utf8")), options, "[stdin]");
  }
  if (checks) return check(file);
  process.argv.splice(1, Infinity, Module._resolveMain(file), ...args);
  follow(runMain(file));
}

/** @param {any} start */
function boot(start) {
  connect(start.memory);
  setZone(start.zone, start.env.TZ?.replace(/^:/, ""));
  completeProcess(start, () => unsettled);
  trimStacks();
  begun = true;
  const release = hold();
  try {
    const options = parseCommandLine(start.args, process.version);
    process.execArgv = options.execArgv;
    useTests(options);
    if (options.answer === null) run(() => begin(options));
    else process.stdout.write(options.answer);
  } catch (error) {
    const { usage, message, status } = /** @type {any} */ (error);
    if (!usage) throw error;
    process.stderr.write(`${message}\n`);
    process.exit(status);
  } finally {
    release();
  }
}

listen("message", ({ data }) => (data.memory ? boot(data) : receive(data.later, data.answer)));
listen("error", (event) => {
  // Before the program begins, an error is this worker's own: the kernel reports it.
  if (!begun) return;
  event.preventDefault();
  fail(event.error);
});
listen("unhandledrejection", (event) => {
  event.preventDefault();
  fail(event.reason, true);
});
confine();
