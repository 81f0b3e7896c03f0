// just-bash's own words in errors, in those of the programs that its commands stand for, with what to do instead.

const REGEX = "look-around and back-references aren't supported here; `grep -P` and python3 have them";

/** @type {[RegExp, string][]} */
const WORDS = [
  [/ ?(?:Lookahead|Backreferences) [^\n]*?RE2 for ReDoS prote[^\n]*/g, ` ${REGEX}`],
  [/\bsystem\(\) is not supported - [^\n]*/g, "function system isn't supported here; print the commands and pipe them to sh"],
  [/\bfunction '(\w+)\(\)' is not implemented/g, "function $1 isn't supported here; pass its value with -v, as in -v now=$(date +%s)"],
  [/\bUnexpected token: PIPE at (line \d+):\d+/g, "$1: print can't write to a command here; pipe the whole output to it"],
  [/\bUnexpected token: (\w+) at (line \d+):\d+/g, "$2: syntax error near $1"],
  [/, increase executionLimits\.\w+/g, ""],
  [/\bquery result element limit exceeded \((\d+)\)/g, "error: more than $1 values"],
  [/\bquery (\w+) limit exceeded \((\d+)\)/g, "error: the $1 exceeds $2"],
  [/\b(?:parse error: )?Maximum call stack size exceeded/g, "error: the recursion is too deep"],
  [/\bThis is a non-standard BashEnv extension command, [^\n]*/g, "This isn't a command of Unix."],
];

/** @param {string} text that a command writes to standard error @returns {string} */
export const inPlainWords = (text) => WORDS.reduce((whole, [theirs, ours]) => whole.replace(theirs, ours), text);
