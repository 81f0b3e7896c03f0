// Commands of the shell itself: those that rewritten nodes call (rewrite.js), and those that deal with jobs and signals.
import { ASK, COLLECT, EVALUATE, FOLDERS, FORK, KEEP, LEAVE, OURS, REFER, RETURN, OWN_SHELL, SOURCE } from "./internal.js";
import { env, nohup } from "./env.js";
import { folders } from "./folders.js";
import { jobBuiltins } from "./job_builtins.js";
import { STATUS } from "./nodes.js";
import { parse } from "./parsing.js";
import { printf } from "./printf.js";
import { rewriters } from "./rewrite.js";
import { seq } from "./seq.js";
import { sh } from "./sh.js";
import { umask } from "./umask.js";
import { awk, head, join, ln, paste, tail } from "./wrappers.js";
import { outOf } from "./routes.js";
import { restorable } from "./state.js";
import { SEE } from "./traps.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 * @typedef {{ stdout: string, stderr: string, exitCode: number, stdoutKind?: "text" | "bytes" }} Result
 * @typedef {(rewriter: Rewriter, args: string[], context: any, shell: Shell) => Promise<Result>} Builtin
 */

// The codes of bash, where just-bash's differ: an error that ends the shell, and isn't `set -e`.
const FATAL = 127;
const FATAL_ERROR = /: unbound variable\n$|^bash: [^:]*\n$|parameter null or not set\n$/m;

/** The exit code of an `exec` that is over. @param {any} end @param {boolean} expected whether `exit` or `set -e` ended it */
export const codeOf = (end, expected) => (!expected && end.exitCode === 1 && FATAL_ERROR.test(end.stderr) ? FATAL : end.exitCode);

/** @param {string} stdout @param {string} stderr @param {number} exitCode @returns {Result} */
export const results = (stdout, stderr, exitCode) => ({ stdout, stderr, exitCode, stdoutKind: "text" });

/** @param {any} context */
const codeIn = (context) => Number(context.env.get("?") ?? 0);

/** @type {Record<string, Builtin>} */
const INTERNAL = {
  [SEE]: async (rewriter, args, context) => {
    const options = (context.env.get("SHELLOPTS") ?? "").split(":");
    const [errexit, nounset] = [options.includes("errexit"), options.includes("nounset")];
    rewriter.traps.seen = { code: codeIn(context), errexit, nounset };
    return results("", "", codeIn(context));
  },

  [LEAVE]: async ({ traps }, args, context) => {
    traps.leaving = null;
    if (args.length > 1) return results("", "bash: exit: too many arguments\n", 1);
    const [code = String(codeIn(context))] = args;
    const valid = /^[-+]?\d+$/.test(code);
    traps.leaving = valid ? Number(code) & 255 : 2;
    return results("", valid ? "" : `bash: exit: ${code}: numeric argument required\n`, traps.leaving);
  },

  [REFER]: async ({ references }, names, context) => {
    references.note(names, context);
    return results("", "", codeIn(context));
  },

  [RETURN]: async ({ sourced }, [code = null], context) => {
    const valid = code === null || /^[-+]?\d+$/.test(code);
    const number = valid ? Number(code ?? codeIn(context)) & 255 : 2;
    Object.assign(sourced ?? {}, { left: true, code: String(number) });
    return results("", valid ? "" : `bash: return: ${code}: numeric argument required\n`, number);
  },

  [FOLDERS]: async (rewriter, [slot = "", ...names], context) => {
    rewriter.folders.set(slot, await folders(names, context));
    return results("", "", codeIn(context));
  },

  [EVALUATE]: async (rewriter, args, context) => {
    if (args[0] === "--") args = args.slice(1);
    else if (/^-./.test(args[0] ?? "")) {
      return results("", `bash: eval: ${args[0]?.slice(0, 2)}: invalid option\neval: usage: eval [arg ...]\n`, 2);
    }
    return load(rewriter, args.join(" "), "eval", codeIn(context));
  },

  [SOURCE]: async (rewriter, [name = ""], context) => {
    const found = await findScript(name, context);
    if (found === null) return results("", `bash: ${name}: No such file or directory\n`, 1);
    return load(rewriter, found, name, codeIn(context));
  },

  [FORK]: async (rewriter, [slot = "", declared = ""], context, shell) => {
    const body = rewriter.forks.get(slot);
    const way = rewriter.way;
    if (!outOf(way)) rewriter.collects = true;
    const env = Object.fromEntries(context.env);
    shell.jobs.start(body, way, { env, cwd: context.cwd, declared: restorable(declared, context.env) });
    return results("", "", 0);
  },

  [KEEP]: async ({ kept }, [slot = "", text = ""]) => {
    kept.set(slot, text.trim());
    return results("", "", 0);
  },

  [COLLECT]: async (rewriter, args, context, shell) => {
    const code = codeIn(context);
    await shell.pause(Promise.all(shell.jobs.all.map((job) => job.done)));
    const { stdout, stderr } = shell.jobs.fetch();
    return { stdout, stderr, exitCode: code, stdoutKind: "bytes" };
  },

  [ASK]: async (rewriter, args, context, shell) => {
    const prompt = args.indexOf("-p");
    const text = prompt < 0 ? "" : (args[prompt + 1] ?? "");
    const hidden = args.some((word) => /^-[a-z]*s/.test(word));
    rewriter.typed = (await shell.options.ask(text, hidden)) ?? null;
    return results("", "", 0);
  },
};

