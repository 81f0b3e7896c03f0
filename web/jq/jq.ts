// jq, compiled to WebAssembly. Each run has its own instance of the module, which is compiled once.
// builder/bundles.py: the package, with its constructor and its filesystem exported.
import type { EmscriptenModule, FileSystem } from "../kernel/emscripten.ts";
import create from "jq-factory";
import binary from "jq-web/jq.wasm";
import type { Change } from "../kernel/clock.ts";
import { zoneDefinitions } from "./zone_names.ts";

/** a folder has no bytes */
type File = { path: string; bytes: Uint8Array | null };

export interface Call {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  files: File[];
  stdin: Uint8Array;
  zone?: Change[] | null;
}

/** `written`: the files that the caller writes */
export interface Result {
  exitCode: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
  written?: { path: string; bytes: Uint8Array }[];
}

// The package was compiled without its version.
const VERSION = "jq-1.7\n";

let compiled: Promise<WebAssembly.Module> | undefined;

/** Bytes that arrive one by one. */
class Collected {
  bytes = new Uint8Array(1 << 12);
  size = 0;
  push(byte: number | null) {
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

/** Add definitions to ~/.jq. */
function define(FS: FileSystem, home: string, definitions: string) {
  const path = `${home}/.jq`;
  FS.mkdirTree(home);
  const own = FS.analyzePath(path).exists ? FS.readFile(path, { encoding: "utf8" }) : "";
  FS.writeFile(path, `${definitions}${own}`);
}

export async function runJq({ args, cwd, env, files, stdin, zone = null }: Call): Promise<Result> {
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
    instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => void WebAssembly.instantiate(module, imports).then((instance) => done(instance, module)),
    preRun: ({ FS, ENV }: EmscriptenModule) => {
      Object.assign(ENV, env);
      FS.init(
        input,
        (byte) => stdout.push(byte),
        (byte) => stderr.push(byte),
      );
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
