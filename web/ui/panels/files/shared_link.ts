/**
 * Links with a folder or the demo. The user is asked before anything is added or starts, because anyone can make such a
 * link.
 */

import { html } from "lit";
import type { Actions } from "../../state/actions.ts";
import { bytesOf } from "../../lib/base64.ts";
import { commands } from "../../lib/commands.ts";
import { copyText } from "../../lib/copying.ts";
import { bytes, counted } from "../../lib/format.ts";
import { askPerson } from "../../lib/question.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Store } from "../../state/store.ts";
import type { Failure } from "../../state/types.ts";
import { BadLink, decodeFiles, encodeFiles, MOST_CODE, type SharedFiles } from "./link_code.ts";
import { upload } from "./transfers.ts";

const FILES = "#files=";
const DEMO = "#demo";
/** The demo and its examples, as a link names them. */
const DEMOS = { "": undefined, errors: "errors", chart: "chart" } as const;
const MOST_LISTED = 20;
const PLACE = "/project";

type Demo = (typeof DEMOS)[keyof typeof DEMOS];

interface Does {
  /** shows a folder in the panel */
  show: (path: string) => unknown;
  demo: (example: Demo) => unknown;
}

/** Return this page's address with a fragment. */
const address = (fragment: string) => new URL(fragment, location.href.split("#")[0]).href;

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
  const problem = await copyText(address(FILES + code));
  if (problem) return { isError: true, error: problem };
  const left = found.left_out > 0 ? ` Hidden files and links are left out: ${found.left_out}.` : "";
  return `Link with ${counted(files.length, "file")} copied. Anyone with the link can read them.${left}`;
}

function failure(message: string, hint: string): Failure {
  return { isError: true, error: { type: "NotShared", message, hint } };
}

/** Ask about the link in the address, now and when another is opened in this tab. */
export function followSharedLinks(store: Store, actions: Actions, does: Does) {
  commands.add({
    id: "copy-demo-link",
    title: "Copy a link to the demo",
    keywords: "share send address",
    run: () => copyText(address(DEMO)),
  });
  const open = () => {
    const fragment = takeFragment();
    if (fragment !== null) whenReady(store, () => void opened(fragment, actions, does));
  };
  addEventListener("hashchange", open);
  open();
}

/** Take a link out of the address, so that a reload doesn't ask again. */
function takeFragment(): string | null {
  const { hash } = location;
  if (!hash.startsWith(FILES) && hash.split("=")[0] !== DEMO) return null;
  history.replaceState(history.state, "", location.href.split("#")[0]);
  return hash;
}

function whenReady(store: Store, act: () => void) {
  let waits = true;
  store.subscribe(({ kernel }) => {
    if (!waits || kernel !== "ready") return;
    waits = false;
    act();
  });
}

async function opened(fragment: string, actions: Actions, does: Does) {
  if (!fragment.startsWith(FILES)) return openDemo(fragment.split("=")[1] ?? "", does);
  try {
    const shared = await decodeFiles(fragment.slice(FILES.length));
    if (await agrees(shared)) await add(shared, actions, does);
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    await tell("This link can't be opened", `It should have files, but ${error.message}.`);
  }
}

const tell = (title: string, text: string) => askPerson(title, text, [{ value: "", label: "Close", primary: true }]);

async function openDemo(name: string, { demo }: Does) {
  const known = Object.entries(DEMOS).find(([each]) => each === name);
  if (!known) return;
  const answer = await askPerson(
    "Watch the demo?",
    "A script plays an agent with real tools, in this page. It needs no model and no account.",
    [
      { value: "", label: "Cancel" },
      { value: "watch", label: "Watch", primary: true },
    ],
  );
  if (answer === "watch") demo(known[1]);
}

async function agrees({ name, files }: SharedFiles): Promise<boolean> {
  const size = files.reduce((sum, { content }) => sum + content.length, 0);
  const listed = files.slice(0, MOST_LISTED);
  const answer = await askPerson(
    `Add ${counted(files.length, "file")} from this link?`,
    `They are added to ${PLACE}/${name}, ${bytes(size)} in all. Anyone can make such a link: read the files before you run ` +
      "them, or let an agent read them. Nothing is replaced without a further question.",
    [
      { value: "", label: "Cancel" },
      { value: "add", label: "Add", primary: true },
    ],
    html`<ul class="shared-files">${listed.map(({ path, content }) => html`<li>${path} <span class="muted">${bytes(content.length)}</span></li>`)}
      ${files.length > MOST_LISTED ? html`<li class="muted">and ${counted(files.length - MOST_LISTED, "other")}</li>` : null}</ul>`,
  );
  return answer === "add";
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
