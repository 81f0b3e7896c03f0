/** Files that are dropped on the editor: they are stored in the folder that Files shows, and opened. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Store } from "../../state/store.ts";
import { counted } from "../../lib/format.ts";
import { acceptDrops } from "../files/drop_target.ts";
import { type Load, upload } from "../files/transfers.ts";
import { openEditor } from "./opening.ts";

/** More dropped files only go into the folder. */
const MOST_OPENED = 5;

/** @param say - announces a message */
export function openDropped(panel: HTMLElement, store: Store, actions: Actions, say: (message: string) => void) {
  const add = async (dropped: Promise<Load>) => {
    const answer = await upload(actions, store.state.files?.path ?? ".", await dropped);
    if (answer === null) return;
    if (isFailure(answer)) return say(answer.error.message);
    say(`Added ${counted(answer.paths.length, "file")}.`);
    for (const path of answer.paths.slice(0, MOST_OPENED)) await openEditor(path);
  };
  acceptDrops(panel, (dropped) => void add(dropped));
}
