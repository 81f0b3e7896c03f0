// Run lines in the shell's engine with the page's programs of Python, under Node: `node sweep.mjs ENGINE PYODIDE JQ` reads
// a request (run.py) from standard input, and prints what each line prints (latin1) and its exit code.
import { readFileSync } from "node:fs";

const [engineUrl, pyodideUrl, jqUrl] = process.argv.slice(2);
// Pyodide changes standard input.
const request = JSON.parse(readFileSync(0, "utf-8"));
const { loadPyodide } = await import(pyodideUrl);
const pyodide = await loadPyodide();
const { FS } = pyodide;
const engine = await import(engineUrl);

const latin1 = (bytes) => Buffer.from(bytes).toString("latin1");
// A larger file is its size.
const LARGEST = 1 << 20;
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
  const done = await runPython(text, Object.assign(calls, { engine, terminal: count }));
  const [stdout, stderr, exitCode] = done.toJs();
  return { stdout, stderr, exitCode };
}

/** Empty a folder, and write the entries of a topic into it. @param {string} root @param {Record<string, any>} entries */
function furnish(root, entries) {
  const remove = (/** @type {string} */ path) => {
    if (!FS.isDir(FS.lstat(path).mode)) return FS.unlink(path);
    FS.chmod(path, 0o755);
    for (const name of FS.readdir(path)) if (name !== "." && name !== "..") remove(`${path}/${name}`);
    FS.rmdir(path);
  };
  if (FS.analyzePath(root).exists) remove(root);
  FS.mkdirTree(root);
  for (const [name, { kind, text, mode }] of Object.entries(entries)) {
    const path = `${root}/${name}`;
    if (kind === "link") FS.symlink(text, path);
    else if (kind === "folder") FS.mkdir(path, mode);
    else FS.writeFile(path, Buffer.from(text, "latin1"), { mode });
    if (kind === "file") FS.chmod(path, mode);
  }
  for (const [name, { kind, time }] of Object.entries(entries)) {
    if (kind !== "link") FS.utime(`${root}/${name}`, time * 1000, time * 1000);
  }
  FS.chmod(root, 0o755);
}

/** @param {string} root @returns {Record<string, { kind: string, text: string }>} what each path below has */
function entriesOf(root) {
  const found = {};
  const visit = (/** @type {string} */ folder) => {
    for (const name of FS.readdir(`${root}/${folder}`)) {
      if (name === "." || name === "..") continue;
      const path = folder + name;
      const { mode, size } = FS.lstat(`${root}/${path}`);
      // Files that the line made unreadable are compared, too.
      if (FS.isDir(mode) || FS.isFile(mode)) FS.chmod(`${root}/${path}`, 0o700);
      if (FS.isLink(mode)) found[path] = { kind: "link", text: FS.readlink(`${root}/${path}`) };
      else if (FS.isDir(mode)) {
        found[path] = { kind: "folder", text: "" };
        visit(`${path}/`);
      } else if (FS.isFile(mode)) {
        const text = size > LARGEST ? `(${size} bytes)` : latin1(FS.readFile(`${root}/${path}`));
        found[path] = { kind: "file", text };
      }
    }
  };
  if (FS.analyzePath(root).exists) {
    FS.chmod(root, 0o755);
    visit("");
  }
  return found;
}

let count = 0;
// A line that prints more is interrupted.
const MOST = 1 << 20;

/** @param {{ text: string, topic: string }} line */
async function run({ text, topic }) {
  furnish(request.root, request.folders[topic]);
  const printed = { 1: [], 2: [] };
  let size = 0;
  const session = engine.openSession({
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
    deliverSignal: () => false,
    originUnderGit: (origin) => origin,
    secretNames: "(^|_)token$",
    write(stream, bytes) {
      printed[stream].push(Buffer.from(bytes));
      size += bytes.length;
      if (size > MOST) session.interrupt();
    },
    ask: async () => null,
    // Without a worker, jq runs in this thread.
    importModule: async (/** @type {string} */ name) => (name === "jq_worker.mjs" ? import(jqUrl) : { urlOf: () => null }),
    zone: async () => JSON.stringify({ changes: [[0, 0, "UTC", false]], problem: null }),
    state: null,
  });
  await session.run("exec < /dev/null", request.limit_ms, 0, false);
  const { exitCode } = await session.run(text, request.limit_ms, 0, false);
  session.close();
  return { stdout: latin1(Buffer.concat(printed[1])), stderr: latin1(Buffer.concat(printed[2])), exit_code: exitCode, entries: entriesOf(request.root) };
}

const results = [];
for (const line of request.lines) results.push(await run(line));
process.stdout.write(JSON.stringify(results), () => process.exit());
