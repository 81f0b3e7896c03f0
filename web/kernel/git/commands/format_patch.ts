// `git format-patch`: commits as mails.
import { readCommit } from "just-git/repo";

import { encode } from "../../bytes.ts";
import { answer, type Answer } from "../repository/answers.ts";
import { formatDate } from "../objects/dates.ts";
import { takeDiffOptions, type Options } from "../differences/diff_options.ts";
import { Differences } from "../differences/differences.ts";
import { treePairs } from "../differences/file_pairs.ts";
import { chooseCommits, takeSelection } from "../history/history.ts";
import { checkOptions, parseOptions, splitAtDashes } from "../repository/options.ts";
import { needRepository, type Call } from "../repository/repository.ts";
import { person } from "../repository/ident.ts";

interface Shape {
  prefix: string;
  first: number;
  total: number;
  signs: boolean;
  signature: string;
  diff: Options;
  paths: string[];
  named: boolean;
  withStat: boolean;
}

const VALUED = [
  "-o",
  "--output-directory",
  "-v",
  "--reroll-count",
  "--subject-prefix",
  "--start-number",
  "--suffix",
  "--signature",
];
const KNOWN = new Set([
  ...VALUED,
  "--stdout",
  "-n",
  "--numbered",
  "-N",
  "--no-numbered",
  "-s",
  "--signoff",
  "--no-signature",
  "--rfc",
  "--root",
  "-k",
  "--keep-subject",
  "--no-cover-letter",
  "--zero-commit",
  "-q",
  "--quiet",
]);
const VERSION = "2.39.5";
const STATED = ["stat", "summary", "patch"] as const;
const LONGEST_NAME = 52;

export async function formatPatch(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const [before, dashed] = splitAtDashes(args);
  const { options: diff, rest } = takeDiffOptions(
    before.map((word) => (word === "-s" ? "--signoff" : word)),
    call.settings,
  );
  const { flags, values, operands } = parseOptions(rest, VALUED);
  const number = [...flags].find((flag) => /^-\d+$/.test(flag))?.slice(1);
  checkOptions(
    "format-patch",
    [...flags, ...values.keys()].filter((flag) => !/^-\d+$/.test(flag)),
    KNOWN,
  );
  const names = operands.length ? operands : ["HEAD"];
  const range =
    names.length === 1 && number === undefined && !flags.has("--root") && !names[0]?.includes("..")
      ? [`${names[0]}..HEAD`]
      : names;
  const limit = number === undefined ? [] : [`-${number}`];
  const chosen = await chooseCommits(
    takeSelection(["--no-merges", "--reverse", ...limit, ...range, ...(dashed.length ? dashed : ["--"])]),
    call,
    repository,
  );
  const version = values.get("-v") ?? values.get("--reroll-count");
  const first = Number(values.get("--start-number") ?? 1);
  const numbered =
    !flags.has("-N") &&
    !flags.has("--no-numbered") &&
    (chosen.length > 1 || flags.has("-n") || flags.has("--numbered"));
  const prefix = flags.has("--rfc") ? "RFC PATCH" : (values.get("--subject-prefix") ?? "PATCH");
  const signature = flags.has("--no-signature") ? "" : `-- \n${values.get("--signature") ?? VERSION}\n\n`;
  const keeps = flags.has("-k") || flags.has("--keep-subject");
  const shape: Shape = {
    prefix: keeps ? "" : `${prefix}${version ? ` v${version}` : ""}`,
    first,
    total: first + chosen.length - 1,
    signs: flags.has("--signoff"),
    signature,
    diff: { ...diff, binary: true },
    paths: dashed.slice(1),
    named: numbered,
    withStat: !before.includes("--no-stat") && !before.includes("-p"),
  };
  const patches = [];
  for (const [at, { commit }] of chosen.entries()) {
    const text = await mailOf(commit.hash, first + at, flags.has("--zero-commit"), shape, call);
    patches.push({
      text,
      name: `${version ? `v${version}-` : ""}${fileName(commit.message, first + at)}${values.get("--suffix") ?? ".patch"}`,
    });
  }
  if (flags.has("--stdout")) return answer(patches.map(({ text }) => text).join(""));
  return write(patches, values.get("-o") ?? values.get("--output-directory") ?? "", call);
}

/** Write patches into a folder, and list them. */
async function write(patches: { text: string; name: string }[], folder: string, call: Call) {
  const { fs, cwd } = call.context;
  await fs.mkdir(fs.resolvePath(cwd, folder || "."), { recursive: true });
  const paths = patches.map(({ name }) => `${folder && `${folder.replace(/\/$/, "")}/`}${name}`);
  for (const [at, { text }] of patches.entries())
    await fs.writeFile(fs.resolvePath(cwd, paths[at] ?? ""), encode(text));
  return answer(paths.map((path) => `${path}\n`).join(""));
}

function fileName(message: string, number: number) {
  const [subject = ""] = message.split("\n", 1);
  const plain = subject
    .replace(/[^A-Za-z0-9_.]+/g, "-")
    .replace(/^-|[-.]+$/g, "")
    .slice(0, LONGEST_NAME);
  return `${String(number).padStart(4, "0")}-${plain}`;
}

/** @param hides - whether the hash is left out */
async function mailOf(
  hash: string,
  number: number,
  hides: boolean,
  { prefix, total, signs, signature, diff, paths, named, withStat }: Shape,
  call: Call,
) {
  const repository = needRepository(call);
  const { author, message, parents, tree } = await readCommit(repository, hash);
  const [subject = "", ...rest] = message.trimEnd().split("\n");
  const width = String(total).length;
  const mark =
    prefix === "" ? "" : named ? `[${prefix} ${String(number).padStart(width, "0")}/${total}] ` : `[${prefix}] `;
  const { name, email } = signs ? person("COMMITTER", call) : { name: "", email: "" };
  const trailer =
    signs && !message.includes(`Signed-off-by: ${name} <${email}>`) ? `Signed-off-by: ${name} <${email}>` : "";
  const text = rest.join("\n").replace(/^\n/, "");
  const isTrailed = /\n?(?:^[\w-]+: .*(?:\n|$))+$/m.test(text.split("\n\n").at(-1) ?? "");
  const body = trailer === "" ? text : text === "" ? trailer : `${text}${isTrailed ? "\n" : "\n\n"}${trailer}`;
  const date = formatDate(author.timestamp, author.timezone, "rfc");
  const head = `From ${hides ? "0".repeat(40) : hash} Mon Sep 17 00:00:00 2001\nFrom: ${author.name} <${author.email}>\nDate: ${date}\nSubject: ${mark}${subject}\n\n`;
  const before = parents[0] === undefined ? null : (await readCommit(repository, parents[0])).tree;
  if (diff.formats.size === 0) for (const format of withStat ? STATED : (["patch"] as const)) diff.formats.add(format);
  const differences = new Differences(call, diff);
  const shown = await differences.print(await differences.select(await treePairs(call, before, tree), paths));
  return `${head}${body && `${body}\n`}${withStat ? "---" : ""}\n${shown}${signature}`;
}
