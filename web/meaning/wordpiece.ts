// WordPiece as BERT's uncased models use it (https://arxiv.org/abs/1609.08144), the same as the library `tokenizers`
// (https://github.com/huggingface/tokenizers): its BertNormalizer, BertPreTokenizer and WordPiece.
// tests/contract/test_meaning_model.py compares both. They differ in 671 rare characters, most of them younger than Unicode 8,
// whose tables that library has; a browser has its own.

const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
// NUL and the replacement character, too; tab and ends of lines are white space.
const REMOVED = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu;
// Not the whole of extension E: the library begins it at U+2B920.
const IDEOGRAPH =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
// ASCII's symbols count as punctuation.
const PIECES = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;
const ACCENT = /\p{Mn}/gu;
// Characters of a longer word aren't looked up.
const LONGEST_WORD = 100;

export class WordPiece {
  #ids: Map<string, number>;
  #unknown: number;

  /** @param vocabulary - a piece in each line; its number is its id */
  constructor(vocabulary: string) {
    this.#ids = new Map(
      vocabulary
        .trimEnd()
        .split(/\r?\n/)
        .map((piece, id) => [piece, id]),
    );
    this.#unknown = this.#id("[UNK]");
  }

  /**
   * Return the ids of a text, between those that mark its start and end.
   * @param most - the ids at most; the rest of the text is left out
   */
  encode(text: string, most: number): number[] {
    const ids = [this.#id("[CLS]")];
    for (const [index, part] of text.split(SPECIAL).entries()) {
      if (ids.length >= most) break;
      if (index % 2 === 1) ids.push(this.#id(part));
      else this.#add(part, ids, most);
    }
    return [...ids.slice(0, most - 1), this.#id("[SEP]")];
  }

  #id(piece: string) {
    const id = this.#ids.get(piece);
    if (id === undefined) throw new Error(`The vocabulary has no ${piece}.`);
    return id;
  }

  #add(part: string, ids: number[], most: number) {
    for (const [word] of normalized(part).matchAll(PIECES)) {
      if (ids.length >= most) return;
      ids.push(...this.#pieces(word));
    }
  }

  /** Return the longest pieces that the word begins with, in turn; if there are none, that of the unknown. */
  #pieces(word: string): number[] {
    if ([...word].length > LONGEST_WORD) return [this.#unknown];
    const found: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start; end--) {
        id = this.#ids.get((start > 0 ? "##" : "") + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [this.#unknown];
      found.push(id);
      start = end;
    }
    return found;
  }
}

/** Return a text without control characters and accents, in lower case, with spaces around ideographs. */
function normalized(text: string) {
  const plain = text.replace(REMOVED, "").replace(IDEOGRAPH, " $& ").normalize("NFD").replace(ACCENT, "");
  // One character after the other: a Σ at the end of a word has another form otherwise.
  return Array.from(plain, (character) => character.toLowerCase()).join("");
}
