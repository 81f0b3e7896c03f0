// The arguments of just-bash's commands that do a little less than their models, in a form that they understand.

/** @typedef {import("./shell.js").Shell} Shell */

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

/** @param {string[]} args @returns {string[]} */
function awk(args) {
  const at = firstOperand(args, new Set(["F", "v", "f"]));
  const program = args[at];
  if (program === undefined || args.slice(0, at).some((word) => word.startsWith("-f"))) return args;
  const given = withSeparator(args.slice(0, at)).map((word, index) => (args[index - 1] === "-v" ? word : word.replace(/^-v(?=.)/, "")));
  const assignments = given.filter((word) => SPECIAL.has(word.split("=")[0] ?? "") && word.includes("="));
  const begin = assignments.map((word) => {
    const [name = "", ...value] = word.split("=");
    return `${name}="${value.join("=").replaceAll('"', '\\"')}";`;
  });
  const start = begin.length ? `BEGIN { ${begin.join(" ")} }\n` : "";
  return [...withSeparator(args.slice(0, at)), start + withElements(withLengths(withSeparators(program))), ...args.slice(at + 1)];
}

/** `ln -sf` takes a link that leads nowhere for a free name, so that is removed. @param {string[]} args @param {Shell} shell */
function ln(args, { files, cwd }) {
  const at = firstOperand(args, new Set(["t", "S"]));
  const options = args.slice(0, at).join("");
  const [, place] = args.slice(at);
  if (/s/.test(options) && /f/.test(options) && args.length === at + 2 && place) {
    const path = files.resolvePath(cwd, place);
    if (!files.FS.analyzePath(path).exists && files.linkExists(path)) files.FS.unlink(path);
  }
  return args;
}

/** A file that was changed so many minutes ago. @param {number} minutes @param {Shell} shell */
function fileOfAge(minutes, { files }) {
  const path = `${files.descriptors}/${minutes}-minutes-ago`;
  const time = Date.now() - minutes * 60_000;
  files.FS.mkdirTree(files.descriptors);
  files.FS.writeFile(path, "");
  files.FS.utime(path, time, time);
  return path;
}

/** `find -mmin` as `-newer` than a file of that age. @param {string[]} args @param {Shell} shell */
const find = (args, shell) =>
  args.flatMap((word, at) => {
    const [, sign, minutes] = args[at - 1] === "-mmin" ? (/^([-+]?)(\d+)$/.exec(word) ?? []) : [];
    if (word === "-mmin") return [];
    if (minutes === undefined) return [word];
    if (sign === "-") return ["-newer", fileOfAge(Number(minutes), shell)];
    const older = ["!", "-newer", fileOfAge(Number(minutes), shell)];
    return sign === "+" ? older : ["-newer", fileOfAge(Number(minutes), shell), "!", "-newer", fileOfAge(Number(minutes) - 1, shell)];
  });

// Output here is never a terminal's, so it has neither headings nor colors.
const PLAIN = /^--(?:no-heading|no-config|no-messages|color=(?:never|auto)|no-line-buffered|no-mmap|pcre2)$|^-P$/;
const NUMBERED = /^-[a-zA-Z]*n[a-zA-Z]*$|^--(?:line-number|column|vimgrep|heading|pretty|json)$|^-[a-zA-Z]*p$/;
const CASED = /^-[a-zA-Z]*[iS][a-zA-Z]*$|^--(?:ignore-case|smart-case)$/;
/** just-bash's ignores case and numbers lines by itself, which rg does only when asked, or in front of a person. @param {string[]} args */
function rg(args) {
  const plain = args.filter((word, at) => !PLAIN.test(word) && !(word === "--color" && args[at + 1] !== "always") && args[at - 1] !== "--color");
  const words = plain.flatMap((word) => (word === "--vimgrep" ? ["-H", "-n", "--column"] : word === "--no-filename" ? ["-I"] : [word]));
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const options = words.slice(0, end);
  return [...(options.some((word) => CASED.test(word)) ? [] : ["-s"]), ...(args.some((word) => NUMBERED.test(word)) ? [] : ["-N"]), ...words];
}

/** @type {Record<string, (args: string[], shell: Shell) => string[]>} */
const ADJUSTMENTS = {
  awk,
  find,
  ln,
  rg,
};

/** @param {string} name @param {string[]} args @param {Shell} shell @returns {string[]} */
export const adjusted = (name, args, shell) => ADJUSTMENTS[name]?.(args, shell) ?? args;
