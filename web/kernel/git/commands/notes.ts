// `git notes`: text about objects, in a separate tree whose files are named after the objects (git-notes(1)).
import { updateTree, writeTree } from "just-git/repo";

import { encode } from "../../bytes.ts";
import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { edited, editorOf, withoutComments } from "../repository/editor.ts";
import { checkOptions, parseOptions } from "../repository/options.ts";
import { needRepository, storedText, type Call } from "../repository/repository.ts";
import { hashOf } from "../objects/revisions.ts";
import { newCommit } from "../repository/ident.ts";
import { notesRef, readNotes } from "../history/shown_notes.ts";

type Subcommand = (args: string[], call: Call) => Promise<Answer>;

const USAGE = "usage: git notes [--ref <notes-ref>] [list | add | append | copy | edit | show | remove | get-ref]";
const HELP = "\n#\n# Write/edit the notes for the following object:\n#\n";

/** Record the text of a note; null removes it. */
async function record(object: string, text: string | null, title: string, ref: string, call: Call) {
  const repository = needRepository(call);
  const { tip, tree, notes } = await readNotes(call, ref);
  const base = tree ?? (await writeTree(repository, []));
  // Names stay where they are; in a tree with folders, new ones are in folders, too.
  const isDeep = [...notes.values()].some(({ path }) => path.includes("/"));
  const path = notes.get(object)?.path ?? (isDeep ? `${object.slice(0, 2)}/${object.slice(2)}` : object);
  const change =
    text === null
      ? { path, hash: null }
      : { path, hash: await repository.objectStore.write("blob", encode(text)), mode: "100644" };
  const changed = await updateTree(repository, base, [change]);
  const hash = await newCommit(changed, tip === null ? [] : [tip], `${title}\n`, call);
  await repository.refStore.writeRef(ref, hash);
}

/** The messages of `-m`, `-F` and `-C`. */
async function textOf(
  args: string[],
  call: Call,
): Promise<{ text: string | null; operands: string[]; isForced: boolean }> {
  const repository = needRepository(call);
  const { fs, cwd, stdin } = call.context;
  const texts = [];
  const { flags, operands } = parseOptions(args, ["-m", "--message", "-F", "--file", "-C", "--reuse-message"]);
  checkOptions("notes", flags, ["-f", "--force", "--allow-empty"], "use -m or -F");
  for (const [at, word] of args.entries()) {
    const [, name, joined] = /^(-[mFC]|--(?:message|file|reuse-message)(?==))=?(.*)$/s.exec(word) ?? [];
    const long = /^--(message|file|reuse-message)$/.test(word);
    if (name === undefined && !long) continue;
    const value = joined || (args[at + 1] ?? "");
    const kind = (name ?? word).replace(/^-+/, "").at(0);
    if (kind === "m") texts.push(value);
    else if (kind === "F" || kind === "f")
      texts.push(value === "-" ? stdin : await fs.readFile(fs.resolvePath(cwd, value)));
    else texts.push(await storedText(repository, await objectOf(value, call)));
  }
  const text = texts.length === 0 ? null : cleaned(texts.map((one) => one.replace(/\n+$/, "")).join("\n\n"));
  return { text, operands, isForced: flags.has("-f") || flags.has("--force") };
}

const cleaned = (text: string) =>
  `${text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd()}\n`;

async function objectOf(name: string | undefined = "HEAD", call: Call) {
  return (await hashOf(needRepository(call), name)) ?? fail(`failed to resolve '${name}' as a valid ref.`);
}

/** The text of an object's note; null if it has none. */
async function noteOf(object: string, ref: string, call: Call) {
  const note = (await readNotes(call, ref)).notes.get(object);
  return note ? storedText(needRepository(call), note.blob) : null;
}

async function fromEditor(before: string, object: string, call: Call) {
  const path = `${needRepository(call).gitDir}/NOTES_EDITMSG`;
  const { stdout } = await call.run(["show", "--stat", "--no-notes", object]);
  await call.context.fs.writeFile(path, `${before}${HELP}${stdout.replace(/^/gm, "# ")}\n`);
  const { text } = await edited(
    path,
    call,
    editorOf(call),
    "\nPlease supply the note contents using either -m or -F option",
  );
  return cleaned(withoutComments(text));
}

