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
# Words of English questions that say nothing about a subject. In a few files, even rare ones would find any prose.
FUNCTION_WORDS = frozenset(
    WORD.findall(
        """
        a about after all also am an and any are as at be because been before being but by can could did do does
        doing during each for from get gets had has have having he her here him his how i if in into is it its
        let may me might more most must my no nor not of off on once or our ours out over own per shall she
        should so some someone something such than that the their theirs them then there these they this those
        through to too under until up upon us very was we were what when where which while who whom whose why
        will with would you your yours
        """
    )
)


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
    """Return the query for entries with any word of `text`; None if there are no words.

    Words such as "which" and "the" count only if there are no others.
    """
    words = list(dict.fromkeys(WORD.findall(seamed(text))))
    telling = [word for word in words if word.casefold() not in FUNCTION_WORDS]
    return " OR ".join(f'"{word}"' for word in telling or words) or None


def plain_words(text: str) -> str:
    """Return the words of a text without case, punctuation and differences of spelling in Unicode (NFKC)."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
