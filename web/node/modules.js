// Modules: CommonJS (https://nodejs.org/docs/latest-v20.x/api/modules.html), ES modules, and how names are resolved.
import path from "path-browserify";

import { builtins } from "./builtin_table.js";
import * as fs from "./fs.js";
import { cwd, fromFileUrl, toFileUrl } from "./paths.js";
import { compileModule, compileScript, hasModuleSyntax } from "./source.js";

const EXTENSIONS = [".js", ".json", ".mjs", ".cjs"];
/** @type {Record<string, any>} */
const cache = Object.create(null);
/** Modules that are ES modules, by path. @type {Map<string, EsModule>} */
const modules = new Map();
/** The module that the program began with. @type {any} */
let main;

/** @param {string} code @param {string} message @param {object} [more] */
const failure = (code, message, more) => Object.assign(new Error(message), { code }, more);

/** @param {string} at */
const isFile = (at) => fs.statSync(at, { throwIfNoEntry: false })?.isFile() === true;
/** @param {string} at */
const isFolder = (at) => fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;

/** @param {string} folder @returns {any} */
function manifestOf(folder) {
  const file = path.join(folder, "package.json");
  return isFile(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : null;
}

/** @param {string} at @returns {string | null} */
const asFile = (at) => (isFile(at) ? at : (EXTENSIONS.map((extension) => at + extension).find(isFile) ?? null));

/** @param {string} folder @returns {string | null} */
function asFolder(folder) {
  if (!isFolder(folder)) return null;
  const entry = manifestOf(folder)?.main;
  const named = entry ? (asFile(path.join(folder, entry)) ?? asFile(path.join(folder, entry, "index"))) : null;
  return named ?? asFile(path.join(folder, "index"));
}

/** Return the path that `exports` of a package.json names. @param {any} target @param {string[]} conditions @returns {string | null} */
function conditional(target, conditions) {
  if (typeof target === "string" || target == null) return target ?? null;
  if (Array.isArray(target)) return target.map((each) => conditional(each, conditions)).find(Boolean) ?? null;
  for (const [name, each] of Object.entries(target)) if (conditions.includes(name)) return conditional(each, conditions);
  return null;
}

/** @param {any} exports @param {string} subpath @param {string[]} conditions @returns {string | null} */
function exported(exports, subpath, conditions) {
  const isMap = typeof exports === "object" && !Array.isArray(exports) && Object.keys(exports).every((key) => key.startsWith("."));
  const map = isMap ? exports : { ".": exports };
  if (subpath in map) return conditional(map[subpath], conditions);
  for (const [key, target] of Object.entries(map)) {
    const [before = "", after = ""] = key.split("*");
    if (!key.includes("*") || !subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    return conditional(target, conditions)?.replaceAll("*", subpath.slice(before.length, subpath.length - after.length)) ?? null;
  }
  return null;
}

/** @param {string} name @param {string} from a folder @param {string[]} conditions @returns {string | null} */
function inPackages(name, from, conditions) {
  const [, packageName = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? [];
  for (let folder = from; ; folder = path.dirname(folder)) {
    const place = path.join(folder, "node_modules", packageName);
    if (isFolder(place)) {
      const { exports } = manifestOf(place) ?? {};
      if (exports === undefined) return asFile(place + rest) ?? asFolder(place + rest);
      const target = exported(exports, `.${rest}`, conditions);
      if (target) return path.join(place, target);
      throw failure("ERR_PACKAGE_PATH_NOT_EXPORTED", `Package subpath '.${rest}' is not defined by "exports" in ${place}/package.json`);
    }
    if (folder === "/") return null;
  }
}

/** @param {string} name @param {string} from a folder @param {boolean} [imports] whether `import` asks @returns {string | null} a path */
function locate(name, from, imports = false) {
  if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(name)) {
    const whole = path.resolve(from, name);
    const found = imports ? (isFile(whole) ? whole : null) : ((name.endsWith("/") ? null : asFile(whole)) ?? asFolder(whole));
    return found && fs.realpathSync(found);
  }
  return inPackages(name, from, ["node", imports ? "import" : "require", "module-sync", "default"]);
}

/** @param {string} name */
const builtinName = (name) => (name.startsWith("node:") ? name.slice(5) : name);
/** @param {string} name */
function isBuiltin(name) {
  const plain = builtinName(name);
  // As in Node, this one needs its prefix.
  return Object.hasOwn(builtins, plain) && (plain !== "test" || name.startsWith("node:"));
}

/** @param {string} file */
function isModuleFile(file) {
  if (/\.c?js$/.test(file) === false) return file.endsWith(".mjs");
  if (file.endsWith(".cjs")) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = manifestOf(folder);
    if (manifest?.type !== undefined) return manifest.type === "module";
    if (manifest || folder === "/") return hasModuleSyntax(fs.readFileSync(file, "utf8"));
  }
}

export class Module {
  /** @param {string} id a path @param {any} parent */
  constructor(id, parent) {
    Object.assign(this, { id, path: path.dirname(id), exports: {}, filename: id, loaded: false, children: [], paths: pathsFrom(path.dirname(id)) });
    /** @type {any} */ (this).require = requireFrom(/** @type {any} */ (this));
    parent?.children.push(this);
  }
  static _cache = cache;
  static get builtinModules() {
    return Object.keys(builtins);
  }
  static isBuiltin = isBuiltin;
  /** The path that the program's first argument names. @param {string} given */
  static _resolveMain(given) {
    const whole = path.resolve(cwd(), given);
    return asFile(whole) ?? asFolder(whole) ?? whole;
  }
  /** @param {string | URL} from */
  static createRequire(from) {
    const file = String(from).startsWith("file:") ? fromFileUrl(from) : String(from);
    return requireFrom(/** @type {any} */ ({ filename: file, path: path.dirname(file), children: [] }));
  }
}
/** @type {any} */ (Module).Module = Module;

/** @param {string} folder @returns {string[]} */
function pathsFrom(folder) {
  const here = path.join(folder, "node_modules");
  return folder === "/" ? [here] : [here, ...pathsFrom(path.dirname(folder))];
}

/** @param {any} module @returns {any} the module's `require` */
function requireFrom(module) {
  const find = (/** @type {string} */ name) => {
    if (typeof name !== "string") throw Object.assign(new TypeError(`The "id" argument must be of type string. Received ${typeof name}`), { code: "ERR_INVALID_ARG_TYPE" });
    if (name.startsWith("node:") && !isBuiltin(name)) throw failure("ERR_UNKNOWN_BUILTIN_MODULE", `No such built-in module: ${name}`);
    const found = locate(name, module.path);
    if (found) return found;
    const stack = module.filename ? `\nRequire stack:\n- ${module.filename}` : "";
    throw failure("MODULE_NOT_FOUND", `Cannot find module '${name}'${stack}`, { requireStack: [module.filename].filter(Boolean) });
  };
  const require = (/** @type {string} */ name) => (isBuiltin(name) ? builtins[builtinName(name)]?.() : load(find(name), module));
  return Object.assign(require, { resolve: (/** @type {string} */ name) => (isBuiltin(name) ? name : find(name)), cache, main });
}

/** @param {string} file @param {any} parent @returns {any} what the module exports */
function load(file, parent) {
  if (cache[file]) return cache[file].exports;
  if (!file.endsWith(".json") && isModuleFile(file)) return moduleOf(file).evaluateNow();
  const module = /** @type {any} */ (new Module(file, parent));
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

/** @param {any} module */
function setMain(module) {
  main = module;
  module.id = ".";
  module.require.main = module;
}

/** @param {any} module @param {string} text */
function execute(module, text) {
  const { filename, exports, require } = module;
  if (filename.endsWith(".json")) {
    try {
      module.exports = JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch (error) {
      throw new SyntaxError(`${filename}: ${/** @type {Error} */ (error).message}`);
    }
    return;
  }
  const { run } = compileScript(text, filename);
  run.call(exports, exports, require, module, filename, module.path, importer(filename));
}

/** Return what `import` sees of a module that isn't an ES module. @param {any} value */
function namespaceOf(value) {
  const isOpen = value !== null && /object|function/.test(typeof value);
  // The static methods of a class aren't enumerable.
  const names = isOpen ? (typeof value === "function" ? Object.getOwnPropertyNames(value) : Object.keys(value)) : [];
  const named = names.filter((name) => !["default", "prototype", "caller", "arguments"].includes(name)).map((name) => [name, value[name]]);
  return Object.assign(emptyNamespace(), Object.fromEntries(named), { default: value });
}

/** @returns {any} */
const emptyNamespace = () =>
  Object.defineProperties(Object.create(null), {
    __esModule: { value: true }, [Symbol.toStringTag]: { value: "Module" },
    // sucrase calls it for `export *`.
    hasOwnProperty: { value: Object.prototype.hasOwnProperty },
  });

/** List the names in the order of a namespace. @param {any} namespace */
function sortNames(namespace) {
  for (const name of Object.keys(namespace).sort()) {
    const value = namespace[name];
    delete namespace[name];
    namespace[name] = value;
  }
}

/** @param {string} file */
const importer = (file) => async (/** @type {string} */ name) => importFrom(String(name), file);

/** @param {string} name @param {string} file that imports */
function resolveImport(name, file) {
  if (isBuiltin(name)) return name;
  const found = name.startsWith("file:") ? fromFileUrl(name) : locate(name, path.dirname(file), true);
  if (found && isFile(found)) return found;
  if (/^(?:https?|data):/.test(name)) {
    throw failure("ERR_UNSUPPORTED_ESM_URL_SCHEME", `Only URLs with a scheme in: file and node are supported. Received protocol '${name.split(":")[0]}:'`);
  }
  if (/^\.{0,2}\//.test(name)) {
    throw failure("ERR_MODULE_NOT_FOUND", `Cannot find module '${path.resolve(path.dirname(file), name)}' imported from ${file}`);
  }
  throw failure("ERR_MODULE_NOT_FOUND", `Cannot find package '${name}' imported from ${file}`);
}

/** @param {string} name @param {string} file @returns {Promise<any>} the namespace */
async function importFrom(name, file) {
  const found = resolveImport(name, file);
  if (isBuiltin(found) || !isEsModule(found)) return importOther(found);
  const module = moduleOf(found);
  await module.evaluate();
  return module.exports;
}

/** @param {string} file */
const isEsModule = (file) => !file.endsWith(".json") && isModuleFile(file);

/** @type {Map<any, any>} */
const namespaces = new Map();
/** @param {string} found a path or a name of a builtin */
function importOther(found) {
  const value = isBuiltin(found) ? builtins[builtinName(found)]?.() : load(found, null);
  if (!namespaces.has(found)) namespaces.set(found, namespaceOf(value));
  return namespaces.get(found);
}

/** @param {string} file */
function moduleOf(file) {
  let module = modules.get(file);
  if (!module) modules.set(file, (module = new EsModule(file)));
  return module;
}

class EsModule {
  /** @param {string} file @param {string} [text] */
  constructor(file, text = fs.readFileSync(file, "utf8")) {
    this.file = file;
    this.exports = emptyNamespace();
    this.compiled = compileModule(text, toFileUrl(file).href);
    /** @type {"new" | "running" | "done" | "failed"} */
    this.state = "new";
    /** @type {unknown} */
    this.error = undefined;
    /** @type {Promise<void> | null} */
    this.running = null;
  }

  /** @returns {EsModule[]} the ES modules that it imports */
  dependencies() {
    const found = this.compiled.imports.map((name) => resolveImport(name, this.file));
    return found.filter((each) => !isBuiltin(each) && isEsModule(each)).map(moduleOf);
  }

  /** Run what it imports, and then itself. @returns {Promise<void>} */
  evaluate() {
    this.running ??= this.#evaluate();
    return this.running;
  }
  async #evaluate() {
    this.state = "running";
    for (const each of this.dependencies()) if (each.state === "new" || (each.state === "running" && each.running && !waits(each))) await each.evaluate();
    await this.start();
    this.#check();
  }
  #check() {
    if (this.state === "failed") throw this.error;
  }

  /** As `evaluate`, for `require`. @returns {any} what it exports */
  evaluateNow() {
    if (this.state === "new") {
      this.state = "running";
      for (const each of this.dependencies()) each.evaluateNow();
      const done = this.start();
      done.catch(() => {});
      if (this.state === "running") throw failure("ERR_REQUIRE_ASYNC_MODULE", `require() cannot be used on an ESM graph with top-level await. Use import() instead.`);
    }
    if (this.state === "failed") throw this.error;
    return "module.exports" in this.exports ? this.exports["module.exports"] : this.exports;
  }

  start() {
    const { file } = this;
    const settle = (/** @type {[unknown] | undefined} */ thrown) => {
      this.state = thrown ? "failed" : "done";
      this.error = thrown?.[0];
      sortNames(this.exports);
    };
    const meta = Object.assign(Object.create(null), {
      ...{ dirname: path.dirname(file), filename: file, url: toFileUrl(file).href },
      resolve: (/** @type {string} */ name) => {
        const found = resolveImport(name, file);
        return isBuiltin(found) ? `node:${builtinName(found)}` : toFileUrl(found).href;
      },
    });
    const require = (/** @type {string} */ name) => {
      const found = resolveImport(name, file);
      return isBuiltin(found) || !isEsModule(found) ? importOther(found) : moduleOf(found).exports;
    };
    starting.add(this);
    return this.compiled.run.call(undefined, this.exports, require, importer(file), meta, settle).finally(() => starting.delete(this));
  }
}

/** Modules of a cycle mustn't wait for each other. @type {Set<EsModule>} */
const starting = new Set();
/** @param {EsModule} module */
const waits = (module) => module.state === "running" && !starting.has(module);

/** Run the program's file. @param {string} given @returns {Promise<void> | undefined} */
export function runMain(given) {
  const found = Module._resolveMain(given);
  if (!isFile(found)) throw failure("MODULE_NOT_FOUND", `Cannot find module '${found}'`, { requireStack: [] });
  const file = fs.realpathSync(found);
  if (isEsModule(file)) return moduleOf(file).evaluate();
  load(file, null);
  return undefined;
}

/** Run text as an ES module. @param {string} text @param {string} name */
export const runModuleText = (text, name) => new EsModule(path.join(cwd(), name), text).evaluate();

/** @param {string} name */
export function scopeOf(name) {
  const module = /** @type {any} */ (new Module(path.join(cwd(), name), null));
  return { module, exports: module.exports, require: module.require, __filename: name, __dirname: ".", __import: importer(module.filename) };
}
