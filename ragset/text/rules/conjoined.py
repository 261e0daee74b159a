"""Is a query two questions in one?"""

import re
from typing import Literal, NamedTuple

from ragset.text.rules import LANGUAGES
from ragset.text.rules.blocks import plain_prose
from ragset.text.rules.tables import Rules, rules_of

_SHOWN = 5  # words shown of the second question
_WORD = re.compile(r"[\w'’-]+")
_QUOTED = re.compile(
    r"\"[^\"]{1,300}\"|“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|‘[^’]{1,300}’(?!\w)|(?<![\w'])'[^']{1,300}'(?!\w)"
    r"|`[^`]{1,300}`|\*[^*]{1,300}\*"
)
_END = re.compile(r"(?:[?؟]++[^\w\s]*+(?=[\s¿A-ZÀ-Þ])|？)\W*+(?=\w)")  # where something follows a question
_MARK = re.compile(r"[?？؟]")
_OR = frozenset({"or", "o", "u", "oder", "ou"})
_SENTENCE = re.compile(r"(?:\w{4}|\d|[)\]])[.!]?$")  # what a full stop must follow to be none of an abbreviation
_INFINITIVE = re.compile(r"\bto (?!the\b|an?\b|[A-Z])")  # a demand in English looks like the second of two


class _Ask(NamedTuple):
    place: Literal["first", "joined", "follows", "inner"]
    start: int  # where its connective begins
    led: bool  # whether a preposition precedes it
    word: int
    end: int


def conjoined(query: str, language: str = "en") -> str | None:
    """The words at which a second question begins, or None where the query is one question.

    Two questions can be answered apart: "What is kintsugi and where did it begin?", but not "When and where was Bach
    born?". In a language without rules, a second question mark counts, or a second question in a language with rules.
    """
    shown = plain_prose(query).replace("’", "'")
    if _QUOTED.fullmatch(shown):
        shown = shown[1:-1].strip()
    text = _QUOTED.sub(lambda found: "x" * len(found[0]), shown)
    for ended in _END.finditer(text):
        if _MARK.search(text, ended.end()):
            return _words(shown, ended.end())
    for known in dict.fromkeys((language, "en")) if language in LANGUAGES else LANGUAGES:
        start = _second(text, rules_of(known), sure=known == language)
        if start is not None:
            return _words(shown, start)
    return None


def _words(text: str, start: int) -> str:
    found = [*_WORD.finditer(text, start)][:_SHOWN]
    return text[found[0].start() : found[-1].end()] if found else text[start:].strip()


def _second(text: str, rules: Rules, *, sure: bool) -> int | None:
    order = rules.opens_order.match(text)
    opening = order.end() if order else 0
    asks = _asks(text, rules, opening)
    opened = next((ask for ask in asks if ask.place == "first"), None)
    if not sure and not opened:
        return None
    starts = [ask.start for number, ask in enumerate(asks) if _is_second(text, rules, asks, number, bool(order))]
    if opened or order or rules.opens_polar.match(text):
        starts += _demands(text, rules, opened.end if opened else opening, bool(order))
        starts += _polar(text, rules, asks)
    return min(starts, default=None)


def _asks(text: str, rules: Rules, opening: int) -> list[_Ask]:
    found: list[_Ask] = []
    first = not opening and text[:1] != "¿" and rules.opens_polar.match(text) is not None
    for word in rules.asks.finditer(text):
        floor = max(0, word.start() - 60)
        before = rules.before.search(text, floor, word.start()) if word.start() else None
        mark, join, leads = (before["mark"], before["join"], before["leads"]) if before else (None, None, "")
        opens = word.start() == opening or (before is not None and before.start() == 0 == floor)
        if word[0][0].isupper() and not opens and not re.search(r"[.?!:;¿(–—-]\s*$", text[floor : word.start()]):
            continue
        place = "first" if opens else "joined" if join else "inner"
        if opens and _is_subordinate(text, rules, word):
            place = "inner"
        elif place == "inner" and mark:
            place = "follows" if first or (opening and mark.strip() in ".;?!") else "first"
        first = first or place == "first"
        start = before.start() if before else word.start()
        found.append(_Ask(place, start, bool(leads.strip("¿ ")), word.start(), word.end()))
    return found


def _is_subordinate(text: str, rules: Rules, word: re.Match[str]) -> bool:
    """Whether a word at the beginning opens a clause on which the question hangs: "When it rained, who stayed?"."""
    adverbial = rules.adverbial.match(text, word.start()) and not rules.direct.match(text, word.start())
    return bool(adverbial) and ", " in text[word.end() :]


