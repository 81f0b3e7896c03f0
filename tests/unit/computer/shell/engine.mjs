// Run scripts in the shell's engine on Emscripten's filesystem, without programs of Python:
// `node engine.mjs ENGINE PYODIDE` reads requests from standard input, and prints what each script prints (latin1) and its exit code.
import { readFileSync } from "node:fs";

const [engineUrl, pyodideUrl] = process.argv.slice(2);
// Pyodide changes standard input.
const requests = JSON.parse(readFileSync(0, "utf-8"));
const { loadPyodide } = await import(pyodideUrl);
const { FS } = await loadPyodide();
const { openSession } = await import(engineUrl);

const used = new Set();
const WORKING = { call: "", errno: 0, after: 0 };
let failing = WORKING;
// Emscripten's filesystem, one of whose functions fails.
const faulty = Object.create(FS);
for (const [name, value] of Object.entries(FS)) {
  if (typeof value !== "function" || /^[A-Z]/.test(name)) continue;
  faulty[name] = (...args) => {
    used.add(name);
    if (failing.call === name && failing.after-- <= 0) throw failing.errno ? new FS.ErrnoError(failing.errno) : { foreign: true };
    return value(...args);
  };
}

FS.mkdir("/links");
FS.symlink("/dev/stdin", "/links/input");
FS.symlink("/dev/stdout", "/links/output");
const latin1 = (chunks) => Buffer.concat(chunks).toString("latin1");
let count = 0;

async function run({ script, fail = null, typed = [] }) {
  const printed = { 1: [], 2: [] };
  const home = `/tmp/case-${++count}`;
  FS.mkdirTree(`${home}/folder`);
  FS.writeFile(`${home}/file`, "there\n");
  FS.writeFile(`${home}/script`, "echo there\n", { mode: 0o755 });
  FS.symlink("file", `${home}/link`);
  const session = openSession({
    FS: faulty,
    workingDir: home,
    env: { PATH: "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8" },
    commands: ["program"],
    liveCommands: [],
    runCommand: async () => ({ stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 0 }),
    suggest: async () => "",
    interrupts: null,
    number: count,
    cancelCommands() {},
    deliverSignal: () => false,
    originUnderGit: (origin) => origin,
    secretNames: "(^|_)token$",
    write: (stream, bytes) => printed[stream].push(Buffer.from(bytes)),
    ask: async () => null,
    importModule: async () => ({ urlOf: () => null }),
    state: null,
  });
  failing = fail ?? WORKING;
  // What a user types comes first, a command at a time.
  for (const line of typed) await session.run(line, 20_000, 0, true, 0, true);
  const { exitCode } = await session.run(script, 20_000, 0, false);
  failing = WORKING;
  session.close();
  return { stdout: latin1(printed[1]), stderr: latin1(printed[2]), exit_code: exitCode };
}

const results = [];
for (const request of requests) results.push(await run(request));
process.stdout.write(JSON.stringify({ results, calls: [...used].sort() }), () => process.exit());
