"""What two queries are compared by: their words of content, names and numbers, and what they ask for."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Prefix

from ragset.text.rules.tables import Words, small_words
from ragset.text.words import CURRENCIES, MARKS, NO_MARK_BELOW, SYMBOLS, tokenise, writes_without_spaces

_LETTERS = rf"[^\W_]+(?:(?=[{NO_MARK_BELOW}-\U0010ffff])[{MARKS}]+[^\W_]*)*"
# Signs count where they are part of a word or number (C++, C#, -1, $HOME), and symbols anywhere; no hyphen or dash does.
_BEFORE = rf"(?:(?<![\w)\]])(?:-{{1,2}}|[+#@{CURRENCIES}]{{1,2}}))?"
_AFTER = r"(?:[+#]{1,2}(?!\w)|(?<=\b[^\W\d_])-(?![\w-]))?"
# One quick comparison first, or every space is looked up among 7,000 symbols, in a hundred times the time.
_ALONE = rf"[!=]=+|(?=[%$+<=>\x80-\U0010ffff])[%‰{CURRENCIES}{SYMBOLS}]"
_SIGN = re.compile(_ALONE)
_WORD = re.compile(rf"{_BEFORE}(?:{_LETTERS}|_)+{_AFTER}|{_ALONE}")
_TOKEN = re.compile(rf"{_BEFORE}(?:\d+(?:[.,:]\d+)*(?:{_LETTERS})?|{_LETTERS}){_AFTER}|{_ALONE}")
_MINUS = re.compile(r"\u2212|(?<!\S)–(?=\d)")
_BEFORE_SENTENCE = tuple('.?!:¿¡"“”«»„(')
_SAID = re.compile(r"\w")
_APOSTROPHE = str.maketrans({"’": "'", "‘": "'", "´": "'"})
_POSSESSIVE = re.compile(r"\w['’]s\b|s['’](?=\s)")
_SHORTEST_STEM, _LONG_BEGINNING, _LONGEST_ENDING = 3, 4, 4  # letters


class Wording(NamedTuple):
    """A query as it is compared with others."""

    words: tuple[str, ...]  # all of them, folded, in order
    folded: str
    content: tuple[str, ...]  # stems of the words that name something, in order; numerals as digits
    names: frozenset[str]  # of `content`, the names and numbers
    kind: str  # what is asked for: time, place, person, owner, reason, manner, amount, degree, polar, or thing
    detail: str  # of the kind, where it is said: `year`, `long`
    tense: str  # `present` or `past`, where a small word says so; else nothing
    agent: bool  # whether somebody is named by whom it was done
    possessive: bool  # whether it has one, which turns two words round ("the king's horse")
    language: str

    @property
    def core(self) -> frozenset[str]:
        """`content` without words that are too general to tell queries apart."""
        return frozenset(self.content) - stems(small_words(self.language).light, self.language)


def folded_words(text: str) -> tuple[str, ...]:
    """`words_of`, sorted."""
    return tuple(sorted(words_of(text)))


def words_of(text: str) -> tuple[str, ...]:
    """Every word and sign, folded, in order; the folded text itself if it has none."""
    folded = _MINUS.sub("-", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))
    return tuple(_WORD.findall(folded)) or (folded.strip(),)


def content_words(text: str, language: str) -> tuple[str, ...]:
    """Stems of the words that name something, in order; character pairs in scripts without spaces."""
    table = small_words(language)
    return tuple(stem(word, language) for _, word in _tokens(text) if word not in table.empty)


def names_in(queries: Iterable[str]) -> frozenset[str]:
    """Words, folded, that the queries write with a capital where grammar asks for none, more often than without."""
    capital, small = Counter[str](), Counter[str]()
    for query in queries:
        if _is_heading(query):
            continue
        for match in _TOKEN.finditer(query.translate(_APOSTROPHE)):
            before = query[: match.start()].rstrip()
            if before.endswith(_BEFORE_SENTENCE) or not _SAID.search(before):
                continue
            (capital if match[0][0].isupper() else small)[_fold(match[0])] += 1
    return frozenset(word for word, times in capital.items() if times > small[word])


def _is_heading(text: str) -> bool:
    """Whether all of its words, three at least, have a capital."""
    words = 0
    for shown, _ in _tokens(text):
        if not shown[0].isupper():
            return False
        words += 1
    return words > 2


def wording_of(query: str, language: str, names: frozenset[str]) -> Wording:
    """The wording of `query`; `names` are those of `names_in` over all queries."""
    table = small_words(language)
    tokens = list(_tokens(query))
    words = [word for _, word in tokens]
    kind, detail, used = _asked(words, table)
    content, named = list[str](), set[str]()
    light = stems(table.light, language)
    for place, (shown, word) in enumerate(tokens):
        letter = _is_letter(tokens, place)
        if not letter and (place in used or word in table.empty):
            continue
        number = table.numbers.get(word)
        kept = number or stem(word, language)
        content.append(kept)
        written = letter or word in names or (len(shown) > 1 and shown.isupper())
        signed = not word.isalpha() and (_SIGN.fullmatch(word) or any(map(str.isdigit, word)))
        if number or signed or (written and kept not in light):
            named.add(kept)
    said = frozenset(words)
    tense = ("present" if said & table.present else "") + ("past" if said & table.past else "")
    return Wording(
        words=words_of(query),
        folded=" ".join(words),
        content=tuple(content),
        names=frozenset(named),
        kind=kind,
        detail=detail,
        tense=tense if tense in ("present", "past") else "",
        agent=_has_agent(words, table),
        possessive=language == "en" and _POSSESSIVE.search(query) is not None,
        language=language,
    )


def opposed(left: frozenset[str], right: frozenset[str], language: str) -> bool:
    """Whether one side has a stem whose opposite the other has: open and closed."""
    opposites = _opposites(language)
    return any(opposites.get(word, frozenset()) & right for word in left)


def mutual(content: Iterable[str], language: str) -> bool:
    """Whether the query asks about two things whose order does not count: "how A differs from B"."""
    beginnings = tuple(small_words(language).mutual)
    return any(word.startswith(beginnings) for word in content) if beginnings else False


def plain(wording: Wording) -> tuple[str, ...]:
    """The stems of its words, sorted, without articles and forms of "be"."""
    small = small_words(wording.language).plain
    return tuple(sorted(stem(word, wording.language) for word in wording.folded.split() if word not in small))


def inflected(one: str, other: str) -> bool:
    """Whether two stems may be forms of one word: "pintó" and "pintadas", "gebaut" and "baute"."""
    one, other = (word.removeprefix("ge") if len(word) > _LONG_BEGINNING + 1 else word for word in (one, other))
    shared = Prefix.similarity(one, other)
    return shared >= _LONG_BEGINNING and max(len(one), len(other)) - shared <= _LONGEST_ENDING


@lru_cache(maxsize=2**16)
def stem(word: str, language: str) -> str:
    """A folded word without its inflection; cautious, because a wrong match costs a query."""
    table = small_words(language)
    if not word.isalpha():
        return word
    word = table.irregular.get(word, word)
    if language == "en":
        word = re.sub(r"([iy])s(e|es|ed|ing|ation|ations)$", r"\1z\2", word) if len(word) > 6 else word
        word = re.sub(r"(?<=[a-z]{3})our(?=s?$|ed$|ing$)", "or", word)
    for ending in table.endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    doubled = len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiousl"
    return word[:-1] if doubled else word


@lru_cache(maxsize=32)
def stems(words: frozenset[str], language: str) -> frozenset[str]:
    """The stems of folded words."""
    return frozenset(stem(word, language) for word in words)


@lru_cache(maxsize=16)
def _opposites(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for word, others in small_words(language).opposites.items():
        key = stem(word, language)
        found[key] = found.get(key, frozenset()) | {stem(other, language) for other in others} - {key}
    return found


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Each word as written and folded; the s of a possessive is none."""
    shown_text = _MINUS.sub("-", unicodedata.normalize("NFKC", text).translate(_APOSTROPHE))
    for match in _TOKEN.finditer(shown_text):
        shown = match[0]
        if shown in ("s", "S") and shown_text[max(0, match.start() - 1) : match.start()] == "'":
            continue
        if not shown.isascii() and writes_without_spaces(shown):
            yield from ((pair, pair) for pair in tokenise(shown))
        else:
            yield shown, _fold(shown)