const alreadyNoted = (verb: string, object: string) =>
  answer(
    "",
    `error: Cannot ${verb} notes. Found existing notes for object ${object}. Use '-f' to overwrite existing notes\n`,
    1,
  );

const subcommands = (ref: string): Record<string, Subcommand> => ({
  list: async ([name], call) => {
    const { notes } = await readNotes(call, ref);
    if (name === undefined)
      return answer(
        [...notes]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([object, { blob }]) => `${blob} ${object}\n`)
          .join(""),
      );
    const object = await objectOf(name, call);
    const note = notes.get(object);
    return note ? answer(`${note.blob}\n`) : answer("", `error: no note found for object ${object}.\n`, 1);
  },
  show: async ([name], call) => {
    const object = await objectOf(name, call);
    const note = await noteOf(object, ref, call);
    return note === null ? answer("", `error: no note found for object ${object}.\n`, 1) : answer(note);
  },
  add: async (args, call) => {
    const { text, operands, isForced } = await textOf(args, call);
    const object = await objectOf(operands[0], call);
    const has = (await readNotes(call, ref)).notes.has(object);
    if (has && !isForced && text !== null) return alreadyNoted("add", object);
    const given = text ?? (await fromEditor("", object, call));
    await record(object, given.trim() === "" ? null : given, "Notes added by 'git notes add'", ref, call);
    return answer("", has ? `Overwriting existing notes for object ${object}\n` : "");
  },
  append: async (args, call) => {
    const { text, operands } = await textOf(args, call);
    const object = await objectOf(operands[0], call);
    const before = (await noteOf(object, ref, call)) ?? "";
    const given = text ?? (await fromEditor("", object, call));
    await record(
      object,
      before === "" ? given : `${before.trimEnd()}\n\n${given}`,
      "Notes added by 'git notes append'",
      ref,
      call,
    );
    return answer();
  },
  edit: async ([name], call) => {
    const object = await objectOf(name, call);
    const before = (await noteOf(object, ref, call)) ?? "";
    await record(object, await fromEditor(before, object, call), "Notes added by 'git notes edit'", ref, call);
    return answer();
  },
  copy: async (args, call) => {
    const { flags, operands } = parseOptions(args);
    const [from, to] = [await objectOf(operands[0], call), await objectOf(operands[1], call)];
    const note = await noteOf(from, ref, call);
    if (note === null) return answer("", `error: missing notes on source object ${from}. Cannot copy.\n`, 1);
    const has = (await readNotes(call, ref)).notes.has(to);
    if (has && !flags.has("-f") && !flags.has("--force")) return alreadyNoted("copy", to);
    await record(to, note, "Notes added by 'git notes copy'", ref, call);
    return answer("", has ? `Overwriting existing notes for object ${to}\n` : "");
  },
  remove: async (names, call) => {
    let [said, code] = ["", 0];
    for (const name of names.length ? names : ["HEAD"]) {
      const object = await objectOf(name, call);
      const { notes } = await readNotes(call, ref);
      if (notes.has(object)) await record(object, null, "Notes removed by 'git notes remove'", ref, call);
      else code = 1;
      said += notes.has(object) ? `Removing note for object ${name}\n` : `Object ${name} has no note\n`;
    }
    return answer("", said, code);
  },
  "get-ref": async () => answer(`${ref}\n`),
});

export async function notes(args: string[], call: Call): Promise<Answer | null> {
  needRepository(call);
  const [, joined] = /^--ref=(.*)$/.exec(args[0] ?? "") ?? [];
  const given = joined ?? (args[0] === "--ref" ? args[1] : undefined);
  const [name = "list", ...rest] = given === undefined ? args : args.slice(joined === undefined ? 2 : 1);
  const subcommand = subcommands(notesRef(call, given))[name];
  if (subcommand) return subcommand(rest, call);
  if (["merge", "prune"].includes(name))
    refuse(
      `git notes ${name} isn't available here`,
      `use git notes ${name === "prune" ? "list, and git notes remove" : "show, and git notes append"}`,
    );
  throw new GitProblem(`error: unknown subcommand: \`${name}'\n${USAGE}`, 129);
}
