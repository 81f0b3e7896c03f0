/** Performs for the editor's text what needs the kernel or other files. */

import type { Failure } from "../../state/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { counted } from "../../lib/format.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { OpenText } from "./open_text.ts";
import { openEditor } from "./opening.ts";
import type { Question, Helper } from "./python/questions.ts";

/** The saved setting. */
export const FORMAT_ON_SAVE = "editor.format_on_save";
const PYTHON = /\.pyi?$/;

/**
 * Format a Python file's text, unless it changes meanwhile.
 *
 * @returns false if it can't be formatted, as after a syntax error
 */
export async function formatText({ path, buffer }: OpenText): Promise<boolean> {
  if (!buffer || !PYTHON.test(path)) return true;
  const before = buffer.text;
  const formatted: string | null = await (await loadPart<typeof import("./main.ts")>("ui-editor.js")).format(before);
  if (formatted !== null && buffer.text === before) buffer.replace(formatted);
  return formatted !== null;
}

export class CodeHelper implements Helper {
  actions: Actions;
  active: () => OpenText | null;
  unsaved: () => OpenText[];
  say: (message: string) => void;
  listProblems: () => void;

  constructor(
    actions: Actions,
    {
      active,
      unsaved,
      say,
      listProblems,
    }: {
      active: () => OpenText | null;
      unsaved: () => OpenText[];
      say: (message: string) => void;
      listProblems: () => void;
    },
  ) {
    this.actions = actions;
    this.active = active;
    this.unsaved = unsaved;
    this.say = say;
    this.listProblems = listProblems;
  }

  ask<Answer>(question: Question): Promise<Answer | Failure> {
    return this.actions.askCode(question);
  }

  open(path: string, line: number): Promise<unknown> {
    return openEditor(path, line);
  }

  /** Rename in all files, which are saved first, unformatted, so that the place stays. */
  async rename(place: { line: number; column: number }, name: string): Promise<void> {
    const text = this.active();
    if (!text) return;
    for (const each of this.unsaved()) {
      if (!(await each.save())) return this.say(`Save ${each.name} first.`);
    }
    this.say(`Renaming to ${name}…`);
    const answer = await this.actions.renameName({ path: text.path, ...place, name });
    this.say(isFailure(answer) ? answer.error.message : `Renamed in ${counted(answer.paths.length, "file")}.`);
  }

  async format() {
    const text = this.active();
    if (text) this.say((await formatText(text)) ? "" : "This text can't be formatted. It may have a syntax error.");
  }
}