/** @param {Rewriter} rewriter @param {string} text @param {string} origin @param {number} code what `$?` is for it @returns {Result} */
function load(rewriter, text, origin, code) {
  if (!text.trim()) return results("", "", 0);
  try {
    rewriter.loaded = parse(text);
    return results("", "", code);
  } catch (error) {
    return results("", `bash: ${origin}: ${/** @type {Error} */ (error).message}\n`, 2);
  }
}

/** @param {string} name @param {any} context @returns {Promise<string | null>} */
async function findScript(name, context) {
  const folders = name.includes("/") ? [] : (context.env.get("PATH") ?? "").split(":").filter(Boolean);
  for (const path of [...folders.map((/** @type {string} */ folder) => `${folder}/${name}`), name]) {
    const whole = context.fs.resolvePath(context.cwd, path);
    if ((await context.fs.exists(whole)) && !(await context.fs.stat(whole)).isDirectory) return context.fs.readFile(whole);
  }
  return null;
}

/** @param {Shell} shell @returns {{ name: string, execute: (args: string[], context: any) => Promise<any> }[]} */
export function builtins(shell) {
  const own = Object.entries({ ...INTERNAL, ...prefixed(jobBuiltins) }).map(([name, builtin]) => ({
    name,
    execute: (/** @type {string[]} */ args, /** @type {any} */ context) =>
      builtin(rewriters.get(args[0] ?? "") ?? shell.rewriter, args.slice(1), context, shell),
  }));
  const plain = Object.entries(jobBuiltins).map(([name, builtin]) => ({
    name,
    execute: (/** @type {string[]} */ args, /** @type {any} */ context) => builtin(shell.rewriter, args, context, shell),
  }));
  return [
    ...own,
    ...plain,
    { name: OWN_SHELL, execute: async () => results("", "", 0) },
    { name: STATUS, execute: async (args) => results("", "", Number(args[0])) },
    { name: `${OURS}complain`, execute: async ([text, code = "1"]) => results("", `bash: ${text}\n`, Number(code)) },
    { name: "printf", execute: printf },
    { name: "umask", execute: async (args) => umask(args, shell.files) },
    { name: "bash", execute: (args, context) => sh("bash", args, context) },
    { name: "sh", execute: (args, context) => sh("sh", args, context) },
    { name: "seq", execute: seq },
    { name: "awk", execute: awk },
    { name: "env", execute: env },
    { name: "nohup", execute: nohup },
    { name: "head", execute: head },
    { name: "join", execute: join },
    { name: "ln", execute: ln },
    { name: "paste", execute: paste },
    { name: "tail", execute: tail },
    { name: "times", execute: async () => results("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n", "", 0) },
  ];
}

/** @param {Record<string, Builtin>} commands */
const prefixed = (commands) => Object.fromEntries(Object.entries(commands).map(([name, one]) => [OURS + name, one]));
