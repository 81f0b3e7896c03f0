// `git ls-remote`: the refs of another repository, over HTTP as gitprotocol-http(5) describes its first request.
import { readHead } from "just-git/repo";

import { decode } from "../../bytes.ts";
import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { checkOptions, parseOptions } from "../repository/options.ts";
import { globSource } from "../repository/path_patterns.ts";
import { addressProblem, notThere, requestProblem } from "./remotes.ts";
import { headOf, revParse, type Repository, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";

type Ref = { name: string; hash: string };

/** `refs` in the order of names, tags with `^{}` after them; `head` is the branch of HEAD */
type Listing = { refs: Ref[]; head: string | null };

const KNOWN = ["--heads", "-h", "--tags", "-t", "--refs", "--quiet", "-q", "--exit-code", "--get-url", "--symref"];
const NOTHING_FOUND = 2;

async function listingOf(repository: Repository): Promise<Listing> {
  const { ref, hash } = await readHead(repository);
  const refs: Ref[] = hash === null ? [] : [{ name: "HEAD", hash }];
  const all = await repository.refStore.listRefs("refs");
  for (const one of all.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    refs.push({ name: one.name, hash: one.hash });
    if ((await repository.objectStore.read(one.hash)).type !== "tag") continue;
    refs.push({ name: `${one.name}^{}`, hash: (await revParse(repository, `${one.hash}^{}`)) ?? one.hash });
  }
  return { refs, head: ref };
}

/** The lines of a text in pkt-line format (gitprotocol-common(5)). */
function packetsOf(bytes: Uint8Array): string[] {
  const lines = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = parseInt(decode(bytes.subarray(at, at + 4)), 16);
    if (Number.isNaN(length)) fail("the server sent no list of refs");
    if (length > 4) lines.push(decode(bytes.subarray(at + 4, at + length)).replace(/\n$/, ""));
    at += Math.max(length, 4);
  }
  return lines;
}

function credentials(env: Map<string, string>): Record<string, string> {
  const token = env.get("GIT_HTTP_BEARER_TOKEN");
  if (token) return { Authorization: `Bearer ${token}` };
  const [user, password] = [env.get("GIT_HTTP_USER"), env.get("GIT_HTTP_PASSWORD")];
  return user ? { Authorization: `Basic ${btoa(`${user}:${password ?? ""}`)}` } : {};
}

async function ask(url: string, call: Call): Promise<Listing> {
  const place = url.replace(/\/+$/, "");
  let response;
  try {
    response = await fetch(`${place}/info/refs?service=git-upload-pack`, { headers: credentials(call.context.env) });
  } catch (error) {
    return fail(`unable to access '${place}/': ${error instanceof Error ? error.message : error}`);
  }
  if (!response.ok) throw new GitProblem(requestProblem(response.status, place));
  const lines = packetsOf(new Uint8Array(await response.arrayBuffer())).filter(
    (line) => !line.startsWith("# service="),
  );
  const [, capabilities = ""] = (lines[0] ?? "").split("\0");
  const refs = lines.flatMap((line) => {
    const [, hash, name] = /^([0-9a-f]{40}) ([^\0]+)/.exec(line) ?? [];
    return hash === undefined || name === undefined || name === "capabilities^{}" ? [] : [{ name, hash }];
  });
  return { refs, head: /(?:^| )symref=HEAD:(\S+)/.exec(capabilities)?.[1] ?? null };
}

/** The address of a remote, or the word itself. */
async function addressOf(word: string | undefined, call: Call): Promise<string> {
  const url = (name: string) => setting(call.settings, `remote.${name}.url`);
  if (word !== undefined) return url(word) ?? word;
  const branch = call.repository && (await headOf(call.repository)).branch;
  const remote = (branch && setting(call.settings, `branch.${branch}.remote`)) || "origin";
  return url(remote) ?? fail("No remote configured to list refs from.");
}

async function read(address: string, call: Call): Promise<Listing> {
  if (/^https?:/.test(address)) return ask(address, call);
  const problem = addressProblem(address);
  if (problem !== null) throw new GitProblem(problem);
  const base = call.repository?.workTree ?? call.repository?.gitDir ?? call.context.cwd;
  const repository = await call.repositoryAt(call.context.fs.resolvePath(base, address.replace(/^file:\/\//, "")));
  if (repository !== null) return listingOf(repository);
  throw new GitProblem(notThere(address));
}

export async function lsRemote(args: string[], call: Call): Promise<Answer | null> {
  const { flags, operands } = parseOptions(args);
  checkOptions("ls-remote", flags, KNOWN, "leave it out, and use sort");
  const [word, ...patterns] = operands;
  const address = await addressOf(word, call);
  if (flags.has("--get-url")) return answer(`${address}\n`);
  const { refs, head } = await read(address, call);
  const [heads, tags] = [flags.has("--heads") || flags.has("-h"), flags.has("--tags") || flags.has("-t")];
  const tests = patterns.map((pattern) => new RegExp(`^(?:.*/)?${globSource(pattern)}$`, "s"));
  const shown = refs.filter(({ name }) => {
    if ((heads || tags) && !(heads && name.startsWith("refs/heads/")) && !(tags && name.startsWith("refs/tags/")))
      return false;
    if (flags.has("--refs") && (name === "HEAD" || name.endsWith("^{}"))) return false;
    return tests.length === 0 || tests.some((test) => test.test(`/${name}`));
  });
  const symbolic = (name: string) =>
    flags.has("--symref") && name === "HEAD" && head !== null ? `ref: ${head}\tHEAD\n` : "";
  const text = shown.map(({ name, hash }) => `${symbolic(name)}${hash}\t${name}\n`).join("");
  const said = word === undefined && !flags.has("-q") && !flags.has("--quiet") ? `From ${address}\n` : "";
  return answer(text, said, flags.has("--exit-code") && shown.length === 0 ? NOTHING_FOUND : 0);
}
