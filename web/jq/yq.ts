// yq as mikefarah's (https://mikefarah.gitbook.io/yq): the expression is jq's, and the documents keep their comments.
import { Document, type Node, isCollection, isMap, isScalar, isSeq, parseAllDocuments, visit } from "yaml";

import { runJq, type Call, type Result } from "./jq.ts";
import { patched } from "./patching.ts";
import { parseOptions, type YqOptions } from "./yq_options.ts";

const STRINGS = /("(?:\\.|[^"\\])*")/;
// A path such as `.a.b[0]`, whose node is printed as it is written.
const PATH = /^(?:\.(?:[\w-]+|"[^"]*")|\.?\[(?:\d+|"[^"]*")\])+$/;
// Aliases of aliases multiply ("billion laughs"); the library counts what a file's would expand to.
const MOST_ALIASES = 100_000;
const SORTED =
  'def sort_keys(f): walk(if type == "object" then to_entries | sort_by(.key) | from_entries else . end); ';
const WRITTEN = { indentSeq: true, lineWidth: 0, flowCollectionPadding: false };

/** @param part - of an expression, without string literals */
const translated = (part: string) =>
  part
    .replaceAll(/\bstrenv\((\w+)\)/g, "env.$1")
    .replaceAll(/\benv\((\w+)\)/g, "(env.$1 | . as $text | try fromjson catch $text)")
    .replaceAll(/(?<![\w$])\.\s+as\s+(\$\w+)\s+ireduce\s*\(/g, "reduce .[] as $1 (")
    .replaceAll(/\bselect\(\s*(?:fileIndex|fi)\s*==\s*(\d+)\s*\)/g, ".[$1]")
    .replaceAll(/\bkeys\b/g, "keys_unsorted")
    .replaceAll(/\bsort_keys_unsorted\b/g, "sort_keys")
    .replaceAll(/(?<![\w.$])(up|down)case\b/g, "ascii_$1case")
    .replaceAll(/\.([A-Za-z_]\w*(?:-\w+)+)/g, '."$1"');

/** @returns jq's */
const toJq = (expression: string): string =>
  (expression.includes("sort_keys") ? SORTED : "") +
  expression
    .split(STRINGS)
    .map((part, at) => (at % 2 ? part : translated(part)))
    .join("");

/** @param path - a `PATH` */
const stepsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\.?\[(\d+)\]|\.?\["([^"]*)"\]|\."([^"]*)"|\.([\w-]+)/g)].map(([, index, ...names]) =>
    index === undefined ? (names.find((name) => name !== undefined) ?? "") : Number(index),
  );

/** Evaluate an expression for each value. */
async function evaluate(expression: string, values: unknown[], call: Call): Promise<unknown[][]> {
  const stdin = new TextEncoder().encode(values.map((value) => JSON.stringify(value) ?? "null").join("\n"));
  const { exitCode, stdout, stderr } = await runJq({
    ...call,
    args: ["-c", `[${toJq(expression)}]`],
    files: [],
    stdin,
  });
  if (exitCode) {
    const message = new TextDecoder()
      .decode(stderr)
      .trim()
      .replace(/^jq: error(?: \(at [^)]*\))?: /, "");
    throw new Error(
      message.split("\n")[0]?.replace(/ \(Unix shell quoting issues\?\)| at <top-level>|, line \d+:$/g, ""),
    );
  }
  return new TextDecoder()
    .decode(stdout)
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** @returns a document with it */
function documentOf(node: Node): Document {
  const document: Document = new Document();
  document.contents = node;
  return document;
}

/** A scalar alone is printed without its comment. */
const withoutComment = (node: Node): Node =>
  // A copy has the type of its original; the library's types don't say so.
  isScalar(node) ? Object.assign(node.clone() as typeof node, { comment: undefined, commentBefore: undefined }) : node;

/** Undo what isn't block style. */
function makePlain(document: Document) {
  visit(document, (_, node) => {
    if (isCollection(node)) node.flow = false;
    else if (isScalar(node) && /QUOTE/.test(node.type ?? "")) delete node.type;
  });
}

function properties(value: unknown, prefix = ""): string[] {
  if (value === null || typeof value !== "object") return [`${prefix} = ${value ?? ""}`];
  return Object.entries(value).flatMap(([name, each]) => properties(each, prefix ? `${prefix}.${name}` : name));
}

