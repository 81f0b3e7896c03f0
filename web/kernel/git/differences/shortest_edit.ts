// Which lines two texts don't share: the algorithm of Myers (1986), "An O(ND) Difference Algorithm", in its linear variant, with
// the limits that git sets, so that the same lines are chosen.

const SNAKE = 20;
const HEURISTIC_COST = 256;
const HEURISTIC_FACTOR = 4;
const LEAST_COST_LIMIT = 256;
const MOST_MATCHES = 1024;
const WINDOW = 100;
const RUN_FACTOR = 4;

/** a number for each line, the same for lines that count as equal */
export type Side = { ids: number[]; changed: boolean[] };

/** where to divide, and which halves need the best answer */
type Split = { x: number; y: number; exactLow: boolean; exactHigh: boolean };

/** A power of two near the square root. */
function roughRoot(number: number) {
  let root = 1;
  for (let left = number; left > 0; left >>= 2) root <<= 1;
  return root;
}

function countsOf(ids: number[]) {
  const counts = new Map();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** a part of both files, and its diagonals */
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
  low: number;
  high: number;
}

/** the diagonals that one direction has reached */
interface Range {
  low: number;
  high: number;
  middle: number;
}

/**
 * Mark the lines that differ.
 * @param isMinimal - whether to find the shortest answer at any cost
 */
export function markChanges(old: Side, now: Side, isMinimal: boolean) {
  const [one, other] = [old.ids, now.ids];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const first = compared(old, countsOf(other), start, one.length - end, isMinimal);
  const second = compared(now, countsOf(one), start, other.length - end, isMinimal);
  new Search(old, now, first, second, isMinimal).run(0, first.length, 0, second.length, isMinimal);
}

/** The lines worth comparing; others, which have no or too many partners, count as changed. */
function compared(
  { ids, changed }: Side,
  others: Map<number, number>,
  start: number,
  end: number,
  isMinimal: boolean,
): number[] {
  const most = Math.min(roughRoot(ids.length), MOST_MATCHES);
  const kinds = ids.map((id, at) => {
    const count = at < start || at >= end ? 0 : (others.get(id) ?? 0);
    return count === 0 ? 0 : count >= most && !isMinimal ? 2 : 1;
  });
  const chosen = [];
  for (let at = start; at < end; at++) {
    if (kinds[at] === 1 || (kinds[at] === 2 && !isAmongChanges(kinds, at, start, end - 1))) chosen.push(at);
    else changed[at] = true;
  }
  return chosen;
}

/** Return whether a frequent line stands among lines without partners. */
function isAmongChanges(kinds: number[], at: number, start: number, end: number) {
  const count = (step: number) => {
    let [none, many] = [0, 1];
    for (let away = 1; away <= WINDOW; away++) {
      const place = at + step * away;
      if (place < start || place > end || kinds[place] === 1) break;
      if (kinds[place] === 0) none++;
      else many++;
    }
    return { none, many };
  };
  const [before, after] = [count(-1), count(1)];
  if (before.none === 0 || after.none === 0) return false;
  const many = before.many + after.many;
  return many * RUN_FACTOR < many + before.none + after.none;
}

class Search {
  old: Side;
  now: Side;
  first: number[];
  second: number[];
  isMinimal: boolean;
  one: number[];
  other: number[];
  limit: number;
  shift: number;
  forward: Int32Array;
  backward: Int32Array;

  /** @param first - the lines of `old` to compare */
  constructor(old: Side, now: Side, first: number[], second: number[], isMinimal: boolean) {
    this.old = old;
    this.now = now;
    this.first = first;
    this.second = second;
    this.isMinimal = isMinimal;
    this.one = first.map((at) => old.ids[at]);
    this.other = second.map((at) => now.ids[at]);
    const diagonals = first.length + second.length + 3;
    this.limit = Math.max(roughRoot(diagonals), LEAST_COST_LIMIT);
    this.shift = second.length + 1;
    this.forward = new Int32Array(diagonals + 1);
    this.backward = new Int32Array(diagonals + 1);
  }

  /**
   * @param right - of the old lines
   * @param bottom - of the new lines
   */
  run(left: number, right: number, top: number, bottom: number, isExact: boolean) {
    const { one, other } = this;
    while (left < right && top < bottom && one[left] === other[top]) [left, top] = [left + 1, top + 1];
    while (left < right && top < bottom && one[right - 1] === other[bottom - 1])
      [right, bottom] = [right - 1, bottom - 1];
    if (left === right) for (; top < bottom; top++) this.now.changed[this.second[top] ?? 0] = true;
    else if (top === bottom) for (; left < right; left++) this.old.changed[this.first[left] ?? 0] = true;
    else {
      const { x, y, exactLow, exactHigh } = this.#split(left, right, top, bottom, isExact);
      this.run(left, x, top, y, exactLow);
      this.run(x, right, y, bottom, exactHigh);
    }
  }

