// Runs the page's git under Node, on a folder of this machine: node runner.mjs <git_command.mjs> <pyodide> <root>
// It reads requests, a line of JSON each, and answers with one. Files change only through it, since Emscripten keeps names.
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [bundle, pyodide, root] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const { runGit } = await import(pathToFileURL(bundle));
const { ShellFiles } = await import(pathToFileURL(bundle.replace(/[^/]*$/, "files.mjs")));
const { FS } = await loadPyodide();
FS.mkdirTree(root);
FS.mount(FS.filesystems.NODEFS, { root }, root);
const files = new ShellFiles(FS);

/** Hooks and editors run in this machine's shell. */
const exec = (env) => async (script, cwd, given = {}) => {
  const done = spawnSync("sh", ["-c", script], { cwd, env: { ...env, ...given }, encoding: "utf8" });
  return { stdout: done.stdout, stderr: done.stderr, exitCode: done.status ?? 1 };
};

const OPERATIONS = {
  git: async ({ args, cwd, env, stdin = "", isTerminal = false, firstBranch = undefined }) => {
    const printed = { stdout: "", stderr: "" };
    const print = (text) => void (printed.stdout += text);
    const complain = (text) => void (printed.stderr += text);
    const context = { isTerminal, firstBranch, fs: files, cwd, env: new Map(Object.entries(env)), stdin, exec: exec(env), print, complain, ask: async () => null };
    const done = await runGit(args, context);
    return { stdout: printed.stdout + done.stdout, stderr: printed.stderr + done.stderr, exitCode: done.exitCode };
  },
  write: async ({ path, text }) => {
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, text);
  },
  link: async ({ path, target }) => {
    if (files.linkExists(path)) FS.unlink(path);
    FS.symlink(target, path);
  },
  remove: async ({ path }) => files.rm(path, { recursive: true, force: true }),
  mkdir: async ({ path }) => FS.mkdirTree(path),
  chmod: async ({ path, mode }) => FS.chmod(path, mode),
  rename: async ({ path, target }) => FS.rename(path, target),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { op, ...request } = JSON.parse(line);
  const answer = await OPERATIONS[op](request).catch((error) => ({ crash: String(error.stack ?? error) }));
  process.stdout.write(`${JSON.stringify(answer ?? {})}\n`);
}
process.exit();
