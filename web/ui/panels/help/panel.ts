/** The Help panel: the documents, in the page. The palette finds their titles and the questions of help.md. */

import { commands } from "../../lib/commands.ts";
import { byId } from "../../lib/elements.ts";
import { onHelp } from "../../lib/hint.ts";
import { fetchOfBuild } from "../../lib/integrity.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import type { HelpPanel, Running } from "./main.ts";

const ID = "help";
/** The document with the questions. */
const QUESTIONS = "help";

interface Index {
  /** of the documents, by name */
  titles: Record<string, string>;
  questions: { title: string; words: string }[];
}

/** @param open - shows the panel and focuses it */
export function showHelp(open: () => void, running: Running) {
  const index = fetchOfBuild("documents_index.json").then((response): Promise<Index> => response.json());
  const lazy = new LazyView({
    id: ID,
    create: (part: typeof import("./main.ts")) => new part.HelpPanel(byId(`${ID}-body`, HTMLElement), index, running),
  });
  const show = async (name: string, section: string | null) => {
    open();
    const view: HelpPanel | null = await lazy.get();
    await view?.open(name, section);
  };
  index.then(
    (found) => {
      addCommands(found, show);
      onHelp((name) => name in found.titles && void show(name, null));
    },
    (error) => console.error("The list of documents could not be read.", error),
  );
}

function addCommands({ titles, questions }: Index, show: (name: string, section: string | null) => unknown) {
  for (const { title, words } of questions)
    commands.add({
      id: `question:${title}`,
      kind: "help",
      title,
      keywords: words,
      run: () => show(QUESTIONS, title),
    });
  for (const [name, title] of Object.entries(titles))
    commands.add({
      id: `document:${name}`,
      kind: "document",
      title: `Help: ${title}`,
      keywords: `documentation docs manual ${name}`,
      run: () => show(name, null),
    });
}
