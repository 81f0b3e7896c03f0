"""Words for SQLite's full-text search (https://www.sqlite.org/fts5.html), and equality by words."""

import re
import unicodedata

# Around each character of a script without spaces between words.
UNSPACED = re.compile(
    r"(?<=[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af])(?=\w)|(?<=\w)"
    r"(?=[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af])"
)
# It has no width, and the tokenizer splits words at it.
SEAM = "\u200b"
TOKENIZER = "tokenize='unicode61 remove_diacritics 2'"
WORD = re.compile(r"\w+")
PHRASE_OR_WORD = re.compile(r'"([^"]*)"?|(\S+)')


def seamed(text: str) -> str:
    """Return a text whose words the tokenizer finds in scripts without spaces, too."""
    return text if text.isascii() else UNSPACED.sub(SEAM, text)


def all_words(text: str) -> str | None:
    """Return the query for entries with every word of `text`, at least as a prefix; None if there are no words.

    Words in double quotes must be adjacent.
    """
    terms: list[str] = []
    for phrase, word in PHRASE_OR_WORD.findall(text):
        words = seamed((phrase or word).replace('"', " ").replace("\0", " "))
        if any(character.isalnum() for character in words):
            terms.append(f'"{words}"' if phrase else f'"{words}" *')
    return " AND ".join(terms) or None


def any_word(text: str) -> str | None:
    """Return the query for entries with any word of `text`; None if there are no words."""
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(WORD.findall(seamed(text)))) or None


def plain_words(text: str) -> str:
    """Return the words of a text without case, punctuation and differences of spelling in Unicode (NFKC)."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
