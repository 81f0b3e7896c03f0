// Names of keys, and the codes in their events, for a US keyboard.
// https://www.w3.org/TR/uievents-key/, https://www.w3.org/TR/uievents-code/

import { InvalidArguments } from "../errors.ts";

export type Key = { key: string; code: string; keyCode: number; location?: number };

const NAMED: Record<string, [string, number]> = {
  Backspace: ["Backspace", 8],
  Tab: ["Tab", 9],
  Enter: ["Enter", 13],
  Shift: ["ShiftLeft", 16],
  Control: ["ControlLeft", 17],
  Alt: ["AltLeft", 18],
  Escape: ["Escape", 27],
  PageUp: ["PageUp", 33],
  PageDown: ["PageDown", 34],
  End: ["End", 35],
  Home: ["Home", 36],
  ArrowLeft: ["ArrowLeft", 37],
  ArrowUp: ["ArrowUp", 38],
  ArrowRight: ["ArrowRight", 39],
  ArrowDown: ["ArrowDown", 40],
  Insert: ["Insert", 45],
  Delete: ["Delete", 46],
  Meta: ["MetaLeft", 91],
  ContextMenu: ["ContextMenu", 93],
};
const OTHER_NAMES: Record<string, string> = {
  esc: "Escape",
  ctrl: "Control",
  cmd: "Meta",
  command: "Meta",
  option: "Alt",
  return: "Enter",
  del: "Delete",
  space: " ",
  spacebar: " ",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  plus: "+",
};
const MODIFIERS = ["Control", "Shift", "Alt", "Meta"];
// The characters without and with Shift, the code and the keyCode.
const PUNCTUATION = [
  [";:", "Semicolon", 186],
  ["=+", "Equal", 187],
  [",<", "Comma", 188],
  ["-_", "Minus", 189],
  [".>", "Period", 190],
  ["/?", "Slash", 191],
  ["`~", "Backquote", 192],
  ["[{", "BracketLeft", 219],
  ["\\|", "Backslash", 220],
  ["]}", "BracketRight", 221],
  ["'\"", "Quote", 222],
];
const DIGITS = ")!@#$%^&*(";

/** Return the key with a name or character. */
export function keyOf(name: string): Key {
  const known = NAMED[name];
  if (known) return { key: name, code: known[0], keyCode: known[1], location: MODIFIERS.includes(name) ? 1 : 0 };
  const functional = /^F([1-9]|1\d|2[0-4])$/.exec(name);
  if (functional) return { key: name, code: name, keyCode: 111 + Number(functional[1]) };
  if (name === " ") return { key: name, code: "Space", keyCode: 32 };
  if (/^[a-z]$/i.test(name))
    return { key: name, code: `Key${name.toUpperCase()}`, keyCode: name.toUpperCase().charCodeAt(0) };
  if (/^\d$/.test(name)) return { key: name, code: `Digit${name}`, keyCode: name.charCodeAt(0) };
  const digit = DIGITS.indexOf(name);
  if (digit >= 0) return { key: name, code: `Digit${digit}`, keyCode: 48 + digit };
  const sign = PUNCTUATION.find(([signs]) => String(signs).includes(name));
  if (sign) return { key: name, code: String(sign[1]), keyCode: Number(sign[2]) };
  return { key: name, code: "", keyCode: 0 };
}

/** Return whether the character needs Shift. */
export function needsShift(character: string) {
  return (
    /^[A-Z]$/.test(character) ||
    DIGITS.includes(character) ||
    PUNCTUATION.some(([signs]) => String(signs)[1] === character)
  );
}

/** Parse a chord such as `Control+Shift+a`. */
export function parseChord(chord: unknown): { modifiers: Key[]; key: Key } {
  if (typeof chord !== "string" || chord === "") throw unknown(chord);
  const parts = chord === "+" ? ["+"] : chord.replace(/\+\+$/, "+plus").split("+");
  const names = parts.map((part) => nameOf(part, chord));
  const last = names.pop() ?? "";
  if (names.some((name) => !MODIFIERS.includes(name))) throw unknown(chord);
  const shifted = names.includes("Shift") && /^[a-z]$/.test(last) ? last.toUpperCase() : last;
  return { modifiers: names.map(keyOf), key: keyOf(shifted) };
}

/** Parse modifiers such as `Control+Shift`. */
export function parseModifiers(text: unknown): Key[] {
  if (text === undefined || text === "") return [];
  const names = typeof text === "string" ? text.split("+").map((part) => nameOf(part.trim(), text)) : [];
  if (names.length && names.every((name) => MODIFIERS.includes(name))) return names.map(keyOf);
  throw new InvalidArguments(`${JSON.stringify(text)} aren't modifiers.`, {
    hint: "Pass Control, Shift, Alt, Meta, or several such as Control+Shift.",
  });
}

function nameOf(part: string, chord: string) {
  if (Array.from(part).length === 1) return part;
  const lower = part.toLowerCase();
  const name = OTHER_NAMES[lower] ?? Object.keys(NAMED).find((one) => one.toLowerCase() === lower);
  if (name) return name;
  if (/^f\d+$/.test(lower) && keyOf(part.toUpperCase()).code) return part.toUpperCase();
  throw unknown(chord);
}

function unknown(chord: unknown) {
  return new InvalidArguments(`There is no key ${JSON.stringify(chord)}.`, {
    hint: "Use a character, Enter, Tab, Escape, Backspace, Delete, Home, End, PageDown, ArrowUp, F5, or a chord such as Control+a.",
  });
}