/** @param document - that it is in, or null */
function shown(value: unknown, document: Document | null, { output, indent, unwrap, pretty }: YqOptions): string {
  if (output === "json") {
    if (unwrap && typeof value === "string") return `${value}\n`;
    return `${JSON.stringify(value, null, indent)}\n`;
  }
  if (output === "props") return `${properties(value).join("\n")}\n`;
  if (typeof value === "string" && unwrap !== false) return `${value}\n`;
  const style = { ...WRITTEN, indent: indent || 2 };
  const written = document ?? new Document(value);
  if (pretty) makePlain(written);
  try {
    return written.toString(style);
  } catch (error) {
    // Keys that changed places may put an alias before its anchor.
    if (!(error instanceof Error) || !document) throw error;
    return new Document(value).toString(style);
  }
}

/** @param value - of it */
function nodesFor(
  document: Document | null,
  value: unknown,
  expression: string,
  results: unknown[],
): (Document | null)[] {
  if (results.length !== 1 || !document) return results.map(() => null);
  const [result] = results;
  if (PATH.test(expression.trim())) {
    const node = document.getIn(stepsOf(expression.trim()), true);
    return [
      isMap(node) || isSeq(node) || (isScalar(node) && typeof result !== "string")
        ? documentOf(withoutComment(node))
        : null,
    ];
  }
  if (result === null || typeof result !== "object" || Array.isArray(result) !== Array.isArray(value)) return [null];
  return [patched(document, result)];
}

function documentsOf(text: string, format: string, name: string) {
  const documents: Document[] = parseAllDocuments(text, { uniqueKeys: false, version: "1.2" });
  for (const { errors } of documents)
    if (errors.length) throw new Error(`bad file '${name}': ${format}: ${errors[0].message.split("\n")[0]}`);
  return documents.length ? documents : [new Document(null)];
}

function inputsOf(options: YqOptions, call: Call, read: (path: string) => string | null) {
  if (options.nullInput) return [{ document: null, value: null, name: "", format: "yaml" }];
  const names = options.files.length ? options.files : ["-"];
  return names.flatMap((name) => {
    const text = name === "-" ? new TextDecoder().decode(call.stdin) : read(name);
    if (text === null) throw new Error(`open ${name}: no such file or directory`);
    const format = options.input || (name.endsWith(".json") ? "json" : "yaml");
    const documents = documentsOf(text, format, name);
    if (format === "json") documents.forEach(makePlain);
    return documents.map((document) => ({
      document,
      value: document.toJS({ maxAliasCount: MOST_ALIASES }),
      name,
      format,
    }));
  });
}

async function perform(given: YqOptions, call: Call, read: (path: string) => string | null) {
  const inputs = inputsOf(given, call, read);
  const options = {
    ...given,
    output: given.output || (inputs[0]?.format === "json" && !given.input ? "json" : "yaml"),
  };
  const expression = options.expression ?? ".";
  const withoutComments = /^\.\.\.\s*comments\s*=\s*""$/.test(expression.trim());
  const values = inputs.map(({ value }) => value);
  const results = options.all
    ? await evaluate(expression, [values], call)
    : await evaluate(withoutComments ? "." : expression, values, call);
  const printed = results.map((each, at) => {
    const { document = null, value = null } = inputs[at] ?? {};
    const isYaml = options.output === "yaml" && !withoutComments;
    const documents =
      isYaml && (!options.all || inputs.length === 1 || each.length === 1)
        ? nodesFor(document, value, expression, each)
        : [];
    return each.map((result, number) => shown(result, documents[number] ?? null, options)).join("");
  });
  const found = results.flat().some((value) => value !== null && value !== false);
  return { text: printed.join(options.separates && options.output === "yaml" ? "---\n" : ""), found };
}

export async function runYq(call: Call): Promise<Result> {
  const encoder = new TextEncoder();
  const pathOf = (name: string) =>
    (name.startsWith("/") ? name : `${call.cwd === "/" ? "" : call.cwd}/${name}`).replaceAll("/./", "/");
  const read = (name: string) => {
    const bytes = call.files.find(({ path }) => path === pathOf(name).replace(/\/\.\//g, "/"))?.bytes;
    return bytes ? new TextDecoder().decode(bytes) : null;
  };
  const result = { exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() };
  try {
    const options = parseOptions(call.args, read);
    if (options.answer !== null) return { ...result, stdout: encoder.encode(options.answer) };
    if (options.inPlace && !options.files[0])
      throw new Error("write in place flag only applicable when giving an expression and at least one file");
    const { text, found } = await perform(options, call, read);
    const failed =
      options.exitStatus && !found ? { exitCode: 1, stderr: encoder.encode("Error: no matches found\n") } : {};
    if (options.inPlace)
      return { ...result, ...failed, written: [{ path: pathOf(options.files[0] ?? ""), bytes: encoder.encode(text) }] };
    return { ...result, ...failed, stdout: encoder.encode(text) };
  } catch (error) {
    return {
      ...result,
      exitCode: 1,
      stderr: encoder.encode(`Error: ${error instanceof Error ? error.message : error}\n`),
    };
  }
}
