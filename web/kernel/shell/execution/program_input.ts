// What programs read: standard input or the files that their arguments name, all at once or line by line.
import { TerminalInput, type OpenFile } from "./open_files.ts";
import type { Shell } from "../shell.ts";

// These never read standard input, so what a loop around them reads stays there.
const READ_NOTHING = new Set(
  (
    "ls dir vdir touch mkdir rmdir chmod chown chgrp stat find basename dirname tree uname arch id realpath readlink mktemp seq expr which link " +
    "hostname whoami logname groups tty stty unlink sync pathchk printenv truncate install pip pip3 help cal nproc ps top df free uptime man watch edit nano vi"
  ).split(" "),
);
const ABOUT_NAMES = new Set("rm mv cp ln tar zip git du file rg test".split(" "));
/** Return whether a program opens the files that its operands name. */
export const opensFiles = (name: string) => !READ_NOTHING.has(name) && !ABOUT_NAMES.has(name);
// How many operands come before those that are files.
const BEFORE_FILES: Record<string, number> = { grep: 1, egrep: 1, fgrep: 1, sed: 1, jq: 1, rg: 1 };
// These tell nothing before their input ends, so they read also what doesn't end.
export const READ_TO_THE_END = new Set(
  "wc sort tail shuf tac tsort sum cksum b2sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum".split(" "),
);
/** These say themselves that standard input is a folder, as of an operand, and continue with the other operands. */
export const REPORT_INPUT = new Set(
  (
    "wc paste grep egrep fgrep md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum od hexdump hd tac nl cut fold sort uniq comm join cmp " +
    "diff sed strings expand unexpand base64 base32 basenc split pr fmt rev xxd head tail column"
  ).split(" "),
);
// The exit codes of programs whose standard input can't be read, where they aren't 1.
export const UNREADABLE: Record<string, number> = {
  awk: 2,
  gawk: 2,
  bash: 2,
  bzip2: 2,
  cmp: 2,
  diff: 2,
  egrep: 2,
  fgrep: 2,
  grep: 2,
  jq: 2,
  make: 2,
  patch: 2,
  rg: 2,
  sed: 4,
  sh: 2,
  sort: 2,
  tar: 2,
  xxd: 2,
  zip: 18,
};
// Of the programs that read while they run, these end where standard input is a folder; Python's find out by themselves.
export const NEED_INPUT = new Set(["awk", "gawk", "bc", "dd"]);
const SIMPLE_SED = /^(?:\/[^/\\]*\/)?(?:s([^\w\s;]).*\1[gIi]*|d|y\/.*)$/s;

/** Return where the operands that are files can begin: the pattern of `grep` is none. */
export function indexOfFiles(name: string, args: string[]) {
  if (!BEFORE_FILES[name] || args.some((word) => /^-\w*[ef]|^--(?:file|regexp|expression)/.test(word))) return 0;
  return args.findIndex((word) => !word.startsWith("-")) + 1;
}

/** Return whether each line of a command's output depends on one line of its input only. */
export function isLinewise(name: string, args: string[]) {
  const [first = "", ...others] = args.filter((word) => !/^-[Eru]+$|^--unbuffered$/.test(word));
  if (args.some((word) => /^-\w*z|^--zero/.test(word))) return false;
  if (["tr", "rev", "cut", "fold", "expand", "unexpand"].includes(name)) return true;
  if (/^[ef]?grep$/.test(name))
    return args.every((word) => !word.startsWith("-") || /^-[ivEFowxhP]+$|^--line-buffered$/.test(word));
  return name === "sed" && others.length === 0 && SIMPLE_SED.test(first);
}

/** Return whether a command is asked to print each line at once. */
export const isUnbuffered = (args: string[]) =>
  args.some((word) => /^-[Ern]*u[Ern]*$|^--unbuffered$|^--line-buffered$/.test(word));

// These read their input while they run.
const AWKS = ["awk", "gawk"];
export const READ_MEANWHILE = new Set(["python", "python3", "linux", "dd", "bc", ...AWKS]);
const READ_ALWAYS = new Set(["tr", "xargs", "python", "python3", "linux", "tee", "bc", "envsubst", ...AWKS]);
const operandsOf = (args: string[]) =>
  args.filter((word, at) => !word.startsWith("-") && !TAKES_VALUE.test(args[at - 1] ?? ""));
const TAKES_VALUE = /^--?(?:cmd|init|newline|nullvalue|separator|[BdFgiorpVYz])$/;
const RG_VALUE =
  /^(?:-\w*[ABCEMTefgjmrt]|--(?:glob|iglob|type|type-not|replace|file|regexp|max-count|max-depth|sort|sortr|color|threads))$/;
