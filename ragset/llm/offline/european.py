"""A few questions in Spanish, German and French: definitions, dates, makers and places."""

import re
from collections.abc import Callable, Iterator

from ragset.llm.offline.prose import plain
from ragset.llm.offline.question import Question

_NAME = r"[^\W\d_][\w'’-]*(?: [\w'’-]+){0,6}?"
_ES_SUBJECT = re.compile(
    r"\b(?:él|ella|ellos|ellas|este|esta|estos|estas|ese|esa|esto|eso|su|sus|que|quien|cual|se|otro|otra|otros|otras|uno|algunos"
    r"|algunas|muchos|muchas|ambos|ambas|mismo|misma|cada|todo|todos|toda|todas|lo|no|también|es|fue|son|era|está|ha|hay|más"
    r"|cuando|aunque|según|tras|durante|desde|hasta|para|por|así|además|ahora|equipo|entre|aquí|allí|mi|nuestro|nuestra)\b",
    re.IGNORECASE,
)
_ES_VAGUE = re.compile(
    r"(?:el|la|los|las) (?:[a-záéíóúñ]+)$|.*(?:resultado|causa|objetivo|razón|problema|motivo|consecuencia|mayoría)s?$"
)
_ES_STARTS = re.compile(
    r"(?:En|A|Al|De|Del|Con|Sin|Por|Para|Desde|Hasta|Tras|Ante|Según|Y|O|Pero|Aunque|Uno|Una de|Como|Si)\b"
)
_ES_PARTICIPLE = (
    r"[a-záéíóú]{2,}(?:ad|id|ít|íd)[oa]s?|escrit[oa]s?|hech[oa]s?|descubiert[oa]s?|abiert[oa]s?|compuest[oa]s?"
)
_ES_ROLE = re.compile(
    r"(?:matemátic|físic|químic|astrónom|científic|ingenier|inventor|filósof|teólog|escritor|poeta|músic|compositor|pintor|artista"
    r"|político|estudiante|miembro|líder|rey|reina|emperador|presidente|general|historiador|médic|arquitect|jugador|explorador|abogad|geólog)"
)
_ES_DEFINITION = re.compile(
    rf"(?P<s>{_NAME}) (?P<v>es|son|fue|fueron|era|eran) (?P<r>(?:un|una|uno de|una de) [^\n]{{15,}})"
)
_ES_PASSIVE = re.compile(
    rf"(?P<s>{_NAME}) (?P<v>fue|fueron) (?P<p>{_ES_PARTICIPLE})(?P<t>(?: [^,;:]{{1,50}}?)??) "
    r"(?:(?P<date>(?:en|hacia) (?:\w+ de )?\d{4}|el \d{1,2} de \w+(?: de \d{4})?)|por (?P<agent>(?:[A-ZÁÉÍÓÚÑ]|el |la |los |las )[^,;:.]{2,60}))"
)
_ES_PLACE = re.compile(
    rf"(?P<s>{_NAME}) (?P<v>está (?:situad|ubicad|localizad)[oa]|se encuentra|se halla) (?:en|al|a|entre|cerca) \S"
)


def _spanish(text: str) -> Iterator[Question]:
    if _ES_STARTS.match(text):
        return
    found = _ES_DEFINITION.match(text)
    if found and (subject := _spanish_subject(found["s"])):
        wh = "Quién" if _ES_ROLE.search(" ".join(found["r"].split()[:3])) and subject[0].isupper() else "Qué"
        if wh == "Quién" and found["v"] in {"son", "fueron", "eran"}:
            wh = "Quiénes"
        yield _asked("definition", f"¿{wh} {found['v']} {subject}?", "Explica", 3.2)
    found = _ES_PASSIVE.match(text)
    if found and (subject := _spanish_subject(found["s"])):
        tail = found["t"] if len(found["t"].split()) <= 5 else ""
        rest = f"{found['v']} {found['p']} {subject}{tail}"
        if found["date"]:
            yield _asked("when", f"¿Cuándo {rest}?", "Indica", 3.4, found["date"])
        else:
            yield _asked("who", f"¿Por quién {rest}?", "Indica", 3.4)
    found = _ES_PLACE.match(text)
    if found and (subject := _spanish_subject(found["s"])):
        yield _asked("where", f"¿Dónde {found['v']} {subject}?", "Indica", 3.0)


def _spanish_subject(subject: str) -> str:
    if _ES_SUBJECT.search(subject) or re.search(r"\b(?:y|o|de|en|con|a)$", subject):
        return ""
    first, _, rest = subject.partition(" ")
    if rest.startswith(("en ", "de ", "con ", "a ", "por ")) and not re.search(r"[A-ZÁÉÍÓÚÑ]", rest):
        return ""
    if first in {"El", "La", "Los", "Las", "Un", "Una"}:
        subject = f"{first.lower()} {rest}"
        if not rest or (_ES_VAGUE.fullmatch(subject) and not re.search(r"[A-ZÁÉÍÓÚÑ]", subject)):
            return ""
    elif rest and not rest[0].isupper() and not re.search(r"[A-ZÁÉÍÓÚÑ]", rest):
        subject = f"{first[0].lower()}{first[1:]} {rest}"
    return subject


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
            yield _asked("definition", f"Was {found['v']} {subject}?", "Erkläre", 3.2)
        elif date := re.search(r"(?:im Jahr(?:e)? )?\b1\d{3}\b|\b20\d\d\b", found["m"]):
            yield _asked("when", f"Wann {found['v']} {subject} {found['p']}?", "Nenne", 3.2, date[0])
        elif re.search(r"\bvon [A-ZÄÖÜ]", found["m"]):
            yield _asked("who", f"Von wem {found['v']} {subject} {found['p']}?", "Nenne", 3.2)


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
            yield _asked("definition", f"Qu'est-ce {que}{subject} ?", "Explique", 3.2)
        else:
            pronoun = {"": "il", "e": "elle", "s": "ils", "es": "elles"}[found["ending"]]
            has = "ont" if found["ending"].endswith("s") else "a-t"
            wh = "Quand" if found["year"] else "Par qui"
            answer = f"En {found['year']}" if found["year"] else ""
            yield _asked(
                "when" if found["year"] else "who",
                f"{wh} {subject} {has}-{pronoun} été {found['p']} ?",
                "Indique",
                3.2,
                answer,
            )


def _asked(kind: str, text: str, order: str, score: float, answer: str = "") -> Question:
    """These languages keep the question as it is in exams, behind an imperative: `Explica: ¿Qué es …?`."""
    return Question(kind, text, f"{order}: {text}", score, answer[:1].upper() + answer[1:])


_RULES: dict[str, Callable[[str], Iterator[Question]]] = {"es": _spanish, "de": _german, "fr": _french}


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
