// Modules: CommonJS (https://nodejs.org/docs/latest-v20.x/api/modules.html), ES modules, and how names are resolved.
import path from "path-browserify";

import { builtins } from "./builtin_table.ts";
import * as fs from "./fs.ts";
import { cwd, fromFileUrl, toFileUrl } from "./paths.ts";
import { compileModule, compileScript, hasModuleSyntax, type Compiled } from "./source.ts";

/** the used fields of a package.json */
interface Manifest {
  main?: string;
  type?: string;
  exports?: unknown;
}

type Require = ((name: string) => unknown) & {
  resolve(name: string): string;
  cache: typeof cache;
  main: Module | undefined;
};

/** names and values */
type Namespace = Record<string, unknown>;

const EXTENSIONS = [".js", ".json", ".mjs", ".cjs"];
const cache: Record<string, Module> = Object.create(null);
/** Modules that are ES modules, by path. */
const modules = new Map<string, EsModule>();
/** The module that the program began with. */
let main: Module | undefined;

const failure = (code: string, message: string, more?: object) => Object.assign(new Error(message), { code }, more);

const isFile = (at: string) => fs.statSync(at, { throwIfNoEntry: false })?.isFile() === true;
const isFolder = (at: string) => fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;

function manifestOf(folder: string): Manifest | null {
  const file = path.join(folder, "package.json");
  return isFile(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : null;
}

const asFile = (at: string): string | null =>
  isFile(at) ? at : (EXTENSIONS.map((extension) => at + extension).find(isFile) ?? null);

function asFolder(folder: string): string | null {
  if (!isFolder(folder)) return null;
  const entry = manifestOf(folder)?.main;
  const named = entry ? (asFile(path.join(folder, entry)) ?? asFile(path.join(folder, entry, "index"))) : null;
  return named ?? asFile(path.join(folder, "index"));
}

/** Return the path that `exports` of a package.json names. */
function conditional(target: unknown, conditions: string[]): string | null {
  if (typeof target === "string" || target == null) return target ?? null;
  if (Array.isArray(target)) return target.map((each) => conditional(each, conditions)).find(Boolean) ?? null;
  for (const [name, each] of Object.entries<unknown>(Object(target)))
    if (conditions.includes(name)) return conditional(each, conditions);
  return null;
}

function exported(exports: unknown, subpath: string, conditions: string[]): string | null {
  const isMap =
    typeof exports === "object" &&
    !Array.isArray(exports) &&
    Object.keys(Object(exports)).every((key) => key.startsWith("."));
  const map: Namespace = isMap ? Object(exports) : { ".": exports };
  if (subpath in map) return conditional(map[subpath], conditions);
  for (const [key, target] of Object.entries(map)) {
    const [before = "", after = ""] = key.split("*");
    if (!key.includes("*") || !subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    return (
      conditional(target, conditions)?.replaceAll("*", subpath.slice(before.length, subpath.length - after.length)) ??
      null
    );
  }
  return null;
}

/** @param from - a folder */
function inPackages(name: string, from: string, conditions: string[]): string | null {
  const [, packageName = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? [];
  for (let folder = from; ; folder = path.dirname(folder)) {
    const place = path.join(folder, "node_modules", packageName);
    if (isFolder(place)) {
      const { exports } = manifestOf(place) ?? {};
      if (exports === undefined) return asFile(place + rest) ?? asFolder(place + rest);
      const target = exported(exports, `.${rest}`, conditions);
      if (target) return path.join(place, target);
      throw failure(
        "ERR_PACKAGE_PATH_NOT_EXPORTED",
        `Package subpath '.${rest}' is not defined by "exports" in ${place}/package.json`,
      );
    }
    if (folder === "/") return null;
  }
}

/**
 * @param from - a folder
 * @param imports - whether `import` asks
 * @returns a path
 */
function locate(name: string, from: string, imports = false): string | null {
  if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(name)) {
    const whole = path.resolve(from, name);
    const found = imports
      ? isFile(whole)
        ? whole
        : null
      : ((name.endsWith("/") ? null : asFile(whole)) ?? asFolder(whole));
    return found && fs.realpathSync(found);
  }
  return inPackages(name, from, ["node", imports ? "import" : "require", "module-sync", "default"]);
}

const builtinName = (name: string) => (name.startsWith("node:") ? name.slice(5) : name);
function isBuiltin(name: string) {
  const plain = builtinName(name);
  // As in Node, this one needs its prefix.
  return Object.hasOwn(builtins, plain) && (plain !== "test" || name.startsWith("node:"));
}

function isModuleFile(file: string) {
  if (/\.c?js$/.test(file) === false) return file.endsWith(".mjs");
  if (file.endsWith(".cjs")) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = manifestOf(folder);
    if (manifest?.type !== undefined) return manifest.type === "module";
    if (manifest || folder === "/") return hasModuleSyntax(fs.readFileSync(file, "utf8"));
  }
}

export class Module {
  declare id: string;
  declare path: string;
  declare exports: unknown;
  declare filename: string;
  declare loaded: boolean;
  declare children: Module[];
  declare paths: string[];
  declare require: Require;

  /** @param id - a path */
  constructor(id: string, parent: Place | null) {
    Object.assign(this, {
      id,
      path: path.dirname(id),
      exports: {},
      filename: id,
      loaded: false,
      children: [],
      paths: pathsFrom(path.dirname(id)),
    });
    this.require = requireFrom(this);
    parent?.children.push(this);
  }
  static _cache = cache;
  static get builtinModules() {
    return Object.keys(builtins);
  }
  static isBuiltin = isBuiltin;
  /** The path that the program's first argument names. */
  static _resolveMain(given: string) {
    const whole = path.resolve(cwd(), given);
    return asFile(whole) ?? asFolder(whole) ?? whole;
  }
  static createRequire(from: string | URL) {
    const file = String(from).startsWith("file:") ? fromFileUrl(from) : String(from);
    return requireFrom({ filename: file, path: path.dirname(file), children: [] });
  }
}
Object.assign(Module, { Module });

function pathsFrom(folder: string): string[] {
  const here = path.join(folder, "node_modules");
  return folder === "/" ? [here] : [here, ...pathsFrom(path.dirname(folder))];
}

/** a module, or a file that has none */
type Place = Pick<Module, "filename" | "path" | "children">;

/** @returns the module's `require` */
function requireFrom(module: Place): Require {
  const find = (name: string) => {
    if (typeof name !== "string")
      throw Object.assign(new TypeError(`The "id" argument must be of type string. Received ${typeof name}`), {
        code: "ERR_INVALID_ARG_TYPE",
      });
    if (name.startsWith("node:") && !isBuiltin(name))
      throw failure("ERR_UNKNOWN_BUILTIN_MODULE", `No such built-in module: ${name}`);
    const found = locate(name, module.path);
    if (found) return found;
    const stack = module.filename ? `\nRequire stack:\n- ${module.filename}` : "";
    throw failure("MODULE_NOT_FOUND", `Cannot find module '${name}'${stack}`, {
      requireStack: [module.filename].filter(Boolean),
    });
  };
  const require = (name: string) => (isBuiltin(name) ? builtins[builtinName(name)]?.() : load(find(name), module));
  return Object.assign(require, { resolve: (name: string) => (isBuiltin(name) ? name : find(name)), cache, main });
}

/** @returns the module's exports */
function load(file: string, parent: Place | null): unknown {
  const known = cache[file];
  if (known) return known.exports;
  if (!file.endsWith(".json") && isModuleFile(file)) return moduleOf(file).evaluateNow();
  const module = new Module(file, parent);
  cache[file] = module;
  if (!main) setMain(module);
  try {
    execute(module, fs.readFileSync(file, "utf8"));
  } catch (error) {
    delete cache[file];
    throw error;
  }
  module.loaded = true;
  return module.exports;
}

function setMain(module: Module) {
  main = module;
  module.id = ".";
  module.require.main = module;
}

function execute(module: Module, text: string) {
  const { filename, exports, require } = module;
  if (filename.endsWith(".json")) {
    try {
      module.exports = JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch (error) {
      throw new SyntaxError(`${filename}: ${error instanceof Error ? error.message : error}`);
    }
    return;
  }
  const { run } = compileScript(text, filename);
  run.call(exports, exports, require, module, filename, module.path, importer(filename));
}

/** Return what `import` sees of a module that isn't an ES module. */
function namespaceOf(value: unknown) {
  const isOpen = (typeof value === "object" && value !== null) || typeof value === "function";
  // The static methods of a class aren't enumerable.
  const names = isOpen ? (typeof value === "function" ? Object.getOwnPropertyNames(value) : Object.keys(value)) : [];
  const named = names
    .filter((name) => !["default", "prototype", "caller", "arguments"].includes(name))
    .map((name): [string, unknown] => [name, Reflect.get(Object(value), name)]);
  return Object.assign(emptyNamespace(), Object.fromEntries(named), { default: value });
}

const emptyNamespace = (): Namespace =>
  Object.defineProperties(Object.create(null), {
    __esModule: { value: true },
    [Symbol.toStringTag]: { value: "Module" },
    // sucrase calls it for `export *`.
    hasOwnProperty: { value: Object.prototype.hasOwnProperty },
  });

/** List the names in the order of a namespace. */
function sortNames(namespace: Namespace) {
  for (const name of Object.keys(namespace).sort()) {
    const value = namespace[name];
    delete namespace[name];
    namespace[name] = value;
  }
}

const importer = (file: string) => async (name: string) => importFrom(String(name), file);

/** @param file - that imports */
function resolveImport(name: string, file: string) {
  if (isBuiltin(name)) return name;
  const found = name.startsWith("file:") ? fromFileUrl(name) : locate(name, path.dirname(file), true);
  if (found && isFile(found)) return found;
  if (/^(?:https?|data):/.test(name)) {
    throw failure(
      "ERR_UNSUPPORTED_ESM_URL_SCHEME",
      `Only URLs with a scheme in: file and node are supported. Received protocol '${name.split(":")[0]}:'`,
    );
  }
  if (/^\.{0,2}\//.test(name)) {
    throw failure(
      "ERR_MODULE_NOT_FOUND",
      `Cannot find module '${path.resolve(path.dirname(file), name)}' imported from ${file}`,
    );
  }
  throw failure("ERR_MODULE_NOT_FOUND", `Cannot find package '${name}' imported from ${file}`);
}

/** @returns the namespace */
async function importFrom(name: string, file: string): Promise<unknown> {
  const found = resolveImport(name, file);
  if (isBuiltin(found) || !isEsModule(found)) return importOther(found);
  const module = moduleOf(found);
  await module.evaluate();
  return module.exports;
}

const isEsModule = (file: string) => !file.endsWith(".json") && isModuleFile(file);

const namespaces = new Map<unknown, unknown>();
/** @param found - a path or a name of a builtin */
function importOther(found: string) {
  const value = isBuiltin(found) ? builtins[builtinName(found)]?.() : load(found, null);
  if (!namespaces.has(found)) namespaces.set(found, namespaceOf(value));
  return namespaces.get(found);
}

function moduleOf(file: string) {
  let module = modules.get(file);
  if (!module) modules.set(file, (module = new EsModule(file)));
  return module;
}

class EsModule {
  file: string;
  exports: Namespace;
  compiled: Compiled;
  state: "new" | "running" | "done" | "failed" = "new";
  error: unknown = undefined;
  running: Promise<void> | null = null;

  constructor(file: string, text: string = fs.readFileSync(file, "utf8")) {
    this.file = file;
    this.exports = emptyNamespace();
    this.compiled = compileModule(text, toFileUrl(file).href);
  }

  /** @returns the ES modules that it imports */
  dependencies(): EsModule[] {
    const found = this.compiled.imports.map((name) => resolveImport(name, this.file));
    return found.filter((each) => !isBuiltin(each) && isEsModule(each)).map(moduleOf);
  }

  /** Run its imports, and then itself. */
  evaluate(): Promise<void> {
    this.running ??= this.#evaluate();
    return this.running;
  }
  async #evaluate() {
    this.state = "running";
    for (const each of this.dependencies())
      if (each.state === "new" || (each.state === "running" && each.running && !waits(each))) await each.evaluate();
    await this.start();
    this.#check();
  }
  #check() {
    if (this.state === "failed") throw this.error;
  }

  /**
   * As `evaluate`, for `require`.
   * @returns its exports
   */
  evaluateNow(): unknown {
    if (this.state === "new") {
      this.state = "running";
      for (const each of this.dependencies()) each.evaluateNow();
      const done = this.start();
      done.catch(() => {});
      if (this.state === "running")
        throw failure(
          "ERR_REQUIRE_ASYNC_MODULE",
          `require() cannot be used on an ESM graph with top-level await. Use import() instead.`,
        );
    }
    if (this.state === "failed") throw this.error;
    return "module.exports" in this.exports ? this.exports["module.exports"] : this.exports;
  }

  start() {
    const { file } = this;
    const settle = (thrown: [unknown] | undefined) => {
      this.state = thrown ? "failed" : "done";
      this.error = thrown?.[0];
      sortNames(this.exports);
    };
    const meta = Object.assign(Object.create(null), {
      ...{ dirname: path.dirname(file), filename: file, url: toFileUrl(file).href },
      resolve: (name: string) => {
        const found = resolveImport(name, file);
        return isBuiltin(found) ? `node:${builtinName(found)}` : toFileUrl(found).href;
      },
    });
    const require = (name: string) => {
      const found = resolveImport(name, file);
      return isBuiltin(found) || !isEsModule(found) ? importOther(found) : moduleOf(found).exports;
    };
    starting.add(this);
    return this.compiled.run
      .call(undefined, this.exports, require, importer(file), meta, settle)
      .finally(() => starting.delete(this));
  }
}

/** Modules of a cycle mustn't wait for each other. */
const starting = new Set<EsModule>();
const waits = (module: EsModule) => module.state === "running" && !starting.has(module);

/** Run the program's file. */
export function runMain(given: string): Promise<void> | undefined {
  const found = Module._resolveMain(given);
  if (!isFile(found)) throw failure("MODULE_NOT_FOUND", `Cannot find module '${found}'`, { requireStack: [] });
  const file = fs.realpathSync(found);
  if (isEsModule(file)) return moduleOf(file).evaluate();
  load(file, null);
  return undefined;
}

/** Run text as an ES module. */
export const runModuleText = (text: string, name: string) => new EsModule(path.join(cwd(), name), text).evaluate();

export function scopeOf(name: string) {
  const module = new Module(path.join(cwd(), name), null);
  return {
    module,
    exports: module.exports,
    require: module.require,
    __filename: name,
    __dirname: ".",
    __import: importer(module.filename),
  };
}