/** Return whether rg names no path, or standard input. */
function readsRg(args: string[]) {
  const operands = args.filter(
    (word, at) => (!word.startsWith("-") || word === "-") && !RG_VALUE.test(args[at - 1] ?? ""),
  );
  const given = args.some((word) => /^-\w*[ef]|^--(?:regexp|file)\b/.test(word));
  const paths = operands.slice(given ? 0 : 1);
  return paths.length === 0 || paths.includes("-");
}
/** Return whether a program asks before it replaces or removes a file. */
const asks = (args: string[]) => args.some((word) => /^-\w*[iI]|^--interactive/.test(word));
/** Return whether a list of names or of dates comes from standard input. */
const readsList = (args: string[]) =>
  args.some(
    (word, at) =>
      /^(?:-f|--fi?l?e?=|--files0-from=)-$/.test(word) ||
      (word === "-" && /^(?:-f|--file|--files0-from)$/.test(args[at - 1] ?? "")),
  );
/** Return whether a makefile is standard input. */
const readsMakefile = (args: string[]) =>
  args.some(
    (word, at) =>
      /^(?:-\w*f|--(?:make)?file=)(?:-|\/dev\/stdin)$/.test(word) ||
      (/^(?:-\w*f|--(?:make)?file)$/.test(args[at - 1] ?? "") && /^(?:-|\/dev\/stdin)$/.test(word)),
  );
const GIT_READS = new Set(["-", "--stdin", "-F-", "--file=-", "apply", "am"]);
// These read standard input or not, whichever files they name. With two operands, the second is the patch or the SQL.
const READ_SOMETIMES: Record<string, (args: string[]) => boolean> = {
  git: (args) => args.some((word) => GIT_READS.has(word)),
  patch: (args) => operandsOf(args).length < 2 && !args.some((word) => /^(?:-i|--input)/.test(word)),
  sqlite3: (args) => operandsOf(args).length < 2,
  zip: (args) => args.includes("-") || args.some((word) => /^-\w*@/.test(word)),
  unzip: () => false,
  cmp: (args) =>
    args.filter(
      (word, at) =>
        (!/^-./.test(word) || word === "-") &&
        !/^-[in]$|^--(?:bytes|ignore-initial)$/.test(args[at - 1] ?? "") &&
        word !== "-",
    ).length < 2,
  rg: (args) => !args.includes("--files") && readsRg(args),
  file: (args) => args.includes("-") || args.includes("/dev/stdin"),
  ...{ rm: asks, mv: asks, cp: asks, ln: asks, du: readsList, date: readsList },
  ...{
    make: readsMakefile,
    dd: (args) => !args.some((word) => word.startsWith("if=") && !/^if=\/dev\/(?:stdin|fd\/0)$/.test(word)),
  },
  factor: (args) => args.every((word) => word.startsWith("-")),
};
// The letters of options that take a value, of programs where it might name a file by chance, as in `fold -w 5`.
const VALUED: Record<string, string> = {
  ...{
    fold: "w",
    expand: "t",
    unexpand: "t",
    nl: "bdfhilnsvw",
    split: "abClnt",
    csplit: "bfn",
    strings: "nets",
    base64: "w",
  },
  ...{
    shuf: "no",
    uniq: "fsw",
    fmt: "gw",
    od: "ASjNtw",
    xxd: "Rcglos",
    hexdump: "efns",
    tac: "s",
    column: "CEHNOTRWcdlnoprst",
  },
  ...{ base32: "w", basenc: "w", head: "nc", tail: "ncs", paste: "d", join: "12aejotv", pr: "hlNoSwW" },
};

/** Return what a command reads as its standard input. */
export function inputOf(shell: Shell, name: string, args: string[]): OpenFile | null {
  const file = shell.descriptors.table.get(0);
  if (!file || file instanceof TerminalInput || READ_NOTHING.has(name)) return null;
  const sometimes = READ_SOMETIMES[name];
  if (sometimes) return sometimes(args) ? file : null;
  return !READ_ALWAYS.has(name) && readsFiles(shell, name, args) ? null : file;
}

/** Return whether an argument names a file, so that standard input isn't read. */
function readsFiles(shell: Shell, name: string, args: string[]) {
  if (args.includes("-")) return false;
  const given = args.some((word) => /^-[ef]./.test(word) || word === "-e" || word === "-f");
  const valued = VALUED[name];
  const takesValue = valued ? new RegExp(`^-\\w*[${valued}]$`) : /^-(?:[efomADEtTkdHSBC]|-\w+)$/;
  const operands = args.filter((word, at) => !word.startsWith("-") && !takesValue.test(args[at - 1] ?? ""));
  const paths = operands.slice(given ? 0 : (BEFORE_FILES[name] ?? 0));
  if (/^[ef]?grep$/.test(name) && args.some((word) => /^-\w*r|^--recursive/i.test(word))) return true;
  const { files, cwd } = shell;
  return paths.some((path) => path !== "" && files.FS.analyzePath(files.place(files.resolvePath(cwd, path))).exists);
}
