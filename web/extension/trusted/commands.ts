/**
 * The input that a tab's content script may ask for. Its process also runs the page, so nothing that it sends is trusted:
 * only fields of events pass, and nothing that reaches beyond the tab, such as the system's clipboard.
 * https://chromedevtools.github.io/devtools-protocol/tot/Input/
 */

type Kind = "dispatchMouseEvent" | "dispatchKeyEvent" | "insertText";

const FIELDS = {
  dispatchMouseEvent: {
    type: "string",
    x: "number",
    y: "number",
    modifiers: "number",
    button: "string",
    buttons: "number",
    clickCount: "number",
  },
  dispatchKeyEvent: {
    type: "string",
    key: "string",
    code: "string",
    windowsVirtualKeyCode: "number",
    location: "number",
    modifiers: "number",
    text: "string",
    commands: "object",
  },
  insertText: { text: "string" },
};
/** The only types of events. */
const TYPES: Record<string, Set<unknown>> = {
  dispatchMouseEvent: new Set(["mousePressed", "mouseReleased", "mouseMoved"]),
  dispatchKeyEvent: new Set(["keyDown", "rawKeyDown", "keyUp"]),
};
// The others open a menu of the browser, or paste the user's selection from elsewhere.
const BUTTONS = new Set(["left", "none"]);
const HELD = new Set([0, 1]);
// The editing commands of keys on macOS, where the browser takes them from its menu.
const COMMANDS = new Set(["selectAll", "undo", "redo"]);
const CONTROL = 2,
  META = 4;
const CLIPBOARD = new Set(["KeyC", "KeyX", "KeyV", "Insert"]);
const CLIPBOARD_NAMES = new Set(["Copy", "Cut", "Paste"]);
const CLIPBOARD_CODES = new Set([67, 86, 88, 45]);
const INSERT = 45,
  DELETE = 46;
const SHIFT = 8;

/** Return whether a chord uses the system's clipboard. */
export function usesClipboard({
  key = "",
  code = "",
  windowsVirtualKeyCode: number = 0,
  modifiers = 0,
}: {
  key?: string;
  code?: string;
  windowsVirtualKeyCode?: number;
  modifiers?: number;
}) {
  if (CLIPBOARD_NAMES.has(key) || CLIPBOARD_NAMES.has(code)) return true;
  if (number === INSERT || code === "Insert" || code === "Numpad0") return true;
  if (modifiers & SHIFT && (number === DELETE || code === "Delete" || code === "NumpadDecimal")) return true;
  return (modifiers & (CONTROL | META)) !== 0 && (CLIPBOARD.has(code) || CLIPBOARD_CODES.has(number));
}

/** Return the parameters of a command of the debugger's `Input`, or null if it isn't allowed. */
export function commandOf(kind: unknown, given: unknown): { method: string; params: Record<string, unknown> } | null {
  if (!isKind(kind) || typeof given !== "object" || given === null) return null;
  const event: Partial<Record<string, unknown>> = Object(given);
  const params: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(FIELDS[kind])) {
    if (event[name] === undefined) continue;
    if (typeof event[name] !== type) return null;
    params[name] = event[name];
  }
  if (TYPES[kind]?.has(params.type) === false) return null;
  if (
    kind === "dispatchMouseEvent" &&
    !(BUTTONS.has(String(params.button ?? "none")) && HELD.has(Number(params.buttons ?? 0)))
  )
    return null;
  if (kind === "dispatchKeyEvent" && (usesClipboard(Object(params)) || !areCommands(params.commands))) return null;
  return { method: `Input.${kind}`, params };
}

const isKind = (kind: unknown): kind is Kind => typeof kind === "string" && Object.hasOwn(FIELDS, kind);

function areCommands(commands: unknown) {
  return commands === undefined || (Array.isArray(commands) && commands.every((each) => COMMANDS.has(each)));
}
