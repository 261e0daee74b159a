"""Is a query two questions in one?"""

import re
from typing import Literal, NamedTuple

from ragset.text.rules import LANGUAGES
from ragset.text.rules.passage_references import plain_prose
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
    return text[found[0].start() : found[-1].end()]


def _second(text: str, rules: Rules, *, sure: bool) -> int | None:
    order = rules.opens_order.match(text)
    begun = bool(order) or rules.opens_polar.match(text) is not None
    asks = _asks(text, rules, order.end() if order else 0, begun=begun)
    opened = next((ask for ask in asks if ask.place == "first"), None)
    if not sure and not opened:
        return None
    starts = [ask.start for number, ask in enumerate(asks) if _is_second(text, rules, asks[: number + 1], begun=begun)]
    if opened or begun:
        for one in rules.order.finditer(text, 1):
            if one[0].lstrip()[0] in ".;?–—" or (order and not _INFINITIVE.search(text, 0, one.start())):
                starts += (
                    [one.start()] if _says_something(text, rules, order.end() if order else 0, one.start()) else []
                )
        for one in rules.polar.finditer(text, 1):
            join = (one["join"] or "").strip().lower()
            # "Who keeps the books and does the dishes?" has one subject.
            one_subject = opened and one.groupdict().get("noun") and not one["mark"]
            if join not in _OR and (join or one[0][0] != ",") and not one_subject:
                starts.append(one.start())
    return min(starts, default=None)


def _asks(text: str, rules: Rules, opening: int, *, begun: bool) -> list[_Ask]:
    found: list[_Ask] = []
    first = begun and text[:1] != "¿"
    for word in rules.asks.finditer(text):
        floor = max(0, word.start() - 60)
        before = rules.before.search(text, floor, word.start())
        mark, join, leads = (before["mark"], before["join"], before["leads"]) if before else (None, None, "")
        opens = word.start() == opening or (before is not None and before.start() == 0)
        if word[0][0].isupper() and not opens and not re.search(r"[.?!:;¿(–—-]\s*$", text[floor : word.start()]):
            continue
        place = "first" if opens else "joined" if join else "inner"
        if opens and rules.adverbial.match(text, word.start()) and ", " in text[word.end() :]:
            place = "inner"  # it opens a clause on which the question hangs: "When it rained, who stayed?"
        elif place == "inner" and mark:
            place = "follows" if first else "first"
        first = first or place == "first"
        start = before.start() if before else word.start()
        found.append(_Ask(place, start, bool(leads.strip("¿ ")), word.start(), word.end()))
    return found


def _is_second(text: str, rules: Rules, asks: list[_Ask], *, begun: bool) -> bool:
    """Whether the last of the words of question opens a question of its own, after another one."""
    *earlier, ask = asks
    alone = rules.tail.match(text, ask.end) is not None
    if ask.place not in ("joined", "follows") or not _is_new(text, rules, asks, alone=alone):
        return False
    opened = next((one for one in earlier if one.place == "first"), None)
    if opened and opened.led and "?" in text and not rules.verb.search(text, opened.end, ask.start):
        return False  # a preposition puts the verb before the subject: not in "Under what terms and for whom is"
    if not opened and not begun and "?" in text and not any(rules.direct.match(text, one.word) for one in earlier):
        return False  # nothing is asked before it: not in "If it rains and who pays is unclear, …"
    direct = rules.direct.match(text, ask.word) is not None
    if ask.place == "joined":
        return direct or alone or not _hangs(text, rules, earlier, ask)
    mark = text[ask.start : ask.word].strip()[:1]
    return direct or alone or mark in (";", "?", "–", "—", "-") or not rules.dependent.match(text, ask.word)


def _is_new(text: str, rules: Rules, asks: list[_Ask], *, alone: bool) -> bool:
    """Whether the last is none of a list: not in "when and where", but in "Who fell, where and why?"."""
    head = len(asks) - 1
    while head and not _says_something(text, rules, asks[head - 1].end, asks[head].start, least=asks[head - 1].led):
        head -= 1
    return head == len(asks) - 1 or (alone and asks[head].place != "inner")


def _hangs(text: str, rules: Rules, earlier: list[_Ask], ask: _Ask) -> bool:
    """Whether a word of question opens a clause that is but a part, like one before: "who came and who stayed"."""
    if "?" in text and rules.adverbial.match(text, ask.word):
        return True
    inner = [one for one in earlier if one.place != "first" and not _is_unasked(text, rules.adverbial, one, rules)]
    if all(_is_unasked(text, rules.relative, one, rules) for one in inner):
        return bool(inner) and rules.relative.match(text, ask.word) is not None
    return True


def _is_unasked(text: str, other: re.Pattern[str], ask: _Ask, rules: Rules) -> bool:
    """Whether a word has its other sense, as in "the town where": such a word follows no verb of asking."""
    asked = rules.after_verb.search(text, max(0, ask.word - 40), max(0, ask.word - 1))
    return other.match(text, ask.word) is not None and not asked


def _says_something(text: str, rules: Rules, start: int, end: int, least: int = 0) -> bool:
    """Whether more stands there than bare words of question and `least` others: not in "when and where"."""
    return sum(not rules.fill.fullmatch(word) for word in _WORD.findall(text[start:end])) > least
