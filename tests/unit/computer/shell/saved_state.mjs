// Run commands in one session, and print for each whether the session's state differs from the one before, as JSON:
// `node saved_state.mjs ENGINE PYODIDE` reads the commands from standard input.
import { readFileSync } from "node:fs";

const [engineUrl, pyodideUrl] = process.argv.slice(2);
// Pyodide changes standard input.
const commands = JSON.parse(readFileSync(0, "utf-8"));
const { loadPyodide } = await import(pyodideUrl);
const { FS } = await loadPyodide();
const { openSession } = await import(engineUrl);
const session = openSession({
  FS,
  workingDir: "/tmp",
  env: { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8" },
  commands: [],
  liveCommands: [],
  runCommand: async () => ({ stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 0 }),
  suggest: async () => "",
  interrupts: null,
  number: 1,
  cancelCommands() {},
  deliverSignal: () => false,
  originUnderGit: (origin) => origin,
  secretNames: "(^|_)token$",
  write() {},
  ask: async () => null,
  importModule: async () => ({ urlOf: () => null }),
  state: null,
});
session.saved();
const changed = [];
for (const command of commands) {
  await session.run(command, 20_000, 0, false);
  changed.push(session.saved() !== undefined);
}
process.stdout.write(JSON.stringify(changed));
process.exit();
