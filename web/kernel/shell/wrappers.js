// Commands of just-bash that do a little less than their models, brought up to them by what they are given.

/** @typedef {import("./builtins.js").Result} Result */

/** @param {string[]} args @param {Set<string>} valued letters of options that take a value @returns {number} of the first operand */
function firstOperand(args, valued) {
  let at = 0;
  while (at < args.length && /^-./.test(args[at] ?? "") && args[at] !== "--") {
    const word = args[at] ?? "";
    at += valued.has(word.slice(1)) ? 2 : 1;
  }
  return args[at] === "--" ? at + 1 : at;
}

// What just-bash's awk takes from `-v` for a variable of the user's.
const SPECIAL = new Set(["OFS", "ORS", "FS", "RS", "NR", "SUBSEP", "CONVFMT", "OFMT"]);

/** `a[key]` alone makes the element, as in `{a[$1]; next}`. @param {string} program */
const withElements = (program) => program.replace(/([{;]\s*)(\w+\[[^\][]*\])(?=\s*[;}])/g, "$1$2=$2");

/** `length` alone is that of the line. @param {string} program */
const withLengths = (program) =>
  program.replace(/"(?:\\.|[^"\\])*"|\blength\b(?!\s*\()/g, (found) => (found === "length" ? "length($0)" : found));

/** A separator of one character is that character, whatever it means in an expression. @param {string} separator */
const literally = (separator) => (/^[.|*+?$(){}[]$/.test(separator) ? `[${separator}]` : separator === "^" ? "\\\\^" : separator);

/** The same in `FS = "."`. @param {string} program */
const withSeparators = (program) =>
  program.replace(/(\bFS\s*=\s*")([.|*+?$(){}[^])(?=")/g, (_, before, separator) => before + literally(separator));

/** @param {string[]} words options and operands */
const withSeparator = (words) =>
  words.map((word, at) => {
    if (words[at - 1] === "-F") return literally(word);
    const [, start, separator] = /^(-F|-v\s*FS=|FS=)(.)$/.exec(word) ?? [];
    return start === undefined ? word : start + literally(separator ?? "");
  });

/** @param {string[]} args @param {any} context @returns {Promise<Result>} */
export async function awk(args, context) {
  const at = firstOperand(args, new Set(["F", "v", "f"]));
  const program = args[at];
  if (program === undefined || args.slice(0, at).some((word) => word.startsWith("-f"))) return context.origCommand(args);
  const given = withSeparator(args.slice(0, at)).map((word, index) => (args[index - 1] === "-v" ? word : word.replace(/^-v(?=.)/, "")));
  const assignments = given.filter((word) => SPECIAL.has(word.split("=")[0] ?? "") && word.includes("="));
  const begin = assignments.map((word) => {
    const [name = "", ...value] = word.split("=");
    return `${name}="${value.join("=").replaceAll('"', '\\"')}";`;
  });
  const start = begin.length ? `BEGIN { ${begin.join(" ")} }\n` : "";
  const text = start + withElements(withLengths(withSeparators(program)));
  return context.origCommand([...withSeparator(args.slice(0, at)), text, ...args.slice(at + 1)]);
}

/** Options of `head` and `tail`, `-qn1` parted into `-q -n1`. @param {string[]} args */
const partedCount = (args) =>
  args.flatMap((word) => {
    if (word === "--bytes" || word === "--lines") return [word === "--bytes" ? "-c" : "-n"];
    const [, flags, count] = /^-([qvz]+)([nc].*)$/.exec(word) ?? [];
    return flags === undefined ? [word] : [...[...flags].map((flag) => `-${flag}`), `-${count}`];
  });

/** @param {string[]} args @param {any} context @returns {Promise<Result>} */
export const tail = (args, context) => context.origCommand(partedCount(args));

/** `head`, with `-n -2` for all but the last two. @param {string[]} words @param {any} context @returns {Promise<Result>} */
export async function head(words, context) {
  const args = partedCount(words);
  const match = /^(?:-n|--lines=) ?-(\d+)$/.exec(args.slice(0, args[0] === "-n" ? 2 : 1).join(" "));
  if (!match) return context.origCommand(args);
  const names = args.slice(args[0] === "-n" ? 2 : 1);
  const texts = [];
  for (const name of names) {
    try {
      texts.push(await context.fs.readFile(context.fs.resolvePath(context.cwd, name), "binary"));
    } catch {
      return { stdout: "", stderr: `head: cannot open '${name}' for reading: No such file or directory\n`, exitCode: 1 };
    }
  }
  const lines = (names.length ? texts.join("") : context.stdin).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const kept = lines.slice(0, Math.max(0, lines.length - Number(match[1])));
  return { stdout: kept.join(""), stderr: "", exitCode: 0, stdoutKind: "bytes" };
}

/** `ln -sf`, which takes a link that leads nowhere for a free name. @param {string[]} args @param {any} context @returns {Promise<Result>} */
export async function ln(args, context) {
  const at = firstOperand(args, new Set(["t", "S"]));
  const options = args.slice(0, at).join("");
  const [, place] = args.slice(at);
  if (/s/.test(options) && /f/.test(options) && args.length === at + 2 && place) {
    const path = context.fs.resolvePath(context.cwd, place);
    if (!(await context.fs.exists(path))) await context.fs.rm(path, { force: true });
  }
  return context.origCommand(args);
}

/** `join`, which takes `-e-` as well as `-e -`. @param {string[]} args @param {any} context @returns {Promise<Result>} */
export const join = (args, context) => context.origCommand(args.flatMap((word) => (/^-e./.test(word) ? ["-e", word.slice(2)] : [word])));

/** `paste`, which takes `-sd,` as well as `-s -d ,`. @param {string[]} args @param {any} context @returns {Promise<Result>} */
export const paste = (args, context) => {
  const parted = args.flatMap((word) => (/^-sd/.test(word) ? ["-s", "-d", ...(word.slice(3) ? [word.slice(3)] : [])] : [word]));
  const reads = parted.some((word, at) => (word === "-" || !word.startsWith("-")) && parted[at - 1] !== "-d");
  return context.origCommand(reads ? parted : [...parted, "-"]);
};
