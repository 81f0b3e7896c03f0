/**
 * Links with a folder or the demo. The user is asked before anything is added or starts, because anyone can make such a
 * link.
 */

import { html } from "lit";
import type { Actions } from "../../state/actions.ts";
import { bytesOf } from "../../lib/base64.ts";
import { copyText } from "../../lib/copying.ts";
import { bytes, counted } from "../../lib/format.ts";
import { agrees, askPerson } from "../../lib/question.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Failure } from "../../state/types.ts";
import { BadLink, decodeFiles, encodeFiles, MOST_CODE, type SharedFiles } from "./link_code.ts";
import { addressWith, FILES, type Does } from "./link_launcher.ts";
import { upload } from "./transfers.ts";

/** The demo and its examples, as a link names them. */
const DEMOS = { "": undefined, errors: "errors", chart: "chart" } as const;
const MOST_LISTED = 20;
const PLACE = "/project";

/**
 * Copy a link with files to the clipboard.
 * @returns what the user reads
 */
export async function copyLink(actions: Actions, paths: string[]): Promise<string | Failure> {
  const found = await actions.shareFiles({ paths });
  if (isFailure(found)) return found;
  if (found.files.length === 0) return failure("There are no files to share.", "Hidden files are left out.");
  const files = found.files.map(({ path, content }) => ({ path, content: bytesOf(content) }));
  const code = await encodeFiles({ name: found.name, files });
  if (code.length > MOST_CODE)
    return failure(
      `The link would have ${bytes(code.length)}; at most ${bytes(MOST_CODE)} fit into an address.`,
      "Choose fewer files, or download them as an archive.",
    );
  const problem = await copyText(addressWith(FILES + code));
  if (problem) return { isError: true, error: problem };
  const left = found.left_out > 0 ? ` Hidden files and links are left out: ${found.left_out}.` : "";
  return `Link with ${counted(files.length, "file")} copied. Anyone with the link can read them.${left}`;
}

function failure(message: string, hint: string): Failure {
  return { isError: true, error: { type: "NotShared", message, hint } };
}

/** Ask about a link that the user has opened, and do what it is for. */
export async function openLink(fragment: string, actions: Actions, does: Does) {
  if (!fragment.startsWith(FILES)) return openDemo(fragment.split("=")[1] ?? "", does);
  try {
    const shared = await decodeFiles(fragment.slice(FILES.length));
    if (await wantsFiles(shared)) await add(shared, actions, does);
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    await tell("This link can't be opened", `It should have files, but ${error.message}.`);
  }
}

const tell = (title: string, text: string) => askPerson(title, text, [{ value: "", label: "Close", primary: true }]);

async function openDemo(name: string, { demo }: Does) {
  const known = Object.entries(DEMOS).find(([each]) => each === name);
  if (!known) return;
  const about = "A script plays an agent with real tools, in this page. It needs no model and no account.";
  if (await agrees("Watch the demo?", about, { value: "watch", label: "Watch" })) demo(known[1]);
}

function wantsFiles({ name, files }: SharedFiles): Promise<boolean> {
  const size = files.reduce((sum, { content }) => sum + content.length, 0);
  const listed = files.slice(0, MOST_LISTED);
  return agrees(
    `Add ${counted(files.length, "file")} from this link?`,
    `They are added to ${PLACE}/${name}, ${bytes(size)} in all. Anyone can make such a link: read the files before you run ` +
      "them, or let an agent read them. Nothing is replaced without a further question.",
    { value: "add", label: "Add" },
    html`<ul class="shared-files">${listed.map(({ path, content }) => html`<li>${path} <span class="muted">${bytes(content.length)}</span></li>`)}
      ${files.length > MOST_LISTED ? html`<li class="muted">and ${counted(files.length - MOST_LISTED, "other")}</li>` : null}</ul>`,
  );
}

async function add({ name, files }: SharedFiles, actions: Actions, { show }: Does) {
  const load = {
    files: files.map(({ path, content }) => ({ path: `${name}/${path}`, file: new File([content], path) })),
    folders: [],
  };
  const answer = await upload(actions, PLACE, load);
  if (answer === null) return;
  if (isFailure(answer)) await tell("The files weren't added", answer.error.message);
  else show(`${PLACE}/${name}`);
}
