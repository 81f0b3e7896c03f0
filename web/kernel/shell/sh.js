// `bash` and `sh`: a script or a `-c` in a shell of its own, with bash's options.
import { codeOf } from "./builtins.js";
import { fromLatin1 } from "./bytes.js";
import { OWN_SHELL } from "./internal.js";
import { setsErrexit } from "./parsing.js";
import { shellQuote } from "./state.js";

/**
 * @typedef {import("./builtins.js").Result} Result
 *
 * @typedef {object} Request a command line, understood
 * @property {string} before script that sets the options
 * @property {boolean} inText `-c`: the first operand is the script
 * @property {boolean} fromInput `-s`
 * @property {string[]} operands
 */

const VERSION = "GNU bash, version 5.2 (just-bash)\n";
// They make no difference to a shell that isn't interactive.
const WITHOUT_EFFECT = new Set(["--norc", "--noprofile", "--login", "--posix", "--noediting", "-l", "-i"]);

/** @param {string[]} args @returns {Request} */
function understand(args) {
  /** @type {Request} */
  const request = { before: "", inText: false, fromInput: false, operands: [] };
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (WITHOUT_EFFECT.has(word)) continue;
    if (word === "--" || word === "-") {
      at++;
      break;
    }
    if (word === "-o" || word === "+o") request.before += `set ${word} ${args[++at]};`;
    else if (word === "-O" || word === "+O") request.before += `shopt ${word === "-O" ? "-s" : "-u"} ${args[++at]};`;
    else if (!/^[-+][a-zA-Z]+$/.test(word)) break;
    else {
      request.inText ||= word.includes("c");
      request.fromInput ||= word.includes("s");
      const letters = word.slice(1).replace(/[cslio]/g, "");
      if (letters) request.before += `set ${word[0]}${letters};`;
      if (word.endsWith("o")) request.before += `set -o ${args[++at]};`;
    }
  }
  request.operands = args.slice(at);
  return request;
}

/** @param {"bash" | "sh"} name @param {string[]} args @param {any} context @returns {Promise<Result>} */
export async function sh(name, args, context) {
  if (args[0] === "--version") return { stdout: VERSION, stderr: "", exitCode: 0 };
  const request = understand(args);
  const { operands } = request;
  if (request.inText) {
    const [text = "", zero = name, ...positional] = operands;
    return run(request.before + text, zero, positional, context, context.stdin);
  }
  if (request.fromInput || operands.length === 0) {
    const text = new TextDecoder().decode(fromLatin1(context.stdin));
    return run(request.before + text, name, operands, context, "");
  }
  const [path = "", ...positional] = operands;
  let text;
  try {
    text = await context.fs.readFile(context.fs.resolvePath(context.cwd, path));
  } catch {
    return { stdout: "", stderr: `${name}: ${path}: No such file or directory\n`, exitCode: 127 };
  }
  return run(request.before + text, path, positional, context, context.stdin);
}

/**
 * @param {string} text
 * @param {string} zero what `$0` is
 * @param {string[]} positional
 * @param {any} context
 * @param {string} stdin
 * @returns {Promise<Result>}
 */
async function run(text, zero, positional, context, stdin) {
  const exported = context.exportedEnv ?? {};
  // A nested exec knows the variables, but no longer that they are exported.
  const names = Object.keys(exported).filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== "_");
  const start = [`${OWN_SHELL};`, names.length ? `export ${names.join(" ")};` : "", positional.length ? `set -- ${positional.map(shellQuote).join(" ")};` : ""];
  // On the script's first line, so that `$LINENO` counts its lines.
  const script = start.join("") + text.replace(/^#![^\n]*/, "#");
  const env = { ...exported, 0: zero, PATH: exported.PATH ?? "/usr/local/bin:/usr/bin:/bin", IFS: " \t\n" };
  const done = await context.exec(script, {
    rawScript: true,
    env,
    replaceEnv: true,
    cwd: context.cwd,
    stdin,
    stdinKind: "bytes",
    signal: context.signal,
  });
  const exitCode = codeOf(done, /\bexit\b/.test(text) || setsErrexit(script));
  return { stdout: done.stdout, stderr: done.stderr, exitCode, stdoutKind: done.stdoutKind };
}
