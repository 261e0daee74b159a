"""Questions in Spanish: the finite verb keeps its form and goes in front of its subject."""

import re
from collections.abc import Iterator

from ragset.generation.offline.prose import capital
from ragset.generation.offline.question import Question, posed
from ragset.generation.offline.spanish_clause import SpanishClause, clause_of, tail_of

_DATE = r"(?:en|hacia) (?:(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre) de )?\d{4}|el \d{1,2} de [a-z]+ de \d{4}"
_LEAD = re.compile(rf"(?P<date>{_DATE})(?:, | (?=el |la |los |las |[A-ZÁÉÍÓÚÑ]))", re.IGNORECASE)
_DATED = re.compile(rf" (?P<date>{_DATE})(?![\w-]|,? (?:y|o|a|hasta|de que|que|\d{{4}})\b)")
_ROLE = re.compile(
    r"(?:matemátic|físic|químic|astrónom|científic|ingenier|inventor|filósof|teólog|escritor|poeta|músic|compositor|pintor|artista"
    r"|político|estudiante|miembro|líder|rey|reina|emperador|presidente|general|historiador|médic|arquitect|jugador|explorador|abogad|geólog|erudit|polímata)"
)
_BARE = re.compile(
    r"(?:naci|muri|falleci|comenz|termin|abri|cerr|desapareci|surgi|apareci|estall|ocurri)(?:ó|eron|aron)$"
)
"""Verbs that need nothing after them."""
_MADE = re.compile(
    r"(?:firm|public|descubri|invent|fund|cre|constru|present|lanz|gan|compr|estableci|don|recibi|anunci|adopt|escribi|desarroll"
    r"|dise|patent|conquist|derrot|dibuj|tradu|form|inaugur|organiz|recomend|aprob|abri)\w*(?:ó|yó)$|propuso|introdujo|produjo|tradujo|compuso|obtuvo"
)
"""What somebody does to something."""
_REASON = re.compile(
    r",? (?:principalmente |en parte |sobre todo )?(?:porque|ya que|puesto que|debido al?|a causa del?|gracias al?|con el fin de|para (?:que|evitar|proteger"
    r"|prevenir|reducir|impedir|garantizar|mejorar|facilitar|proporcionar|controlar|ayudar|formar|crear|obtener)) "
)
_LINKED = tuple(
    (re.compile(pattern), wh, kind, score)
    for pattern, wh, kind, score in (
        (r"(?:se (?:utiliza|usa|emplea)n?|sirven?)(?: (?:a menudo|con frecuencia|principalmente|también))? para ", "¿Para qué", "what", 3.2),
        (r"(?:es|son|era|eran) (?:utilizad|usad|emplead)[oa]s? para ", "¿Para qué", "what", 3.2),
        (r"(?:depend|deriv|provien|proced)(?:e|en|a|an|ió|ieron|ían?) (?:en gran medida |principalmente |más )?del? ", "¿De qué", "effect", 3.2),
        (r"(?:consta|constan|se compone|se componen|está compuest[oa]|están compuest[oa]s) del? ", "¿De qué", "what", 2.9),
        (r"(?:consiste|consisten|consistió|consistía|se basa|se basan|se basó|se divide|se dividen|se dividió|se especializa|se centra) en ", "¿En qué", "what", 2.9),
        (r"(?:conduce|conducen|condujo|equivale|contribuye|contribuyen|contribuyó|pertenece|pertenecen|se debe|se refiere) al? ", "¿A qué", "effect", 3.0),
        (r"(?:se llama|se llaman|se denomina|se denominan|se conoce como|se llamó|se llamaba) ", "¿Cómo", "what", 2.6),
        (r"(?:se encuentra|se encuentran|se halla|está (?:situad|ubicad|localizad)[oa]|están (?:situad|ubicad)[oa]s) (?:en|al?|entre|cerca|dentro) ", "¿Dónde", "where", 3.0),
        (r"naci(?:ó|eron) en (?=[A-ZÁÉÍÓÚ])", "¿Dónde", "where", 2.6),
        (r"(?:requiere|requieren|incluye|incluyen|contiene|contienen|produce|producen|provoca|provocan|causa|causan|significa|representa|reduce|reducen|estimula"
         r"|genera|generan|afecta a|afectan a|estudia|ofrece|ofrecen|mide|miden|muestra|establece|exige|abarca|alberga|comprende|controla) (?!que\b|no\b|más\b|\d)(?:[\w-]+ ){2}", "¿Qué", "effect", 2.6),
    )
)  # fmt: skip
_COUNTED = re.compile(
    r"(?P<with>con )?(?:unos |unas |más de |casi |cerca de )?(?P<amount>\d[\d. ]*|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)"
    r" (?P<noun>[a-záéíóúñ]+(?:os|as|iones|dades|ores|res))(?P<more> (?!más)[a-záéíóúñ]+s)?(?=,|;|:|$| (?:y|en|que|con|del?|para|al?|sobre|por) )"
)
_MASCULINE = frozenset(
    "días problemas sistemas programas mapas planetas temas idiomas poemas cometas atletas poetas futbolistas".split()  # noqa: SIM905
)
_HAVING = re.compile(
    r"(?:tiene|tienen|tenía|tenían|tuvo|cuentan?|contaba|posee|poseen|contiene|contienen|incluye|ganó|recibió|perdió|publicó|escribió)$"
)
_LONGEST_BEFORE_TAIL = 7
"""Words of a subject that the rest of a question may follow without being lost."""
_WHICH = re.compile(
    r"(?:el|la) (?:principal |mayor |actual |antigua )?(?:capital|extensión|longitud|altura|población|superficie|objetivo|función|papel|nombre|sede|temperatura"
    r"|densidad|fórmula|velocidad|lema|moneda|lengua|religión|ciudad|causa|fuente)\b.* del? .+"
)
_RANKED = re.compile(
    r"(?P<thing>(?:el|la) (?:(?:primer|primera|segundo|segunda|tercer|tercera|mayor|principal|único|única|último|última) [a-záéíóúñ]+|[a-záéíóúñ]+ más [a-záéíóúñ]+)"
    r" (?:del?|en) [^,;:]+?)(?=,|;|:|$| (?:y|con|que|por|después|tras) )"
)