  #split(left: number, right: number, top: number, bottom: number, isExact: boolean): Split {
    const box = { left, right, top, bottom, low: left - bottom, high: right - top };
    const [from, to] = [left - top, right - bottom];
    const ahead = { low: from, high: from, middle: from };
    const behind = { low: to, high: to, middle: to };
    const isOdd = Boolean((from - to) & 1);
    this.forward[from + this.shift] = left;
    this.backward[to + this.shift] = right;
    for (let cost = 1; ; cost++) {
      const forth = this.#stepForward(box, ahead, isOdd ? behind : null);
      if (forth.met) return forth.met;
      const back = this.#stepBackward(box, behind, isOdd ? null : ahead);
      if (back.met) return back.met;
      if (isExact) continue;
      const found =
        (forth.snake || back.snake) && cost > HEURISTIC_COST ? this.#promising(box, ahead, behind, cost) : null;
      if (found) return found;
      if (cost >= this.limit) return this.#furthest(box, ahead, behind);
    }
  }

  /**
   * @param range - of diagonals
   * @param others - the diagonals of the other direction, where both may meet
   */
  #stepForward(box: Box, range: Range, others: Range | null) {
    const { forward, backward, shift, one, other } = this;
    if (range.low > box.low) forward[--range.low - 1 + shift] = -1;
    else ++range.low;
    if (range.high < box.high) forward[++range.high + 1 + shift] = -1;
    else --range.high;
    let snake = false;
    for (let diagonal = range.high; diagonal >= range.low; diagonal -= 2) {
      const [below = 0, above = 0] = [forward[diagonal - 1 + shift], forward[diagonal + 1 + shift]];
      const start = below >= above ? below + 1 : above;
      let [x, y] = [start, start - diagonal];
      while (x < box.right && y < box.bottom && one[x] === other[y]) [x, y] = [x + 1, y + 1];
      if (x - start > SNAKE) snake = true;
      forward[diagonal + shift] = x;
      if (others && others.low <= diagonal && diagonal <= others.high && (backward[diagonal + shift] ?? 0) <= x)
        return { snake, met: { x, y, exactLow: true, exactHigh: true } };
    }
    return { snake, met: null };
  }

  #stepBackward(box: Box, range: Range, others: Range | null) {
    const { forward, backward, shift, one, other } = this;
    if (range.low > box.low) backward[--range.low - 1 + shift] = 0x7fffffff;
    else ++range.low;
    if (range.high < box.high) backward[++range.high + 1 + shift] = 0x7fffffff;
    else --range.high;
    let snake = false;
    for (let diagonal = range.high; diagonal >= range.low; diagonal -= 2) {
      const [below = 0, above = 0] = [backward[diagonal - 1 + shift], backward[diagonal + 1 + shift]];
      const start = below < above ? below : above - 1;
      let [x, y] = [start, start - diagonal];
      while (x > box.left && y > box.top && one[x - 1] === other[y - 1]) [x, y] = [x - 1, y - 1];
      if (start - x > SNAKE) snake = true;
      backward[diagonal + shift] = x;
      if (others && others.low <= diagonal && diagonal <= others.high && x <= (forward[diagonal + shift] ?? 0))
        return { snake, met: { x, y, exactLow: true, exactHigh: true } };
    }
    return { snake, met: null };
  }

  /** A path that has come far and ends in a long run of equal lines. */
  #promising(box: Box, ahead: Range, behind: Range, cost: number): Split | null {
    const { forward, backward, shift, one, other } = this;
    const best = (
      range: Range,
      reached: Int32Array,
      progress: (x: number, y: number) => number,
      runs: (x: number, y: number) => boolean,
    ) => {
      let [most, x, y] = [0, 0, 0];
      for (let diagonal = range.high; diagonal >= range.low; diagonal -= 2) {
        const here = reached[diagonal + shift] ?? 0;
        const value = progress(here, here - diagonal) - Math.abs(diagonal - range.middle);
        if (value > HEURISTIC_FACTOR * cost && value > most && runs(here, here - diagonal))
          [most, x, y] = [value, here, here - diagonal];
      }
      return most > 0 ? { x, y } : null;
    };
    const low = best(
      ahead,
      forward,
      (x, y) => x - box.left + y - box.top,
      (x, y) =>
        box.left + SNAKE <= x &&
        x < box.right &&
        box.top + SNAKE <= y &&
        y < box.bottom &&
        span(SNAKE).every((away) => one[x - away - 1] === other[y - away - 1]),
    );
    if (low) return { ...low, exactLow: true, exactHigh: false };
    const high = best(
      behind,
      backward,
      (x, y) => box.right - x + box.bottom - y,
      (x, y) =>
        box.left < x &&
        x <= box.right - SNAKE &&
        box.top < y &&
        y <= box.bottom - SNAKE &&
        span(SNAKE).every((away) => one[x + away] === other[y + away]),
    );
    return high && { ...high, exactLow: false, exactHigh: true };
  }

  /** The path that has come furthest, when a better one would cost too much. */
  #furthest(box: Box, ahead: Range, behind: Range): Split {
    const { forward, backward, shift } = this;
    let [far, farX, near, nearX] = [-1, -1, Infinity, Infinity];
    for (let diagonal = ahead.high; diagonal >= ahead.low; diagonal -= 2) {
      const x = Math.min(forward[diagonal + shift] ?? 0, box.right, box.bottom + diagonal);
      if (far < 2 * x - diagonal) [far, farX] = [2 * x - diagonal, x];
    }
    for (let diagonal = behind.high; diagonal >= behind.low; diagonal -= 2) {
      const x = Math.max(backward[diagonal + shift] ?? 0, box.left, box.top + diagonal);
      if (2 * x - diagonal < near) [near, nearX] = [2 * x - diagonal, x];
    }
    return box.right + box.bottom - near < far - (box.left + box.top)
      ? { x: farX, y: far - farX, exactLow: true, exactHigh: false }
      : { x: nearX, y: near - nearX, exactLow: false, exactHigh: true };
  }
}

const span = (length: number) => Array.from({ length }, (_, at) => at);
