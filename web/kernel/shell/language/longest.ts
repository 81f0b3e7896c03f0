// The longest match at a place (POSIX, 9.1), where JavaScript takes the first alternative that fits: an expression is tried
// with each of its alternatives first, or with it only, if there are groups in them.

/** The content of parentheses, or the entire expression: alternatives, each of tokens and groups. */
interface Group {
  isWhole: boolean;
  alternatives: (string | Group)[][];
}

const TOKEN = /\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|[^]/gu;
// An expression with more orders is tried in the first ones.
const MOST_ORDERS = 16;

/** Return the leftmost match, and there the longest one. */
export function longestMatch(expression: RegExp, text: string): RegExpExecArray | null {
  let best = expression.exec(text);
  if (!best || !expression.source.includes("|")) return best;
  const { index } = best;
  for (const source of orders(expression.source)) {
    const other = new RegExp(source, `${expression.flags}y`);
    other.lastIndex = index;
    const found = other.exec(text);
    if (found && found[0].length > best[0].length) best = found;
  }
  return best;
}

/** Return an expression with its alternatives in other orders. */
function orders(source: string): string[] {
  const whole = parsed(source);
  let chosen: Map<Group, number>[] = [new Map()];
  for (const group of ambiguous(whole)) {
    const firsts = group.alternatives.map((_, place) => place);
    chosen = firsts.flatMap((place) => chosen.map((one) => new Map(one).set(group, place))).slice(0, MOST_ORDERS);
  }
  return chosen.slice(1).map((first) => written(whole, first));
}

function parsed(source: string): Group {
  const whole: Group = { isWhole: true, alternatives: [[]] };
  const open = [whole];
  for (const [token] of source.matchAll(TOKEN)) {
    const { alternatives } = open[open.length - 1] ?? whole;
    if (token === "|") alternatives.push([]);
    else if (token === ")" && open.length > 1) open.pop();
    else if (token === "(") {
      const group: Group = { isWhole: false, alternatives: [[]] };
      alternatives[alternatives.length - 1]?.push(group);
      open.push(group);
    } else alternatives[alternatives.length - 1]?.push(token);
  }
  return whole;
}

/** Return the groups in which several alternatives may fit at a place. */
function ambiguous(group: Group): Group[] {
  const inner = group.alternatives.flat().filter((one) => typeof one !== "string");
  const firsts = group.alternatives.map(([first, next]) =>
    typeof first === "string" && /^\w$/.test(first) && !/^[*?{+]/.test(String(next ?? "")) ? first : null,
  );
  const differ = !firsts.includes(null) && new Set(firsts).size === firsts.length;
  return [...(firsts.length > 1 && !differ ? [group] : []), ...inner.flatMap(ambiguous)];
}

/** @param first - for each group the alternative that comes first */
function written(group: Group, first: Map<Group, number>): string {
  const texts = group.alternatives.map((one) =>
    one.map((item) => (typeof item === "string" ? item : written(item, first))).join(""),
  );
  const place = first.get(group) ?? 0;
  const hasGroups = group.alternatives.flat().some((one) => typeof one !== "string");
  // In another order, groups would have other numbers: the others don't match instead.
  const ordered =
    place && hasGroups
      ? texts.map((one, at) => (at === place ? one : `(?!)${one}`))
      : [texts[place] ?? "", ...texts.toSpliced(place, 1)];
  const text = ordered.join("|");
  return group.isWhole ? text : `(${text})`;
}