def _is_letter(tokens: list[tuple[str, str]], place: int) -> bool:
    """Whether it is a capital by itself, as in "plan A" and "World War I", and not a first word or a pronoun."""
    shown = tokens[place][0]
    if place == 0 or len(shown) > 1 or not shown.isupper():
        return False
    return shown != "I" or (place > 1 and tokens[place - 1][0][0].isupper())


def _fold(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFC", word).casefold()


def _asked(words: list[str], table: Words) -> tuple[str, str, frozenset[int]]:
    """Kind, detail, and the places of nouns that said no more than these."""
    place = next((place for place, word in enumerate(words) if word in table.asking), None)
    if place is None:
        return ("polar" if words and words[0] in table.polar else "thing"), "", frozenset()
    # "por qué" and its like are two words.
    if words[place] in ("qué", "que") and words[place - 1 : place] == ["por"]:
        return "reason", "", frozenset()
    kind = table.asking[words[place]]
    after = words[place + 1 : place + 2]
    if kind == "manner" and after:
        if after[0] in table.amounts:
            return "amount", "", frozenset({place + 1})
        if after[0] in table.measures:
            return "degree", after[0], frozenset({place + 1})
    if kind:
        kind, _, detail = kind.partition(":")
        by_whom = kind == "person" and words[place - 1 : place] and words[place - 1] in table.agent
        return kind, "subject" if by_whom else detail, frozenset()
    # After a word such as "what": by the noun that follows, at once or as "is the number of".
    for distance, word in enumerate(words[place + 1 : place + 5], start=1):
        if word in table.nouns:
            kind, _, detail = table.nouns[word].partition(":")
            return kind, detail, frozenset({place + distance})
        if word not in table.empty:
            break
    return "thing", "", frozenset()


def _has_agent(words: list[str], table: Words) -> bool:
    """Somebody, or "by whom"; not a number ("by 1990") or another word of question ("by how much")."""
    return any(
        word in table.agent and table.asking.get(after, "person") == "person" and not after[0].isdigit()
        for word, after in pairwise([*words, "whom"])
    )
