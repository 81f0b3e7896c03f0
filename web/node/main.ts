// A program of `node`, in its own worker: the kernel sends its command line, and answers its calls.
// Not Node.js: the same modules and words on the browser's engine (docs/shell.md).
import { process } from "./base.ts";
import { builtins } from "./builtin_table.ts";
import "./builtins.ts";
import { confine } from "../shared/confine.ts";
import { setZone } from "../kernel/clock.ts";
import { trimStacks } from "./failing.ts";
import { readFileSync } from "./fs.ts";
import { connect, receive } from "./kernel.ts";
import { hold, run } from "./loop.ts";
import { Module, runMain, runModuleText, scopeOf } from "./modules.ts";
import { parseCommandLine, usageError, type Options } from "./options.ts";
import { completeProcess, fail, type Start } from "./process.ts";
import { compileModule, compileScript, evaluateScript, hasModuleSyntax } from "./source.ts";
import { runTestFiles, useTests } from "./test/main.ts";
import { inspect } from "./util/index.ts";

const listen = globalThis.addEventListener.bind(globalThis);
let unsettled = false;
let begun = false;

/** Wait for a program that is an ES module. */
function follow(running: Promise<unknown> | undefined) {
  if (!running) return;
  unsettled = true;
  running.then(
    () => (unsettled = false),
    (error) => ((unsettled = false), fail(error)),
  );
}

/** Define the variables of -e and -p: `require`, and the modules by their names. */
function openScope(name: string) {
  Object.assign(globalThis, scopeOf(name));
  for (const each of Module.builtinModules) {
    if (each in globalThis || each.includes("/") || each === "test") continue;
    const set = (value: unknown) =>
      Object.defineProperty(globalThis, each, { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, each, { get: () => builtins[each]?.(), set, configurable: true });
  }
}

function runText(code: string, { isModule, prints }: Options, name: string) {
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
  if (prints)
    process.stdout.write(
      `${typeof value === "string" ? value : inspect(value, { colors: process.stdout.isTTY === true })}\n`,
    );
}

function check(file: string) {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".mjs") || hasModuleSyntax(text)) compileModule(text, file);
  else compileScript(text, file);
}

function begin(options: Options) {
  const { code, rest, required, tests, checks } = options;
  const [file = "-", ...args] = rest;
  for (const name of required) scopeOf("[preload]").require(name);
  if (tests) return follow(runTestFiles(rest));
  if (code !== null) {
    process.argv.splice(1, Infinity, ...rest);
    return runText(code, options, "[eval]");
  }
  if (file === "-") {
    if (process.stdin.isTTY) throw usageError("node: there is no interactive prompt here: use -e, or a file");
    process.argv.splice(1, Infinity, ...(rest.length ? ["-", ...args] : []));
    return runText(String(readFileSync(0, "utf8")), options, "[stdin]");
  }
  if (checks) return check(file);
  process.argv.splice(1, Infinity, Module._resolveMain(file), ...args);
  follow(runMain(file));
}

function boot(start: Start) {
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
    const { usage, message, status }: { usage?: boolean; message?: string; status?: number } = Object(error);
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
