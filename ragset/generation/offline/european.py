"""A few questions in German and French, and the Spanish ones: definitions, dates, makers and places."""

import re
from collections.abc import Callable, Iterator

from ragset.generation.offline.prose import plain
from ragset.generation.offline.question import Question, posed
from ragset.generation.offline.spanish import spanish_questions

_NAME = r"[^\W\d_][\w'’-]*(?: [\w'’-]+){0,6}?"
_DE_SUBJECT = re.compile(
    r"\b(?:er|sie|es|dies\w*|jen\w*|sein\w*|ihr\w*|was|wer|hier|dort|so|auch|ist|war|wurde|und|oder|dabei|damit|dann|nicht|man)\b",
    re.IGNORECASE,
)
_DE_DEFINITION = re.compile(rf"(?P<s>{_NAME}) (?P<v>ist|sind|war|waren) (?P<r>(?:ein|eine|einer|eines) [^\n]{{15,}})")
_DE_PASSIVE = re.compile(
    rf"(?P<s>{_NAME}) (?P<v>wurde|wurden) (?P<m>[^,;:]{{3,90}}?) (?P<p>[a-zäöüß]*ge[a-zäöüß]+(?:t|en)|er[a-zäöüß]+(?:t|en)|be[a-zäöüß]+(?:t|en)"
    r"|ver[a-zäöüß]+(?:t|en)|ent[a-zäöüß]+(?:t|en))(?=[.,;]|$)"
)


def _german(text: str) -> Iterator[Question]:
    for pattern in (_DE_DEFINITION, _DE_PASSIVE):
        found = pattern.match(text)
        if (
            found is None
            or _DE_SUBJECT.search(found["s"])
            or re.match(r"(?:In|Im|Am|Seit|Nach|Vor|Bei|Mit|Von|Zu|Als|Wenn)\b", text)
        ):
            continue
        first, _, rest = found["s"].partition(" ")
        articles = {"Der", "Die", "Das", "Ein", "Eine"}
        if first in articles and not rest:
            continue
        subject = f"{first.lower()} {rest}" if first in articles else found["s"]
        if pattern is _DE_DEFINITION:
            yield posed("definition", f"Was {found['v']} {subject}?", "Erkläre", 3.2)
        elif date := re.search(r"(?:im Jahr(?:e)? )?\b1\d{3}\b|\b20\d\d\b", found["m"]):
            yield posed("when", f"Wann {found['v']} {subject} {found['p']}?", "Nenne", 3.2, date[0])
        elif re.search(r"\bvon [A-ZÄÖÜ]", found["m"]):
            yield posed("who", f"Von wem {found['v']} {subject} {found['p']}?", "Nenne", 3.2)


_FR_SUBJECT = re.compile(
    r"\b(?:il|elle|ils|elles|ce|cet|cette|ces|son|sa|ses|leur|leurs|qui|que|on|y|est|sont|était|et|ou|ne|pas|où|dont|autre|un des)\b",
    re.IGNORECASE,
)
_FR_DEFINITION = re.compile(rf"(?P<s>{_NAME}) (?P<v>est|sont) (?P<r>(?:un|une|des) [^\n]{{15,}})")
_FR_PASSIVE = re.compile(
    rf"(?P<s>{_NAME}) (?:a|ont) été (?P<p>[a-zàâçéèêëîïôûù]+é(?P<ending>e?s?)) (?:en (?P<year>\d{{4}})|par (?P<agent>[A-ZÉ][^,;:.]{{2,60}}))"
)


def _french(text: str) -> Iterator[Question]:
    for pattern in (_FR_DEFINITION, _FR_PASSIVE):
        found = pattern.match(text)
        if (
            found is None
            or _FR_SUBJECT.search(found["s"])
            or re.match(r"(?:En|À|Au|Dans|Pour|Par|Depuis|Avec|Selon|De|Du)\b", text)
        ):
            continue
        first, _, rest = found["s"].partition(" ")
        elided = first.startswith(("L'", "L’"))
        if first in {"Le", "La", "Les", "Un", "Une"} and not rest:
            continue
        lower = elided or first in {"Le", "La", "Les", "Un", "Une"}
        subject = found["s"][0].lower() + found["s"][1:] if lower else found["s"]
        if pattern is _FR_DEFINITION:
            que = "qu'" if subject[0].lower() in "aeiouhéèê" else "que "
            yield posed("definition", f"Qu'est-ce {que}{subject} ?", "Explique", 3.2)
        else:
            pronoun = {"": "il", "e": "elle", "s": "ils", "es": "elles"}[found["ending"]]
            has = "ont" if found["ending"].endswith("s") else "a-t"
            wh = "Quand" if found["year"] else "Par qui"
            answer = f"En {found['year']}" if found["year"] else ""
            yield posed(
                "when" if found["year"] else "who",
                f"{wh} {subject} {has}-{pronoun} été {found['p']} ?",
                "Indique",
                3.2,
                answer,
            )


_RULES: dict[str, Callable[[str], Iterator[Question]]] = {"es": spanish_questions, "de": _german, "fr": _french}


def european_questions(sentence: str, language: str) -> list[Question]:
    """What the patterns of `language` find in one sentence; nothing for other languages."""
    text = plain(sentence)
    rule = _RULES.get(language)
    if rule is None or not text or text[-1] != "." or not text[0].isupper():
        return []
    found = rule(text.rstrip("."))
    return [
        question
        for question in found
        if len(question.text.split()) <= 18 and not re.search(r"[\"“”«»()\[\]]", question.text)
    ]
