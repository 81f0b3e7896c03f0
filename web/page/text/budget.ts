// Cuts Markdown to a number of characters. Selects complete blocks, the most relevant to an instruction first.

/** `level` is a heading's, else 0 */
type Block = { text: string; index: number; level: number };

const LEFT_OUT = "[…]";
const GAP = "\n\n";
// The mark for omitted text and a blank line, before and after a block.
const MARKS = 2 * (LEFT_OUT.length + GAP.length);
// Shorter words are too common.
const LEAST_LETTERS = 3;
// Words with a common prefix of this length are related.
const STEM = 4;

/**
 * @param most - characters
 * @param instruction - describes the information to look for; may be empty
 */
export function cut(markdown: string, most: number, instruction: string): { text: string; truncated: boolean } {
  if (markdown.length <= most) return { text: markdown, truncated: false };
  const blocks = blocksOf(markdown);
  const included = new Set();
  let left = most - MARKS;
  for (const group of inOrder(blocks, wordsOf(instruction))) {
    const fresh = group.filter((block) => !included.has(block));
    // Allow for a mark on both sides.
    const size = fresh.reduce((sum, { text }) => sum + text.length + GAP.length + MARKS, 0);
    if (size > left) continue;
    for (const block of fresh) included.add(block);
    left -= size;
  }
  if (included.size === 0)
    return { text: `${shortened(blocks[0].text, most - MARKS)}${GAP}${LEFT_OUT}`, truncated: true };
  return { text: joined(blocks, included, most), truncated: true };
}

/** Split Markdown into paragraphs, lists, tables and code blocks. */
function blocksOf(markdown: string): Block[] {
  const texts: string[] = [];
  let fence = "";
  for (const part of markdown.split(/\n{2,}/)) {
    if (fence) texts[texts.length - 1] += GAP + part;
    else texts.push(part);
    for (const [mark] of part.matchAll(/^ *(`{3,}|~{3,})/gm)) {
      if (!fence) fence = mark.trim();
      else if (mark.trim().startsWith(fence)) fence = "";
    }
  }
  return texts.map((text, index) => ({ text, index, level: /^(#{1,6}) /.exec(text)?.[1].length ?? 0 }));
}

/**
 * Order blocks by relevance, each with its headings: first those with the wanted words, weighted by rarity, then all
 * from the start.
 */
function inOrder(blocks: Block[], wanted: string[]): Block[][] {
  const words = blocks.map(({ text }) => new Set(wordsOf(text)));
  const has = (at: number, word: string) => [...words[at]].some((one) => isRelated(one, word));
  const holders = new Map(wanted.map((word) => [word, blocks.map((block) => has(block.index, word))]));
  const weight = (word: string) => {
    const count = (holders.get(word) ?? []).filter(Boolean).length;
    return count ? Math.log(1 + blocks.length / count) : 0;
  };
  const weights = new Map(wanted.map((word) => [word, weight(word)]));
  const own = ({ index }: Block) =>
    wanted.reduce((sum, word) => sum + (holders.get(word)?.[index] ? (weights.get(word) ?? 0) : 0), 0);
  const groups = blocks.map((block) => [...headingsOver(blocks, block), block]);
  // Headings count half as much as the text itself.
  const score = (group: Block[]) =>
    own(group[group.length - 1]) + group.slice(0, -1).reduce((sum, heading) => sum + own(heading) / 2, 0);
  const scored = groups.map((group) => ({ group, score: score(group) }));
  const matching = scored.filter((one) => one.score > 0).sort((one, other) => other.score - one.score);
  return [...matching.map(({ group }) => group), ...groups];
}

/** @returns the outermost first */
function headingsOver(blocks: Block[], { index, level }: Block): Block[] {
  const over: Block[] = [];
  let lowest = level || 7;
  for (let at = index - 1; at >= 0 && lowest > 1; at--) {
    const heading = blocks[at];
    if (heading.level && heading.level < lowest) {
      over.unshift(heading);
      lowest = heading.level;
    }
  }
  return over;
}

function joined(blocks: Block[], included: Set<unknown>, most: number) {
  const parts: string[] = [];
  for (const block of blocks) {
    if (included.has(block)) parts.push(block.text);
    else if (parts.at(-1) !== LEFT_OUT) parts.push(LEFT_OUT);
  }
  return shortened(parts.join(GAP), most);
}

function shortened(text: string, most: number) {
  if (text.length <= most) return text;
  const end = text.lastIndexOf(" ", most - 1);
  return `${text.slice(0, end > most / 2 ? end : most - 1)}…`;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= LEAST_LETTERS);
}

function isRelated(one: string, other: string) {
  if (one === other) return true;
  const shared = Math.min(one.length, other.length);
  return shared >= STEM && one.slice(0, shared) === other.slice(0, shared);
}
