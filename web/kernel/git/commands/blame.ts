// `git blame`: ranges by patterns, and the sizes of groups in `--porcelain`, which just-git leaves at 1.
import { decode } from "../../bytes.ts";
import { fail, type Answer } from "../repository/answers.ts";
import { linesOf } from "../differences/line_diff.ts";
import { textAt } from "../objects/objects.ts";
import { parseOptions } from "../repository/options.ts";
import { translated } from "../repository/regular_expressions.ts";
import { inTree, needRepository, revParse, type Call } from "../repository/repository.ts";

const RANGE = /^(\/(?:\\.|[^/\\])*\/|\d+)?(?:,(\/(?:\\.|[^/\\])*\/|[+-]?\d+)?)?$/;

/** The lines of a file. */
async function linesIn(args: string[], call: Call): Promise<string[]> {
  const { operands, paths } = parseOptions(args, ["-L", "--date", "--abbrev", "--since"]);
  const repository = needRepository(call);
  const [path = operands.at(-1) ?? ""] = paths ?? [];
  const [name] = paths || operands.length > 1 ? operands : [];
  const place = inTree(repository, call.context, path);
  if (name !== undefined && (await revParse(repository, name)) !== null)
    return linesOf(await textAt(repository, `${name}:${place}`));
  const whole = `${repository.workTree}/${place}`;
  return call.context.fs.isFile(whole) ? linesOf(decode(await call.context.fs.readFileBuffer(whole))) : [];
}

/** A range with numbers in place of patterns and counts. */
function numbered(text: string, lines: string[]) {
  const [whole, start = "1", end] = RANGE.exec(text) ?? [];
  if (whole === undefined) return text;
  const at = (pattern: string, from: number) => {
    const wanted = new RegExp(translated(pattern.slice(1, -1), new Set()));
    const found = lines.findIndex((line, index) => index >= from && wanted.test(line.replace(/\n$/, "")));
    return found < 0
      ? fail(`-L parameter '${pattern.slice(1, -1)}' starting at line ${from + 1}: No match`)
      : found + 1;
  };
  const first = start.startsWith("/") ? at(start, 0) : Number(start);
  if (end === undefined)
    return text.includes(",") ? `${first},${lines.length}` : `${first},${Math.max(first, lines.length)}`;
  if (end.startsWith("/")) return `${first},${at(end, first)}`;
  if (end.startsWith("+")) return `${first},${Math.min(lines.length, first + Number(end) - 1)}`;
  if (end.startsWith("-")) return `${Math.max(1, first + Number(end) + 1)},${first}`;
  return `${first},${end}`;
}

/** Lines of one commit that follow each other are a group, whose size its first line has. */
function grouped(text: string) {
  const heads = [...text.matchAll(/^([0-9a-f]{40}) (\d+) (\d+)(?: \d+)?\n(?:[^\t].*\n)*\t.*\n?/gm)];
  let printed = "";
  for (let at = 0; at < heads.length; ) {
    let end = at + 1;
    const follows = () =>
      heads[end]?.[1] === heads[at]?.[1] && Number(heads[end]?.[2]) === Number(heads[at]?.[2]) + end - at;
    while (end < heads.length && follows()) end++;
    for (let one = at; one < end; one++) {
      const [block = "", hash, old, now] = heads[one] ?? [];
      const rest = block.slice(block.indexOf("\n"));
      printed += `${hash} ${old} ${now}${one === at ? ` ${end - at}` : ""}${rest}`;
    }
    at = end;
  }
  return printed;
}

export async function blame(args: string[], call: Call): Promise<Answer> {
  const given = args.flatMap((word, at) =>
    word === "-L" ? [args[at + 1] ?? ""] : /^-L./.test(word) ? [word.slice(2)] : [],
  );
  const lines = given.some((text) => /[/+-]|^\d+,?$/.test(text)) ? await linesIn(args, call) : [];
  const words = args
    .map((word, at) =>
      args[at - 1] === "-L" ? numbered(word, lines) : /^-L./.test(word) ? `-L${numbered(word.slice(2), lines)}` : word,
    )
    .map((word) => (word === "-p" ? "--porcelain" : word));
  const done = await call.run(["blame", ...words]);
  if (done.exitCode || !words.some((word) => /^--(line-)?porcelain$/.test(word))) return done;
  return { ...done, stdout: grouped(done.stdout) };
}
