// Turns the text of a module into a function. The page's policy forbids modules that aren't files of the page's host, so
// ES modules become functions that call `require` (sucrase), and `import()` and `import.meta` become names.
import { parse, type ExportSpecifier, type ImportSpecifier } from "es-module-lexer/minimal/js";
import { transform } from "sucrase";

export interface Compiled {
  run: Function;
  /** what an ES module imports */
  imports: string[];
}

// Indirect, so that code sees no variable of ours.
const evaluate = globalThis.eval;
const META = -2;
const STATIC = -1;
const COMMONJS = ["exports", "require", "module", "__filename", "__dirname", "__import"];
// Tells the calls of `require` that sucrase writes from the module's own.
const MARK = "\u2063";
const MARKED = /\brequire\((['"])\u2063/g;
const MODULE = ["exports", "__require", "__import", "__meta", "__settle"];
/** The source of modules by their names in stacks, and what comes before them in their first line. */
export const sources = new Map<string, { text: string; before: number }>();

const withoutShebang = (text: string) => (text.startsWith("#!") ? `//${text}` : text);

function importsOf(text: string): readonly [readonly ImportSpecifier[], readonly ExportSpecifier[]] {
  try {
    return parse(text);
  } catch {
    // The evaluation reports it in the words of the engine.
    return [[], []];
  }
}

/** Replace `import(` and `import.meta`, and mark the imports. */
function withNames(text: string, imports: readonly ImportSpecifier[]) {
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
 */
function withPlainDeclarations(text: string, exports: readonly ExportSpecifier[]): { text: string; functions: string } {
  let changed = text;
  const names: string[] = [];
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
      if (ln !== undefined) names.push(ln);
    } else if (!/\bexport\b/.test(before) && names.length && ln !== undefined && !/\bas\s+$/.test(before))
      names.push(ln);
    if (
      ln !== undefined &&
      HOISTED.test(before) &&
      FUNCTION.test(text.slice(end + before.search(HOISTED) + "export".length))
    ) {
      functions += `exports[${JSON.stringify(n)}] = ${ln}; `;
    }
    end = e;
  });
  return { text: names.length ? `${changed}\nexport { ${names.join(", ")} };` : text, functions };
}

/** Return whether a text is an ES module, as its syntax shows. */
export function hasModuleSyntax(text: string) {
  const [imports, exports] = importsOf(withoutShebang(text));
  return exports.length > 0 || imports.some(({ d }) => d === STATIC || d === META);
}

/** @param name - in stacks */
function functionOf(head: string, body: string, foot: string, name: string, text: string) {
  sources.set(name, { text, before: head.length });
  return evaluate(`${head}${body}${foot}\n//# sourceURL=${name}`);
}

export function compileScript(given: string, path: string): Compiled {
  const text = withoutShebang(given);
  const [imports] = importsOf(text);
  return {
    run: functionOf(`(function (${COMMONJS.join(", ")}) { `, withNames(text, imports), "\n})", path, given),
    imports: [],
  };
}

/** @param name - in stacks */
export function compileModule(given: string, name: string): Compiled {
  const text = withoutShebang(given);
  const [imports, exports] = importsOf(text);
  const plain = withPlainDeclarations(text, exports);
  const changed = transform(withNames(plain.text, imports), {
    transforms: ["imports"],
    preserveDynamicImport: true,
    disableESTransforms: true,
    filePath: name,
  });
  // The module's error, and its end, are reported to `__settle` at once, so a module without `await` ends at once.
  const head = `(async function (${MODULE.join(", ")}) { "use strict"; try { ${plain.functions}`;
  const run = functionOf(
    head,
    changed.code.replaceAll(MARKED, "__require($1"),
    "\n__settle() } catch (error) { __settle([error]) }\n})",
    name,
    given,
  );
  return { run, imports: imports.filter(({ d }) => d === STATIC).map(({ n }) => n ?? "") };
}

/**
 * Run a script as `-e` does: its value is its last expression's.
 * @param name - in stacks
 */
export const evaluateScript = (text: string, name: string) =>
  functionOf("", withNames(text, importsOf(text)[0]), "", name, text);
