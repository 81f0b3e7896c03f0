/**
 * Performs for the editor's text what needs the kernel or other files.
 *
 * @import { Actions } from "../actions.js"
 * @import { OpenText } from "./open_text.js"
 * @import { Helper } from "./python/questions.js"
 */

import { isFailure } from "../call.js";
import { counted } from "../format.js";
import { loadPart } from "../parts.js";
import { openEditor } from "./opening.js";

/** The saved setting. */
export const FORMAT_ON_SAVE = "editor.format_on_save";
const PYTHON = /\.pyi?$/;

/**
 * Format a Python file's text, unless it changes meanwhile.
 *
 * @param {OpenText} text
 * @returns {Promise<boolean>} false if it can't be formatted, as after a syntax error
 */
export async function formatText({ path, buffer }) {
  if (!buffer || !PYTHON.test(path)) return true;
  const before = buffer.text;
  /** @type {string | null} */
  const formatted = await (await loadPart("ui-editor.js")).format(before);
  if (formatted !== null && buffer.text === before) buffer.replace(formatted);
  return formatted !== null;
}

/** @implements {Helper} */
export class CodeHelper {
  /**
   * @param {Actions} actions
   * @param {{active: () => OpenText | null, unsaved: () => OpenText[], say: (message: string) => void}} editor
   */
  constructor(actions, { active, unsaved, say }) {
    this.actions = actions;
    this.active = active;
    this.unsaved = unsaved;
    this.say = say;
  }

  /** @type {Helper["ask"]} */
  ask(question) {
    return this.actions.askCode(question);
  }

  /** @type {Helper["open"]} */
  open(path, line) {
    return openEditor(path, line);
  }

  /** Rename in all files, which are saved first, unformatted, so that the place stays. @type {Helper["rename"]} */
  async rename(place, name) {
    const text = this.active();
    if (!text) return;
    for (const each of this.unsaved()) {
      if (!await each.save()) return this.say(`Save ${each.name} first.`);
    }
    this.say(`Renaming to ${name}…`);
    const answer = await this.actions.renameName({ path: text.path, ...place, name });
    this.say(isFailure(answer) ? answer.error.message : `Renamed in ${counted(answer.paths.length, "file")}.`);
  }

  async format() {
    const text = this.active();
    if (text) this.say(await formatText(text) ? "" : "This text can't be formatted. It may have a syntax error.");
  }
}
