// Run lines in the shell's engine with the page's programs of Python, under Node: `node sweep.mjs ENGINE PYODIDE` reads a
// request (run.py) from standard input, and prints what each line prints (latin1) and its exit code.
import { readFileSync } from "node:fs";

const [engineUrl, pyodideUrl] = process.argv.slice(2);
// Pyodide changes standard input.
const request = JSON.parse(readFileSync(0, "utf-8"));
const { loadPyodide } = await import(pyodideUrl);
const pyodide = await loadPyodide();
const { FS } = pyodide;
const { openSession } = await import(engineUrl);

const latin1 = (bytes) => Buffer.from(bytes).toString("latin1");
const folderOf = (path) => path.slice(0, path.lastIndexOf("/"));

/** @param {string} path @param {string} content */
function write(path, content) {
  FS.mkdirTree(folderOf(path));
  FS.writeFile(path, Buffer.from(content, "latin1"));
}

for (const [path, text] of Object.entries(request.library)) write(`/library/${path}`, text);
pyodide.runPython(request.glue);
const runPython = pyodide.globals.get("run_command");
const commands = pyodide.globals.get("names")().toJs();

/** @param {string} text @param {any} calls */
async function runCommand(text, calls) {
  const done = await runPython(text, calls);
  const [stdout, stderr, exitCode] = done.toJs();
  return { stdout, stderr, exitCode };
}

/** Empty a folder, and write the files of the request into it. @param {string} root */
function furnish(root) {
  const remove = (/** @type {string} */ path) => {
    if (!FS.isDir(FS.lstat(path).mode)) return FS.unlink(path);
    for (const name of FS.readdir(path)) if (name !== "." && name !== "..") remove(`${path}/${name}`);
    FS.rmdir(path);
  };
  if (FS.analyzePath(root).exists) remove(root);
  FS.mkdirTree(root);
  for (const [name, content] of Object.entries(request.files)) write(`${root}/${name}`, content);
  for (const [name, target] of Object.entries(request.links)) FS.symlink(target, `${root}/${name}`);
  const time = request.time * 1000;
  for (const name of Object.keys(request.files)) {
    FS.chmod(`${root}/${name}`, 0o644);
    FS.utime(`${root}/${name}`, time, time);
    if (!name.includes("/")) continue;
    FS.chmod(`${root}/${folderOf(name)}`, 0o755);
    FS.utime(`${root}/${folderOf(name)}`, time, time);
  }
  FS.chmod(root, 0o755);
}

let count = 0;
// A line that prints more is interrupted.
const MOST = 1 << 20;

/** @param {string} line */
async function run(line) {
  furnish(request.root);
  const printed = { 1: [], 2: [] };
  let size = 0;
  const session = openSession({
    FS,
    workingDir: request.root,
    env: { ...request.environment, PWD: request.root },
    commands,
    liveCommands: [],
    runCommand,
    suggest: async (name, known) => pyodide.globals.get("suggest")(name, known),
    interrupts: null,
    number: ++count,
    cancelCommands() {},
    originUnderGit: (origin) => origin,
    write(stream, bytes) {
      printed[stream].push(Buffer.from(bytes));
      size += bytes.length;
      if (size > MOST) session.interrupt();
    },
    ask: async () => null,
    importModule: async () => ({ urlOf: () => null }),
    zone: async () => JSON.stringify({ changes: [[0, 0, "UTC", false]], problem: null }),
    state: null,
  });
  await session.run("exec < /dev/null", request.limit_ms, 0, false);
  const { exitCode } = await session.run(line, request.limit_ms, 0, false);
  session.close();
  return { stdout: latin1(Buffer.concat(printed[1])), stderr: latin1(Buffer.concat(printed[2])), exit_code: exitCode };
}

const results = [];
for (const line of request.lines) results.push(await run(line));
process.stdout.write(JSON.stringify(results), () => process.exit());
