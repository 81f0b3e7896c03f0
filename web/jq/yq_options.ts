// The command line of mikefarah's yq 4 (https://mikefarah.gitbook.io/yq).

export interface YqOptions {
  expression: string | null;
  files: string[];
  /** whether the expression sees all documents at once (`eval-all`) */
  all: boolean;
  inPlace: boolean;
  nullInput: boolean;
  pretty: boolean;
  /** whether strings are printed without quotes; null where that depends on the format */
  unwrap: boolean | null;
  exitStatus: boolean;
  /** whether documents are separated by `---` */
  separates: boolean;
  indent: number;
  /** the format; "" takes it from the file's name */
  input: string;
  output: string;
  answer: string | null;
}

const FORMATS: Record<string, string> = {
  y: "yaml",
  yaml: "yaml",
  yml: "yaml",
  j: "json",
  json: "json",
  p: "props",
  props: "props",
};
const VERSION = "yq (of this shell, modelled on https://github.com/mikefarah/yq/) version v4\n";
const HELP = `Usage:
  yq [flags] [expression] [file ...]
  yq eval-all [flags] [expression] [file ...]

Flags:
  -e, --exit-status           exit with 1 if nothing, null or false is found
      --expression string     the expression
      --from-file string      a file with the expression
  -I, --indent int            indentation (default 2)
  -i, --inplace               change the first file
  -p, --input-format string   yaml or json
  -N, --no-doc                don't print document separators
  -n, --null-input            don't read input
  -o, --output-format string  yaml, json or props
  -P, --prettyPrint           block style
  -r, --unwrapScalar          print texts without quotes
  -V, --version               print the version

Expressions are jq's, with yq's \`env(X)\`, \`strenv(X)\`, \`keys\`, \`sort_keys(..)\`, \`upcase\`, \`downcase\` and \`ireduce\`.
`;
const LONG: Record<string, string> = {
  "exit-status": "e",
  indent: "I",
  inplace: "i",
  "input-format": "p",
  "no-doc": "N",
  "null-input": "n",
  "output-format": "o",
  prettyPrint: "P",
  unwrapScalar: "r",
  version: "V",
  help: "h",
  tojson: "j",
  colors: "C",
  "no-colors": "M",
  expression: "E",
  "from-file": "F",
};
const VALUED = new Set(["I", "p", "o", "E", "F"]);

function formatOf(name: string) {
  const found = FORMATS[name];
  if (!found) throw new Error(`unknown format '${name}' please use [yaml|json|props]`);
  return found;
}

/** @param read - returns a file's text */
export function parseOptions(args: string[], read: (path: string) => string | null): YqOptions {
  const options: YqOptions = {
    ...{
      expression: null,
      files: [],
      all: false,
      inPlace: false,
      nullInput: false,
      pretty: false,
      unwrap: null,
      exitStatus: false,
    },
    ...{ separates: true, indent: 2, input: "", output: "", answer: null },
  };
  const operands = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const [, long, longValue] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === "-" || !word.startsWith("-")) operands.push(word);
    else if (long !== undefined) {
      const letter = LONG[long];
      if (!letter) throw new Error(`unknown flag: --${long}`);
      apply(options, letter, longValue ?? (VALUED.has(letter) ? (args[++at] ?? "") : ""), read);
    } else at += letters(options, word.slice(1), args[at + 1] ?? "", read);
  }
  if (/^(?:e|eval|ea|eval-all)$/.test(operands[0] ?? "")) options.all = /^ea|^eval-all/.test(operands.shift() ?? "");
  const first = operands[0];
  const isFile = first !== undefined && operands.length === 1 && (first === "-" || read(first) !== null);
  if (options.expression === null && first !== undefined && !isFile) options.expression = operands.shift() ?? ".";
  return { ...options, expression: options.expression ?? ".", files: operands };
}

/** @returns 1 if `next` was taken */
function letters(options: YqOptions, word: string, next: string, read: (path: string) => string | null): number {
  for (let at = 0; at < word.length; at++) {
    const letter = word[at] ?? "";
    const attached = word.slice(at + 1).replace(/^=/, "");
    if (VALUED.has(letter)) {
      apply(options, letter, attached || next, read);
      return attached ? 0 : 1;
    }
    if (word[at + 1] === "=") {
      apply(options, letter, attached, read);
      return 0;
    }
    apply(options, letter, "", read);
  }
  return 0;
}

function apply(options: YqOptions, letter: string, value: string, read: (path: string) => string | null) {
  const isOn = value !== "false";
  if (letter === "e") options.exitStatus = isOn;
  else if (letter === "I") options.indent = Number(value);
  else if (letter === "i") options.inPlace = isOn;
  else if (letter === "p") options.input = formatOf(value);
  else if (letter === "o") options.output = formatOf(value);
  else if (letter === "j") options.output = "json";
  else if (letter === "N") options.separates = false;
  else if (letter === "n") options.nullInput = isOn;
  else if (letter === "P") options.pretty = isOn;
  else if (letter === "r") options.unwrap = isOn;
  else if (letter === "E") options.expression = value;
  else if (letter === "F") options.expression = read(value) ?? "";
  else if (letter === "V") options.answer = VERSION;
  else if (letter === "h") options.answer = HELP;
  else if (!/[CMvs]/.test(letter)) throw new Error(`unknown shorthand flag: '${letter}' in -${letter}`);
}