def _is_second(text: str, rules: Rules, asks: list[_Ask], number: int, order: bool) -> bool:
    """Whether a word of question opens a question of its own, after another one."""
    ask, earlier = asks[number], asks[:number]
    alone = rules.tail.match(text, ask.end) is not None
    if ask.place not in ("joined", "follows") or not _is_new(text, rules, asks, number, alone=alone):
        return False
    if not _is_complete(text, rules, earlier, ask, order):
        return False
    direct = rules.direct.match(text, ask.word) is not None
    if ask.place == "joined":
        return direct or alone or not _hangs(text, rules, earlier, ask, order)
    mark = text[ask.start : ask.word].strip()[:1]
    if mark in (".", "!"):
        return _SENTENCE.search(text, max(0, ask.start - 4), ask.start) is not None
    if mark in (";", "?", "–", "—", "-"):
        return True
    return mark != ":" and (direct or alone or not rules.dependent.match(text, ask.word))


def _is_new(text: str, rules: Rules, asks: list[_Ask], number: int, *, alone: bool) -> bool:
    """Whether a word of question is none of a list: not in "when and where", but in "Who fell, where and why?"."""
    head = number
    while head and not _says_something(text, rules, asks[head - 1], asks[head].start):
        head -= 1
    if not head:
        return number == 0 and _says_something(text, rules, None, asks[0].start)
    return head == number or (alone and asks[head].place != "inner")


def _is_complete(text: str, rules: Rules, earlier: list[_Ask], ask: _Ask, order: bool) -> bool:
    """Whether what precedes asks something and is done with it: not in "If it rains and who pays is unclear, …"."""
    opened = next((one for one in earlier if one.place == "first"), None)
    if opened:
        # A preposition puts the verb before the subject, so it must have come: not in "Under what terms and for whom is".
        return not opened.led or "?" not in text or rules.verb.search(text, opened.end, ask.start) is not None
    if not order and rules.subordinate.match(text):
        return False
    direct = any(rules.direct.match(text, one.word) for one in earlier)
    return order or direct or "?" not in text or rules.opens_polar.match(text) is not None


def _hangs(text: str, rules: Rules, earlier: list[_Ask], ask: _Ask, order: bool) -> bool:
    """Whether a word of question opens a clause that is but a part, like one before: "who came and who stayed"."""
    asked = any(one.place == "first" for one in earlier) or rules.opens_polar.match(text)
    if asked and not order and "?" in text and rules.adverbial.match(text, ask.word):
        return True
    inner = [one for one in earlier if one.place in ("inner", "follows")]
    inner = [one for one in inner if not _is_unasked(text, rules, rules.adverbial, one)]
    if all(_is_unasked(text, rules, rules.relative, one) for one in inner):
        return bool(inner) and rules.relative.match(text, ask.word) is not None
    return True


def _is_unasked(text: str, rules: Rules, other: re.Pattern[str], ask: _Ask) -> bool:
    """Whether a word has its other sense, as in "the town where": such a word follows no verb of asking."""
    asked = rules.after_verb.search(text, max(0, ask.word - 40), max(0, ask.word - 1))
    return other.match(text, ask.word) is not None and not asked


def _says_something(text: str, rules: Rules, ask: _Ask | None, end: int) -> bool:
    """Whether more than a bare word of question stands before the next: not in "when and where"."""
    words = [word for word in _WORD.findall(text[ask.end if ask else 0 : end]) if not rules.fill.fullmatch(word)]
    return len(words) > (ask.led if ask else 0)


def _demands(text: str, rules: Rules, begin: int, order: bool) -> list[int]:
    """Where demands begin after a question or a demand whose opening ends at `begin`."""
    found: list[int] = []
    for one in rules.order.finditer(text, 1):
        allowed = one[0].lstrip()[0] in ".;?–—" or (order and not _INFINITIVE.search(text, 0, one.start()))
        if allowed and any(not rules.fill.fullmatch(word) for word in _WORD.findall(text[begin : one.start()])):
            found.append(one.start())
    return found


def _polar(text: str, rules: Rules, asks: list[_Ask]) -> list[int]:
    """Where yes-or-no questions begin after another question."""
    found: list[int] = []
    for one in rules.polar.finditer(text, 1):
        opened = next((ask for ask in asks if ask.place == "first" and ask.end < one.start()), None)
        join = (one["join"] or "").strip().lower()
        if join in _OR or (not join and one[0][0] == ","):
            continue
        # "Who keeps the books and does the dishes?" has one subject.
        noun = one.groupdict().get("noun") and not one["mark"]
        if not (noun and opened and not rules.direct.match(text, opened.word)):
            found.append(one.start())
    return found