def spanish_questions(text: str) -> Iterator[Question]:
    """What the patterns find in a sentence without its full stop."""
    lead = _LEAD.match(text)
    date = (lead["date"][0].lower() + lead["date"][1:]) if lead else ""
    clause = clause_of(capital(text[lead.end() :]) if lead else text)
    if clause is None:
        return
    if not lead:
        yield from _being(clause)
        yield from _linked(clause)
        yield from _counted(clause)
    yield from _why(clause, date)
    if clause.past:
        yield from _dated(clause, date)
        if clause.person and _MADE.match(clause.verb) and not clause.clitic:
            made = tail_of(clause.rest)
            if made and len(made.split()) >= 3 and re.search(r"[A-ZÁÉÍÓÚÑ]| del? ", made):
                yield posed("who", f"¿Quién {clause.verb} {made}?", "Indica", 2.8, clause.subject)


def _being(clause: SpanishClause) -> Iterator[Question]:
    verb, subject, rest = clause.verb, clause.subject, clause.rest
    if clause.clitic or verb not in {"es", "son", "fue", "fueron", "era", "eran"}:
        return
    if (
        re.match(r"(?:un|una|uno de|una de) (?!\d|ejemplo|resultado|consecuencia|miembro|parte|éxito)", rest)
        and len(rest) > 18
        and (not clause.past or " " in subject)
    ):
        who = _ROLE.search(" ".join(rest.split()[:3])) and subject[0].isupper()
        wh = "Qué" if not who else "Quién" if verb in {"es", "fue", "era"} else "Quiénes"
        if who or not (clause.past and clause.person):
            yield posed("definition", f"¿{wh} {verb} {subject}?", "Explica", 3.2)
    elif _WHICH.match(subject) and re.match(r"(?:el|la|los|las|de \d|\d|[A-ZÁÉÍÓÚÑ]|[a-z]+r )", rest):
        yield posed("definition", f"¿Cuál {verb} {subject}?", "Indica", 3.0)
    ranked = _RANKED.match(rest)
    if ranked and verb in {"es", "fue", "era"} and clause.named and tail_of(ranked["thing"]) == ranked["thing"]:
        who = clause.person and _ROLE.search(ranked["thing"])
        yield posed("who", f"¿{'Quién' if who else 'Cuál'} {verb} {ranked['thing']}?", "Indica", 2.7, subject)
    agent = re.match(
        r"(?P<p>[a-záéíóú]{2,}(?:ad|id|ít|íd)[oa]s?|escrit[oa]s?|hech[oa]s?|descubiert[oa]s?|abiert[oa]s?|compuest[oa]s?|propuest[oa]s?)"
        r"(?P<t>(?: [^,;:]{1,50}?)??) por (?=(?:[a-záéíóúñ]+ ){0,3}[A-ZÁÉÍÓÚÑ])(?!las? [a-z]+s |que )",
        rest,
    )
    if agent and " por " not in f"{agent['t']} " and not re.search(rf" (?:{_DATE})", agent["t"]) and clause.specific:
        yield posed("who", f"¿Por quién {verb} {agent['p']} {subject}{agent['t']}?", "Indica", 3.0)


