// Turns the text of a module into a function. The page's policy forbids modules that aren't files of the page's host, so
// ES modules become functions that call `require` (sucrase), and `import()` and `import.meta` become names.
import { parse } from "es-module-lexer/minimal/js";
import { transform } from "sucrase";

/**
 * @typedef {object} Compiled
 * @property {(...args: any[]) => any} run
 * @property {string[]} imports what an ES module imports
 */

// Indirect, so that code sees no variable of ours.
const evaluate = globalThis.eval;
const META = -2;
const STATIC = -1;
const COMMONJS = ["exports", "require", "module", "__filename", "__dirname", "__import"];
// Tells the calls of `require` that sucrase writes from the module's own.
const MARK = "\u2063";
const MARKED = /\brequire\((['"])\u2063/g;
const MODULE = ["exports", "__require", "__import", "__meta", "__settle"];
/** The texts of modules by their names in stacks, and what comes before them in their first line. @type {Map<string, { text: string, before: number }>} */
export const sources = new Map();

/** @param {string} text */
const withoutShebang = (text) => (text.startsWith("#!") ? `//${text}` : text);

/** @param {string} text @returns {readonly any[]} */
function importsOf(text) {
  try {
    return parse(text);
  } catch {
    // The evaluation reports it in the words of the engine.
    return [[], []];
  }
}

/** Replace `import(` and `import.meta`, and mark what is imported. @param {string} text @param {readonly any[]} imports */
function withNames(text, imports) {
  let changed = text;
  for (const { d, s, e, ss } of [...imports].reverse()) {
    const [from, to, name] = d === STATIC ? [s, s, MARK] : d === META ? [s, e, "__meta"] : [ss, d, "__import"];
    changed = changed.slice(0, from) + name + changed.slice(to);
  }
  return changed;
}

const DECLARATION = /\bexport(?=\s+(?:const|let|var)\s+[[{(\s]*$)/;
const HOISTED = /\bexport\s+(?:default\s*)?(?:(?:async\s+)?function\s*\*?\s*)?$/;
const FUNCTION = /^\s*(?:default\s+)?(?:async\s+)?function\b/;

/**
 * Write declarations of several variables without their `export`, which sucrase understands for one, and list the functions:
 * they are exported before the module runs, for modules that import each other.
 * @param {string} text @param {readonly any[]} exports @returns {{ text: string, functions: string }}
 */
function withPlainDeclarations(text, exports) {
  let changed = text;
  /** @type {string[]} */
  const names = [];
  let functions = "";
  let end = 0;
  exports.forEach(({ n, ln, s, e }, at) => {
    const before = text.slice(end, s);
    const [keyword] = DECLARATION.exec(before) ?? [];
    const next = exports[at + 1];
    const continues = next !== undefined && !/\bexport\b/.test(text.slice(e, next.s));
    if (keyword && (continues || /[[{(]\s*$/.test(before))) {
      const from = end + before.search(DECLARATION);
      changed = changed.slice(0, from) + " ".repeat("export".length) + changed.slice(from + "export".length);
      names.push(ln);
    } else if (!/\bexport\b/.test(before) && names.length && ln !== undefined && !/\bas\s+$/.test(before)) names.push(ln);
    if (ln !== undefined && HOISTED.test(before) && FUNCTION.test(text.slice(end + before.search(HOISTED) + "export".length))) {
      functions += `exports[${JSON.stringify(n)}] = ${ln}; `;
    }
    end = e;
  });
  return { text: names.length ? `${changed}\nexport { ${names.join(", ")} };` : text, functions };
}

/** Return whether a text is an ES module, as its syntax shows. @param {string} text */
export function hasModuleSyntax(text) {
  const [imports, exports] = importsOf(withoutShebang(text));
  return exports.length > 0 || imports.some((/** @type {any} */ { d }) => d === STATIC || d === META);
}

/** @param {string} head @param {string} body @param {string} foot @param {string} name in stacks @param {string} text */
function functionOf(head, body, foot, name, text) {
  sources.set(name, { text, before: head.length });
  return evaluate(`${head}${body}${foot}\n//# sourceURL=${name}`);
}

/** @param {string} given @param {string} path @returns {Compiled} */
export function compileScript(given, path) {
  const text = withoutShebang(given);
  const [imports] = importsOf(text);
  return { run: functionOf(`(function (${COMMONJS.join(", ")}) { `, withNames(text, imports), "\n})", path, given), imports: [] };
}

/** @param {string} given @param {string} name in stacks @returns {Compiled} */
export function compileModule(given, name) {
  const text = withoutShebang(given);
  const [imports, exports] = importsOf(text);
  const plain = withPlainDeclarations(text, exports);
  const changed = transform(withNames(plain.text, imports), { transforms: ["imports"], preserveDynamicImport: true, disableESTransforms: true, filePath: name });
  // What the module throws, and its end, are reported to `__settle` at once, so a module without `await` ends at once.
  const head = `(async function (${MODULE.join(", ")}) { "use strict"; try { ${plain.functions}`;
  const run = functionOf(head, changed.code.replaceAll(MARKED, "__require($1"), "\n__settle() } catch (error) { __settle([error]) }\n})", name, given);
  return { run, imports: imports.filter((/** @type {any} */ { d }) => d === STATIC).map((/** @type {any} */ { n }) => n) };
}

/** Run a script as `-e` does: its value is that of its last expression. @param {string} text @param {string} name in stacks */
export const evaluateScript = (text, name) => functionOf("", withNames(text, importsOf(text)[0]), "", name, text);
