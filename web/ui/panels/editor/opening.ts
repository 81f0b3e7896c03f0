/** Opens files for any part of the page: the file list, a traceback, a search. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Failure } from "../../state/types.ts";

interface Opener {
  actions: Actions;
  /** focuses the editor once it shows the file */
  focus: (path: string) => void;
  preview: (path: string) => void;
  insert: (text: string) => string | null;
}

let opener: Opener | null = null;

export function connectOpening(created: Opener) {
  opener = created;
}

/**
 * Open a path: text in the editor, a directory in the list, all else in the preview. Python decides.
 *
 * @param line - of a text, from 1
 */
export async function openEditor(path: string, line?: number): Promise<{ path: string } | Failure> {
  const { actions, focus, preview } = connected();
  const answer = await actions.openFile({ path, line });
  if (isFailure(answer)) return answer;
  if (answer.where === "editor") focus(answer.path);
  if (answer.where === "preview") preview(answer.path);
  return answer;
}

/** Open a file in the editor, whatever its content. */
export async function editFile(path: string): Promise<{ path: string } | Failure> {
  const { actions, focus } = connected();
  const answer = await actions.editFile({ path });
  if (!isFailure(answer)) focus(answer.path);
  return answer;
}

/**
 * Insert a text at the caret of the file in front.
 *
 * @returns its name; null if no text is open
 */
export function insertInEditor(text: string): string | null {
  return connected().insert(text);
}

function connected() {
  if (opener === null) throw new TypeError("call connectOpening first");
  return opener;
}
