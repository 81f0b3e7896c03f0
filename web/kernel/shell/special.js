// Builtins that are more than a command with redirections: `exec`, `eval`, `source`, `exit`, `read`, and `set` in part.
import { ASK, LEAVE, RETURN, SOURCE } from "./internal.js";
import { STATUS, command, computed, harmless, literal, nameOf, quoted, shield, statement, textOf } from "./nodes.js";
import { narrowing, redirectsInput } from "./routes.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 */

/** `exec command`: nothing comes after it. @param {Rewriter} rewriter @param {Node} item @returns {Node} */
export function replacing(rewriter, item) {
  const first = textOf(item.args[0]) ?? "";
  const skipped = first === "--" ? 1 : first === "-a" ? 2 : 0;
  const [name, ...args] = item.args.slice(skipped);
  if (!name) return { ...item };
  const run = rewriter.command({ ...item, name, args });
  return rewriter.grouped(function* () {
    yield statement(shield(run));
    rewriter.leaves = true;
    yield statement(command("exit"));
  }, []);
}

/** `exec >file`: the terminal gets nothing more from here on. @param {Rewriter} rewriter @param {Node} item @returns {Node} */
export function reopening(rewriter, item) {
  const copy = { ...item };
  const opened = rewriter.announced(item.redirections);
  computed(copy, "redirections", () => {
    const closed = { ...rewriter.closed };
    for (const { fd, operator, target } of item.redirections) {
      const restores = operator === ">&" && Number(target?.parts?.[0]?.value) > 2;
      if (operator.startsWith("&>")) closed.out = closed.err = true;
      else if (fd === 2) closed.err = !restores;
      else if (operator.startsWith(">") && (fd === null || fd === 1)) closed.out = !restores;
    }
    rewriter.reopened = { closed, refusals: rewriter.host.files.refusals };
    return opened;
  });
  // What it says of a target that it can't open goes through the group, since redirections of its own would last.
  const items = [statement(copy)];
  return rewriter.grouped(() => items.values(), items);
}

/** `eval` and `source` as a group whose list is parsed when they run. @param {Rewriter} rewriter @param {Node} item @param {string} loader @returns {Node} */
export function deferred(rewriter, item, loader) {
  const own = item.redirections;
  const entry = { narrow: narrowing(own), fed: redirectsInput(own) };
  const bare = { ...item, redirections: [] };
  // With redirections on the group, what the two print goes there.
  const plain = own.length ? bare : rewriter.routed(bare, []);
  const call = { ...item, name: literal(loader), args: [quoted(rewriter.id), ...item.args], redirections: [] };
  const load = own.length ? call : rewriter.routed(call, []);
  return rewriter.grouped(
    function* () {
      if (rewriter.host.functions.has(nameOf(item) ?? "")) return void (yield statement(plain));
      yield statement(load);
      const { loaded } = rewriter;
      rewriter.loaded = null;
      if (!loaded) return;
      const sourced = loader === SOURCE ? { loops: 0, left: false, code: "0" } : rewriter.sourced;
      yield* rewriter.list(loaded, { ...entry, sourced });
      if (loader === SOURCE && sourced?.left) yield statement(command(STATUS, quoted(sourced.code)));
    },
    [statement(plain)],
    own,
  );
}

const MISPLACED = "return: can only `return' from a function or sourced script";

/**
 * `return`, which ends the file that `source` reads: just-bash knows only that of a function.
 * @param {Rewriter} rewriter @param {Node} item @returns {Node}
 */
export function leavingSource(rewriter, item) {
  const note = rewriter.routed({ ...item, name: literal(RETURN), args: [quoted(rewriter.id), ...item.args] }, item.redirections);
  const items = [statement(item)];
  const misplaced = statement(rewriter.routed(command("__gemini_complain", quoted(MISPLACED), quoted("2")), []));
  return rewriter.grouped(function* () {
    const { sourced } = rewriter;
    if (!sourced) return void (yield* rewriter.traps.depth ? items : [misplaced]);
    yield harmless(note);
    if (sourced.loops) yield statement(command("break", quoted(String(sourced.loops))));
    yield statement(command(STATUS, quoted(sourced.code)));
  }, items);
}

/** `exit` where a trap waits for it. @param {Rewriter} rewriter @param {Node} item @returns {Node} */
export function exit(rewriter, item) {
  return rewriter.grouped(function* () {
    yield statement(rewriter.routed({ ...command(LEAVE), args: [quoted(rewriter.id), ...item.args] }, []));
    if (rewriter.traps.leaving === null) return;
    const code = rewriter.traps.leaving;
    yield* rewriter.traps.atExit(code);
    yield statement(command("exit", quoted(String(code))));
  });
}

/** `read` that asks the person where nothing else is there to read from. @param {Rewriter} rewriter @param {Node} copy @param {Node} item @returns {Node} */
export function asking(rewriter, copy, item) {
    const ask = rewriter.routed({ ...item, name: literal(ASK), args: [quoted(rewriter.id), ...item.args] }, item.redirections);
  const answered = { ...item };
  computed(answered, "redirections", () => [...copy.redirections, { type: "Redirection", fd: 0, operator: "<<<", target: quoted(rewriter.typed ?? "") }]);
  const items = [statement(copy)];
  const asked = rewriter.grouped(function* () {
    rewriter.typed = null;
    yield statement(ask);
    yield statement(rewriter.typed === null ? copy : answered);
  }, items);
  // The interpreter looks at a node's type first.
  return new Proxy(copy, {
    get: (node, key) => Reflect.get(!rewriter.fed && rewriter.host.asks() ? asked : node, key),
  });
}

/** `set -E` and `set -T`, which just-bash doesn't tell. @param {Rewriter} rewriter @param {Node} copy @param {(string | null)[]} words */
export function noteOptions(rewriter, copy, words) {
  const { redirections } = Object.getOwnPropertyDescriptors(copy);
  const tell = (/** @type {string} */ letter, /** @type {string} */ name, /** @type {"inherited" | "traces"} */ key) => {
    const on = words.some((word, at) => new RegExp(`^-\\w*${letter}`).test(word ?? "") || (word === name && words[at - 1] === "-o"));
    const off = words.some((word, at) => new RegExp(`^\\+\\w*${letter}`).test(word ?? "") || (word === name && words[at - 1] === "+o"));
    return () => void (on ? (rewriter.traps[key] = true) : off ? (rewriter.traps[key] = false) : null);
  };
  const [inherited, traces] = [tell("E", "errtrace", "inherited"), tell("T", "functrace", "traces")];
  computed(copy, "redirections", () => {
    inherited();
    traces();
    return redirections?.get?.call(copy);
  });
}

