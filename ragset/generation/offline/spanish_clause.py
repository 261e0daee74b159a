"""A Spanish sentence taken apart at its verb, which its ending or a list gives away."""

import re
from typing import NamedTuple

_UPPER = r"[A-ZÁÉÍÓÚÑ]"
_LOOSE = re.compile(
    r"\b(?:él|ella|ellos|ellas|este|esta|estos|estas|ese|esa|esos|esas|esto|eso|su|sus|que|quien|cual|se|otro|otra|otros|otras|uno|algunos"
    r"|algunas|muchos|muchas|ambos|ambas|mismo|misma|cada|todo|todos|toda|todas|lo|no|también|es|fue|son|era|está|ha|hay|más"
    r"|cuando|aunque|según|tras|durante|desde|hasta|para|por|así|además|ahora|equipo|entre|aquí|allí|mi|nuestro|nuestra"
    r"|dicho|dicha|tal|tales|siguiente|siguientes|principales|restantes|demás|tercer|tercera|anterior|último|última|como|luego|después|entonces|solo|sólo)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:el|la) [a-záéíóúñ]+ [a-záéíóúñ]+(?:ad|id)[oa]|(?:los|las) [a-záéíóúñ]{1,9}|.*(?:resultado|causa|objetivo|razón|problema|motivo|consecuencia|mayoría|parte|mitad|resto)s?$"
)
_SOME = re.compile(
    r"(?:la mayoría|la mitad|parte|el resto|gran parte|la mayor parte|varios?|varias|(?:el|la) (?:anuncio|decisión|informe|discurso|respuesta|declaración)) del? ",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(r" (?:a menudo|con frecuencia|a veces|en general|en parte|en efecto|en realidad|\w+mente)$")
_STARTS = re.compile(
    r"(?:En|A|Al|Ante|De|Del|Con|Sin|Por|Para|Desde|Hasta|Tras|Según|Y|O|Pero|Aunque|Uno|Una de|Como|Si|Cuando|Mientras|Donde|Dado|Debido|Durante|Entre"
    r"|Sobre|Bajo|Contra|Hoy|Ya|Aún|Muy|Tan|Casi|Nunca|Siempre|Solo|Sólo|Quizás|Tampoco|También|Quizá|Acaso|Apenas|Incluso|Asimismo|Ni|Ayer|Mañana|\w+mente|Antes|Después|Luego|Junto|Gracias|Cerca|Dentro|Fuera|Primero|Segundo|Otros?|Otras?)\b"
)
_VERBS = frozenset(
    """es son fue fueron era eran está están ha han tiene tienen tenía tenían tuvo hizo dijo puso propuso produjo condujo introdujo
    obtuvo supuso compuso tradujo opuso opusieron mantuvo quiso pudo vino puede pueden debe deben consiste consisten consistía consta constan
    depende dependen deriva derivan proviene provienen procede conduce conducen equivale contribuye contribuyen pertenece pertenecen
    requiere requieren incluye incluyen contiene contienen produce producen provoca provocan causa causan significa representa reduce reducen
    estimula genera generan afecta afectan estudia ofrece ofrecen mide miden muestra establece exige abarca alberga comprende controla
    cuenta cuentan contaba posee poseen sirve sirven utiliza utilizan usa usan emplea emplean basa basan divide dividen especializa centra
    llama llaman llamaba denomina denominan conoce encuentra encuentran halla debe refiere compone componen evita evitan protege protegen
    permanece crece crecen aumenta disminuye varía tiende tienden suele suelen necesita necesitan permite permiten""".split()  # noqa: SIM905
)
_PRETERITE = re.compile(r"[a-záéíóúñü]{2,}(?:ó|aron|ieron|eron|yeron|jeron)")
_PAST = re.compile(
    r"[a-záéíóúñü]+(?:ó|ron|ía|ían|aba|aban|uvo|izo|ijo|uso|ujo|udo|ino)|era|eran|fue|fueron|había|habían"
)
_ENDS_BADLY = re.compile(
    r"(?:^| )(?:y|o|u|de|del|en|con|a|al|el|la|los|las|un|una|por|para|que|su|sus|como|más|muy|sin|sobre|entre|e)$"
)
_TAIL_END = re.compile(
    r"[,;:]| (?:y|pero|que|lo que|donde|cuando|mientras|aunque|después|antes|tras|con el fin|para|porque|debido|siendo|como|convirtiéndose) "
)
_TAIL_LOOSE = re.compile(
    r"\b(?:él|ella|ellos|ellas|este|esta|estos|estas|ese|esa|esos|esas|esto|eso|que|quien|cual|lo|aquí|allí|dich[oa]s?|mism[oa]s?|otr[oa]s?|más|no|también)\b"
)
_LONGEST_TAIL = 12


class SpanishClause(NamedTuple):
    """`subject clitic verb rest`."""

    subject: str
    """As written in the middle of a sentence."""
    clitic: str
    """`se` or nothing."""
    verb: str
    rest: str
    past: bool
    named: bool
    """The subject holds a name."""
    specific: bool
    """A reader without the passage knows what the subject is."""
    person: bool
    """The subject is one person's full name, or may be."""

    @property
    def predicate(self) -> str:
        """The verb with what belongs in front of it."""
        return f"{self.clitic} {self.verb}".strip()


def clause_of(text: str) -> SpanishClause | None:
    """None where the subject or its verb cannot be told for sure."""
    if _STARTS.match(text):
        return None
    inserted = re.match(r"(?P<s>[^,;:]{3,60}), [^,;:]{3,90}, (?P<r>(?:se )?(?P<v>[a-záéíóúñ]+) .+)", text)
    if inserted and is_verb(inserted["v"]):
        text = f"{inserted['s']} {inserted['r']}"
    words = text.split()
    for place in range(1, min(len(words), 12)):
        if words[place - 1].endswith((",", ";", ":")):
            return None
        if is_verb(words[place]):
            break
    else:
        return None
    clitic = "se" if words[place - 1] == "se" else ""
    before = words[: place - 1] if clitic else words[:place]
    subject = _subject(_ADVERBIAL.sub("", " ".join(before)))
    if not subject:
        return None
    verb, rest = words[place], " ".join(words[place + 1 :])
    past = _PAST.fullmatch(verb) is not None
    inner = re.search(rf"(?:^| ){_UPPER}", subject) is not None
    several = re.match(r"(?:los|las) ", subject) is not None
    plain_kind = not past and (several or re.match(r"(?:una?) ", subject) is not None or len(subject.split()) >= 3)
    person = bool(
        re.fullmatch(
            rf"{_UPPER}[\w.'’-]+(?: (?:de|von|van|{_UPPER}[\w.'’-]*))* {_UPPER}[\w.'’-]+", subject.replace("al-", "")
        )
    )
    long = len(subject.split()) >= 4 and not subject.startswith(("un ", "una "))
    return SpanishClause(
        subject,
        clitic,
        verb,
        rest,
        past,
        inner,
        inner or plain_kind or long or (several and " " in subject[4:]),
        person,
    )


def tail_of(rest: str) -> str:
    """What a question can keep after the verb; nothing where that is loose or long."""
    tail = _TAIL_END.split(rest, maxsplit=1)[0].strip()
    words = tail.split()
    if len(words) > _LONGEST_TAIL or _TAIL_LOOSE.search(tail) or _ENDS_BADLY.search(tail):
        return ""
    return "" if any(is_verb(word) for word in words) else tail


def is_verb(word: str) -> bool:
    """By its ending in the past, or by a list."""
    return word in _VERBS or _PRETERITE.fullmatch(word) is not None


def _subject(subject: str) -> str:
    if (
        len(subject) < 2
        or _SOME.match(subject)
        or _LOOSE.search(subject)
        or _ENDS_BADLY.search(subject)
        or re.search(r"[,;:\"“”«»()\[\]]", subject)
    ):
        return ""
    first, _, rest = subject.partition(" ")
    named = re.search(_UPPER, rest) is not None
    if rest.startswith(("en ", "de ", "con ", "a ", "por ")) and not named:
        return ""
    if first in {"El", "La", "Los", "Las", "Un", "Una"}:
        subject = f"{first.lower()} {rest}"
        single = " " not in rest and first in {"El", "La"}
        if not rest or (not named and (single or _VAGUE.fullmatch(subject))):
            return ""
    elif rest and not named and not re.match(_UPPER, rest):
        subject = f"{first[0].lower()}{first[1:]} {rest}"
    elif first.islower() or first.isdigit():
        return ""
    return subject
