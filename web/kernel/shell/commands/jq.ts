// The commands `jq` and `yq`: jq itself, in a worker that is loaded on first use (web/jq/).
import { EMPTY } from "../../bytes.ts";
import { whyUnloaded } from "../../unloaded.ts";
import { CommandError } from "../control.ts";
import { reasonOf } from "../execution/files.ts";
import type { Shell } from "../shell.ts";
import { zoneOf } from "./zone.ts";

interface Result {
  exitCode: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
  written?: { path: string; bytes: Uint8Array }[];
}

const WORKER = "jq_worker.mjs";
const DATED = /time|date|^-[A-Za-z]*f|^--from-file/;
// The options that take values, with their numbers.
const VALUES: Record<string, number> = {
  ...{
    "--arg": 2,
    "--argjson": 2,
    "--slurpfile": 2,
    "--rawfile": 2,
    "--indent": 1,
    "-f": 1,
    "--from-file": 1,
    "-L": 1,
  },
  ...{ "-o": 1, "-p": 1, "-I": 1, "--output-format": 1, "--input-format": 1, "--expression": 1 },
};
/** Workers that wait for their next call. */
const idle: Worker[] = [];

/** @returns the words that aren't options or their values */
function operandsOf(args: string[]): string[] {
  const operands = [];
  let named = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--args" || word === "--jsonargs") named = true;
    else if (/^-[A-Za-z]*f$|^--from-file$|^--expression$/.test(word)) operands.unshift("");
    if (Object.hasOwn(VALUES, word)) at += VALUES[word] ?? 0;
    else if (!word.startsWith("-") || word === "-") operands.push(word);
  }
  return named ? operands.slice(0, 1) : operands;
}

/** Return whether a call reads standard input. */
function readsInput(name: string, args: string[]) {
  const [program = "", ...files] = operandsOf(args);
  if (name === "yq")
    return !args.some((word) => /^-\w*n\w*$|^--null-input$/.test(word)) && (files.length ? files.includes("-") : true);
  if (files.length) return files.includes("-");
  return !args.some((word) => /^-\w*n|^--null-input$/.test(word)) || /\binputs?\b/.test(program) || program === "";
}

/**
 * Return the files that a call reads: those that its arguments name, and modules.
 * @returns a folder has no bytes
 */
function filesOf({ files, cwd, variables }: Shell, args: string[]): { path: string; bytes: Uint8Array | null }[] {
  const { FS } = files;
  const found = new Map<string, Uint8Array | null>();
  const add = (path: string, isFolderOfModules: boolean) => {
    const place = files.place(path);
    if (found.has(path) || !FS.analyzePath(place).exists) return;
    const { mode } = FS.stat(place);
    if (FS.isFile(mode)) found.set(path, FS.readFile(place));
    else if (FS.isDir(mode)) found.set(path, null);
    if (!FS.isDir(mode) || !isFolderOfModules) return;
    for (const name of FS.readdir(place)) {
      if (name.startsWith(".")) continue;
      if (/\.(?:jq|json)$/.test(name) || files.isFolder(`${place}/${name}`)) add(`${path}/${name}`, true);
    }
  };
  const home = variables.exported().HOME;
  // Its definitions come before the filter.
  if (home && !files.isFolder(files.place(`${home}/.jq`))) add(`${home}/.jq`, false);
  for (const [at, word] of args.entries()) {
    if (word === "" || word.length > 4096 || word.includes("\0") || word.includes("\n")) continue;
    if (word.startsWith("-L") && word.length > 2) add(files.resolvePath(cwd, word.slice(2)), true);
    else add(files.resolvePath(cwd, word), args[at - 1] === "-L");
  }
  return [...found].map(([path, bytes]) => ({ path, bytes }));
}

/** @param url - of the worker */
async function askWorker({ task }: Shell, url: URL, call: object): Promise<Result> {
  const worker = idle.pop() ?? new Worker(url, { type: "module", name: "jq" });
  let result: Result | null = null;
  try {
    const answered = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve((result = data));
      worker.onerror = ({ message }) =>
        message
          ? reject(new CommandError(message))
          : void whyUnloaded(url, WORKER).then((why) => reject(new CommandError(why)));
    });
    worker.postMessage(call);
    while (result === null) await task.pause(answered);
    return result;
  } finally {
    if (result === null) worker.terminate();
    else idle.push(worker);
  }
}

export const jqCommand =
  (name: "jq" | "yq"): ((shell: Shell, args: string[]) => Promise<number | null>) =>
  async (shell, args) => {
    const { files, cwd, task, descriptors } = shell;
    const { urlOf } = await shell.host.options.importModule<{ urlOf(name: string): URL | null }>("node_command.mjs");
    const url = urlOf(WORKER);
    const input = readsInput(name, args) ? descriptors.table.get(0) : undefined;
    const stdin = input ? await input.readAll(task) : EMPTY;
    // The data of zones loads where a filter may ask for the time.
    const zone = args.some((word) => DATED.test(word)) ? await zoneOf(shell) : null;
    const call = { name, args, cwd, env: shell.variables.exported(), files: filesOf(shell, args), stdin, zone };
    // In another Pyodide than the page's, which has no address for the worker, jq runs in this thread and can't be ended.
    const answer =
      url === null
        ? (await shell.host.options.importModule<{ answer(call: object): Promise<Result> }>(WORKER)).answer(call)
        : askWorker(shell, url, call);
    const { exitCode, stdout, stderr, written = [] } = await answer;
    for (const { path, bytes } of written) {
      try {
        files.FS.writeFile(path, bytes);
      } catch (error) {
        throw new CommandError(`${name}: ${path}: ${reasonOf(error)}`);
      }
    }
    // jq prints errors at once, and its results in blocks.
    if (stderr.length) await shell.write(2, stderr);
    if (stdout.length) await shell.write(1, stdout);
    return exitCode;
  };
