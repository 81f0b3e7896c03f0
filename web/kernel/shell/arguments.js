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

/** Options of `head` and `tail`, `-qn1` parted into `-q -n1`. @param {string[]} args */
const partedCount = (args) =>
  args.flatMap((word) => {
    if (word === "--bytes" || word === "--lines") return [word === "--bytes" ? "-c" : "-n"];
    const [, flags, count] = /^-([qvz]+)([nc].*)$/.exec(word) ?? [];
    return flags === undefined ? [word] : [...[...flags].map((flag) => `-${flag}`), `-${count}`];
  });

/** `paste -sd,` as `-s -d ,`, and with its input where no file is named. @param {string[]} args */
function paste(args) {
  const parted = args.flatMap((word) => (/^-sd/.test(word) ? ["-s", "-d", ...(word.slice(3) ? [word.slice(3)] : [])] : [word]));
  const reads = parted.some((word, at) => (word === "-" || !word.startsWith("-")) && parted[at - 1] !== "-d");
  return reads ? parted : [...parted, "-"];
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

/** `\0` and other octal numbers as the characters that they mean. @param {string[]} args */
const tr = (args) =>
  args.map((word) => (word.startsWith("-") ? word : word.replaceAll(/\\([0-3]?[0-7]{1,2})|\\./gs, (found, octal) => {
    const character = octal === undefined ? "" : String.fromCharCode(parseInt(octal, 8));
    return octal === undefined ? found : /[-\\[\]]/.test(character) ? `\\${character}` : character;
  })));

/** @type {Record<string, (args: string[], shell: Shell) => string[]>} */
const ADJUSTMENTS = {
  find,
  tail: partedCount,
  head: partedCount,
  join: (args) => args.flatMap((word) => (/^-e./.test(word) ? ["-e", word.slice(2)] : [word])),
  paste,
  tr,
  ln,
  rg,
};

/** @param {string} name @param {string[]} args @param {Shell} shell @returns {string[]} */
export const adjusted = (name, args, shell) => ADJUSTMENTS[name]?.(args, shell) ?? args;
