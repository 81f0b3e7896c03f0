// jq, compiled to WebAssembly. Each run has an instance of its own, of the module that is compiled once.
// builder/bundles.py: the package, with its constructor and its filesystem exported.
import create from "jq-factory";
import binary from "jq-web/jq.wasm";
import { zoneDefinitions } from "./zone_names.js";

/**
 * @typedef {{ path: string, bytes: Uint8Array | null }} File a folder has no bytes
 *
 * @typedef {object} Call
 * @property {string[]} args
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {File[]} files
 * @property {Uint8Array} stdin
 * @property {import("../kernel/clock.js").Change[] | null} [zone]
 *
 * @typedef {{ exitCode: number, stdout: Uint8Array, stderr: Uint8Array }} Result
 */

// The package was compiled without its version.
const VERSION = "jq-1.7\n";

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** Bytes that arrive one by one. */
class Collected {
  bytes = new Uint8Array(1 << 12);
  size = 0;
  /** @param {number | null} byte */
  push(byte) {
    if (byte === null) return;
    if (this.size === this.bytes.length) {
      const larger = new Uint8Array(this.size * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.size++] = byte;
  }
  whole() {
    return this.bytes.slice(0, this.size);
  }
}

/** Add definitions to ~/.jq. @param {any} FS @param {string} home @param {string} definitions */
function define(FS, home, definitions) {
  const path = `${home}/.jq`;
  FS.mkdirTree(home);
  const own = FS.analyzePath(path).exists ? FS.readFile(path, { encoding: "utf8" }) : "";
  FS.writeFile(path, `${definitions}${own}`);
}

/** @param {Call} call @returns {Promise<Result>} */
export async function runJq({ args, cwd, env, files, stdin, zone = null }) {
  if (args.length === 1 && /^(?:--version|-V)$/.test(args[0] ?? "")) {
    return { exitCode: 0, stdout: new TextEncoder().encode(VERSION), stderr: new Uint8Array() };
  }
  compiled ??= WebAssembly.compile(binary);
  const module = await compiled;
  const [stdout, stderr] = [new Collected(), new Collected()];
  let position = 0;
  const input = () => (position < stdin.length ? stdin[position++] : null);
  const jq = await create({
    thisProgram: "jq",
    instantiateWasm: (/** @type {any} */ imports, /** @type {any} */ done) =>
      void WebAssembly.instantiate(module, imports).then((instance) => done(instance, module)),
    preRun: (/** @type {any} */ { FS, ENV }) => {
      Object.assign(ENV, env);
      FS.init(input, (/** @type {number} */ byte) => stdout.push(byte), (/** @type {number} */ byte) => stderr.push(byte));
    },
  });
  for (const { path, bytes } of files) {
    jq.FS.mkdirTree(bytes ? path.slice(0, path.lastIndexOf("/")) || "/" : path);
    if (bytes) jq.FS.writeFile(path, bytes);
  }
  const definitions = zoneDefinitions(args, zone);
  if (definitions) define(jq.FS, env.HOME ?? "/", definitions);
  jq.FS.mkdirTree(cwd);
  jq.FS.chdir(cwd);
  const exitCode = jq.callMain([...args]) ?? 0;
  return { exitCode, stdout: stdout.whole(), stderr: stderr.whole() };
}