def _linked(clause: SpanishClause) -> Iterator[Question]:
    whole = f"{clause.predicate} {clause.rest}"
    for pattern, wh, kind, score in _LINKED:
        found = pattern.match(whole)
        if found and (clause.specific or not clause.past) and not re.search(r"\b(?:su|sus|este|esta|ello)\b", found[0]):
            if wh == "¿Qué" and clause.past:
                return
            shown = (
                re.sub(r" (?:para|del?|en|al?|entre|cerca|dentro)? ?$", "", found[0])
                if wh != "¿Qué"
                else clause.predicate
            )
            shown = shown.strip() if wh != "¿Cómo" else shown.removesuffix(" como")
            yield posed(kind, f"{wh} {shown} {clause.subject}?", "Explica" if kind == "effect" else "Indica", score)
            return


def _counted(clause: SpanishClause) -> Iterator[Question]:
    found = _COUNTED.match(clause.rest)
    if found is None or clause.clitic or not _HAVING.match(clause.verb) or not clause.specific:
        return
    noun = found["noun"]
    feminine = noun.endswith(("as", "iones", "dades")) and noun not in _MASCULINE
    if not feminine and not noun.endswith("os") and noun not in _MASCULINE:
        return
    many = f"{'Con c' if found['with'] else 'C'}uánt{'a' if feminine else 'o'}s"
    counted = f"{noun}{found['more'] or ''}"
    yield posed(
        "number", f"¿{many} {counted} {clause.verb} {clause.subject}?", "Indica", 2.6, f"{found['amount']} {counted}"
    )


def _why(clause: SpanishClause, date: str) -> Iterator[Question]:
    found = _REASON.search(" " + clause.rest)
    if found is None or len(clause.subject.split()) > _LONGEST_BEFORE_TAIL:
        return
    tail = (" " + clause.rest)[: found.start()].strip()
    if tail_of(tail) != tail or (not tail and "porque" not in found[0] and "debido" not in found[0]):
        return
    purpose = "para " in found[0] or "fin de" in found[0]
    if purpose and (
        len(tail.split()) < 2 or re.match(r"(?:se )?(?:utiliz|us|emple|sirv)|(?:es|son|fue|era)\b", clause.predicate)
    ):
        return
    if not clause.specific and not (not clause.past and len(clause.subject.split()) > 1):
        return
    shown = " ".join(part for part in (clause.predicate, clause.subject, tail, date) if part)
    yield posed("why", f"¿Por qué {shown}?", "Explica", 3.4 - 0.4 * purpose)


def _dated(clause: SpanishClause, date: str) -> Iterator[Question]:
    if date:
        tail, when = tail_of(clause.rest), date
    else:
        found = _DATED.search(" " + clause.rest)
        if found is None:
            return
        tail, when = (" " + clause.rest)[: found.start()].strip(), found["date"]
        if tail_of(tail) != tail:
            return
    named = clause.named or re.search(r"[A-ZÁÉÍÓÚÑ]", tail) or (clause.verb == "fue" and " de " in clause.subject)
    # "Un diseño" may be any, and "un mercado construido en 1808" dates the market.
    if re.fullmatch(r"una? [a-záéíóúñ]+", tail, re.IGNORECASE) or (
        not date and re.search(r" \w+(?:ad|id)[oa]s?(?: \w+mente)?$", tail)
    ):
        return
    if tail and len(clause.subject.split()) > _LONGEST_BEFORE_TAIL:
        return
    if re.search(r"\d{4}", tail) or not named or not clause.specific:
        return
    passive = re.match(r"(?:fue|fueron) \w+", clause.predicate)
    if (
        clause.verb in {"fue", "fueron", "era", "eran", "estuvo", "tuvo"}
        and not passive
        and not re.match(r"\w+[aií]d[oa]s?\b", tail)
    ):
        return
    if tail or clause.clitic or _BARE.match(clause.verb):
        shown = " ".join(part for part in (clause.predicate, clause.subject, tail) if part)
        if re.match(r"(?:fue|fueron)$", clause.predicate) and tail:
            participle, _, more = tail.partition(" ")
            shown = " ".join(part for part in (clause.predicate, participle, clause.subject, more) if part)
        yield posed("when", f"¿Cuándo {shown}?", "Indica", 3.1, when)
    if (
        tail
        and clause.named
        and not clause.clitic
        and _MADE.match(clause.verb)
        and not tail.startswith(("a ", "en ", "al "))
    ):
        yield posed("object", f"¿Qué {clause.verb} {clause.subject} {when}?", "Indica", 2.6)
