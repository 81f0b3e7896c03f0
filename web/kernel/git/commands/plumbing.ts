// Commands of scripts, which just-git lacks: hashes, merge-base, symbolic-ref, update-ref, show-ref.
import { findMergeBases, isAncestor } from "just-git/repo";

import { answer, fail, type Answer } from "../repository/answers.ts";
import { parseOptions, without } from "../repository/options.ts";
import { headOf, needRepository, type Call } from "../repository/repository.ts";
import { resolve } from "../objects/revisions.ts";

export async function mergeBase(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(args);
  const hashes = [];
  for (const name of operands) hashes.push(await resolve(repository, `${name}^{commit}`));
  const [first = "", second = first] = hashes;
  if (flags.has("--is-ancestor")) return answer("", "", (await isAncestor(repository, first, second)) ? 0 : 1);
  const bases = await findMergeBases(repository, first, second);
  const shown = flags.has("-a") || flags.has("--all") ? bases : bases.slice(0, 1);
  return answer(shown.map((hash) => `${hash}\n`).join(""), "", shown.length ? 0 : 1);
}

export async function symbolicRef(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(args, ["-m"]);
  const [name = "HEAD", target] = operands;
  if (target !== undefined) await repository.refStore.writeRef(name, { type: "symbolic", target });
  if (target !== undefined) return answer();
  const ref = await repository.refStore.readRef(name);
  if (ref?.type !== "symbolic") return flags.has("-q") ? answer("", "", 1) : fail(`ref ${name} is not a symbolic ref`);
  return answer(`${flags.has("--short") ? ref.target.replace(/^refs\/(heads|tags|remotes)\//, "") : ref.target}\n`);
}

export async function updateRef(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const [name = "", value = ""] = parseOptions(args, ["-m"]).operands;
  if (args.includes("-d")) await repository.refStore.deleteRef(name);
  else {
    const place = name === "HEAD" ? ((await headOf(repository)).branch ?? "") : "";
    await repository.refStore.writeRef(place ? `refs/heads/${place}` : name, await resolve(repository, value));
  }
  return answer();
}

export async function showRef(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(without(args, "--"));
  const refs = await repository.refStore.listRefs("refs");
  const shown = refs.filter(({ name }) => {
    if (flags.has("--heads") || flags.has("--tags"))
      if (
        !(flags.has("--heads") && name.startsWith("refs/heads/")) &&
        !(flags.has("--tags") && name.startsWith("refs/tags/"))
      )
        return false;
    return (
      operands.length === 0 ||
      operands.some((one) => name === one || (!flags.has("--verify") && name.endsWith(`/${one}`)))
    );
  });
  const text = shown.map(({ name, hash }) => `${hash} ${name}\n`).join("");
  return answer(flags.has("-q") || flags.has("--quiet") ? "" : text, "", shown.length ? 0 : 1);
}
