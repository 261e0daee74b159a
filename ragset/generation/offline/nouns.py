"""Is a noun phrase a name that stands alone, and how is it written in the middle of a sentence?"""

import re

from ragset.generation.offline.text import NAME_TITLES
from ragset.generation.offline.verbs import BASES

PRONOUNS = frozenset(
    """i you he she it we they me him her us them his hers its our ours their theirs my your this that these those
    there here who whom whose which what himself herself itself themselves one ones such same latter former other others
    another each both either neither some any many most several few all none much enough more less every everyone everybody
    further certain particular similar different various multiple numerous additional previous following
    someone somebody nobody nothing something everything anyone anything half""".split()  # noqa: SIM905 (read as text)
)
"""Words that a name which stands alone does not hold."""
_STARTERS = frozenset(
    """today now then often soon only even not perhaps maybe nearly almost about over under after before during since until
    while when where if although though unless because as for in on at by from with without within between among through
    throughout despite unlike like to and or but nor so yet however thus also instead later earlier once twice still just
    never always sometimes together according due given per via upon near around along across behind beyond above below
    hundreds thousands millions again finally first second third
    next last no north south east west northern-most additionally moreover furthermore nonetheless nevertheless meanwhile otherwise therefore hence why how what whether once yes no please see note let modern-day""".split()  # noqa: SIM905
)
_NUMERALS = frozenset("two three four five six seven eight nine ten eleven twelve".split())  # noqa: SIM905
_PREPOSITIONS = frozenset(
    "of for in on at between from with to against over into and or by under without during".split()  # noqa: SIM905
)
_TOLD_OF = frozenset(
    "entire whole overall resulting resultant ensuing subsequent corresponding respective remaining aforementioned".split()  # noqa: SIM905
)
VAGUE = frozenset(
    """allies article award clause chair collection measurement embargo gorge ability access account act action activity addition administration advantage age agency agreement aim album amount
    analysis announcement answer apparatus appearance approach area argument army article aspect association attack attempt author
    authorities authority award band basis battle bill board bodies body book building business campaign campus canal captain case
    castle cathedral cause center central centre century challenge championship change chapter character characters charge
    child children church circuit citizens city claim class club coach college colony committee community company concept
    conclusion condition conditions conflict congregation connection consequence constitution construction control convention
    corporation cost council country county couple course court creation crew crisis critics culture data date day deal death
    debate decade decision decline defeat defense defence degree department design development device difference difficulty
    director discovery discussion disease district division document drawback economy edition effect effects effort election
    emperor end enemy engine engineers episode era estimate event events evidence example exception exhibition expansion
    expedition experiment explanation exterior fact factor faculty failure family father fans feature field fight figure film
    findings fire firm fleet flight force forces form formation forms foundation founder franchise game games general goal
    government governor group groups growth hall head historians history home hospital hotel house idea image impact improvement
    incident increase industry influence information initiative institution instrument interior interview invention island issue item job
    journal judge king kingdom land language law laws lead leader leaders league legislature level library line lines list
    location loss machine magazine main majority man manager material matter mayor meaning means measure meeting member members men
    method methods military minister mission model monastery money month morning mother motion movement museum name nation
    nations nature navy need network news newspaper night number object office officer officers officials opening operation
    opinion option order organisation organization origin others outcome owner page painting paper parish park parliament part
    participants parties partnership party passage past patient peace people performance period person phase phenomenon phrase
    picture piece place plan plane planet platform play player players plot point police policy population port position power
    practice president price prince princess principle prize problem procedure process producer product production professor
    program programme project property proposal protagonist protest provinces province public publication purpose quality queen
    question race railway range rate ratio reaction reader reason reasons record reference region relationship release religion
    report republic request research researchers reserve resolution response rest restaurant result results review reviews rights
    rise river road role route ruler rules sale sales scene scheme school schools scientists score scholars screenplay script season section
    sector segment senate sequence series service services set settlement ship show side site situation size society soldiers
    solution song sound source space species speech stadium staff stage standard star state statement station status step
    story street structure student students study style subject success successor suggestion summer supply support surface survey system
    systems target task teacher teachers team teams technique technology temple term terms territory test text theatre theme
    theory thing things thinking time times title tool top topic total tour tower town track trade tradition train transition
    treatment treaty trial tribe trip troops type union unit units university use user users value values variety vehicle
    version victory view village violence visitor visitors visit volume vote voters wall war wars water way ways weapon
    weather week whole winner woman women word words work worker workers works world writer writers writing year years zone""".split()  # noqa: SIM905
)
"""Nouns that say nothing about which one is meant."""
_DEMONYM = re.compile(r"[A-Z]\w+(?:[a-z]ans?(?<!woman)(?<!human)(?<!urban)(?<!ocean)(?<!clean)(?<!suburban)|ese|ish)")
_GIVEN_NAMES = frozenset(
    """christiaan christian brian bryan adrian norman susan herman alan allan ian ryan sean joan dylan duncan morgan nathan
    jonathan evan logan jordan megan ivan stefan stephan sebastian julian vivian gillian lillian fabian damian florian cyprian
    lucian hadrian trajan roman rowan aidan kieran declan conan ethan satan johan titian truman""".split()  # noqa: SIM905
)
"""First names with the ending of a people."""
_UNIQUE = frozenset("sun moon earth sky equator universe cosmos internet renaissance reformation bible koran".split())  # noqa: SIM905
"""What there is one of, so that "the" is enough."""
_COMMON_ENDING = re.compile(
    r"\w+(?:tions?|sions?|ments?|ness|ity|ities|ings?|ances?|ences?|isms?|ics|ships?|ers|ors|ists|ology|ography|tude|[a-z]{3,}ture|[a-z]{3,}ies|ages)"
)
_PEOPLES = frozenset(
    """greek greeks dutch french english welsh swiss czech arab arabs turk turks viking vikings slav slavs mongol mongols jew
    jews celt celts goth goths hindu hindus sikh sikhs protestant protestants catholic catholics muslim muslims thai iraqi
    israeli pakistani islamic arabic gothic nordic baltic celtic arctic antarctic pacific atlantic olympic buddhist
    huguenot huguenots""".split()  # noqa: SIM905
)
_COMMON = frozenset(
    """early late modern ancient recent new old young large small high low light heat water steam sand air time clock clocks
    sundials sundial watches watch hourglass sunlight quartz atomic solar mechanical electric electronic digital public private human
    natural local national good bad hot cold dry wet long short deep former fellow free black white red green blue
    wealth income economic social political health energy gas oil iron steel gold silver wood glass paper food wine beer tea
    coffee bread sugar salt oxygen hydrogen nitrogen carbon blood plants animals bacteria viruses cells proteins stars planets
    education science art music law land trade war peace money inflation tax taxes rain snow wind ice fire""".split()  # noqa: SIM905
)
_NAME = r"[A-ZÀ-Þ][\w.'’-]*"


def is_capital(token: str) -> bool:
    """Begins with a capital letter or is written with digits, as names and models are."""
    return token[:1].isupper() or (token[:1].isdigit() and any(c.isalpha() for c in token))


def is_proper_first(tokens: list[str], chunk: str, *, plural: bool = False) -> bool:
    """Whether the first word of a sentence would keep its capital in the middle of one."""
    first = tokens[0]
    bare = re.sub(r"['’]s?$", "", first)
    if not bare[:1].isupper():
        return False
    if len(bare) > 1 and any(c.isupper() or c.isdigit() for c in bare[1:]):
        return True
    lower = bare.lower()
    if lower in {"the", "a", "an"} or lower in PRONOUNS or lower in _STARTERS:
        return False
    escaped = re.escape(bare)
    if re.search(rf"(?<=[a-z,;] ){escaped}\b", chunk):
        return True
    if re.search(rf"(?<![\w-]){re.escape(lower)}\b", chunk):
        return False
    if lower in _COMMON:
        return False
    if len(tokens) > 1 and _is_doing(lower) and _is_one_name(tokens[1:]):
        return False
    if len(tokens) > 1 and (is_capital(tokens[1]) or re.search(r"[A-Z]", tokens[1])):
        return True
    if lower in _PEOPLES or _DEMONYM.fullmatch(bare) or first != bare:
        return True
    if len(tokens) > 1:
        place = tokens[1] in {"of", "in"} and any(is_capital(token) for token in tokens[2:4])
        singular = not lower.endswith("s") or lower.endswith(("us", "is", "es", "as"))
        if tokens[1] != "the" and not (place and singular and not plural):
            return False
    if plural and lower.endswith("s"):
        return False
    return not _COMMON_ENDING.fullmatch(lower)


def _is_doing(word: str) -> bool:
    """`reading`, `making`, `planning`: what is done, at the start of a sentence as well as of a name."""
    stem = word.removesuffix("ing")
    return stem != word and (stem in BASES or stem + "e" in BASES or (stem[-1:] == stem[-2:-1] and stem[:-1] in BASES))


def _is_one_name(rest: list[str]) -> bool:
    """What is done is done to it: "Reading Parquet", but neither "Boiling Springs" nor "Working Class Hero"."""
    first, following = rest[0], rest[1:2]
    if not is_capital(first) or (following and is_capital(following[0])):
        return False
    return first.lower() not in VAGUE and not (first.endswith("s") and not following)


def in_sentence(tokens: list[str], chunk: str, *, plural: bool = False) -> str:
    """The phrase as it is written in the middle of a sentence."""
    if is_proper_first(tokens, chunk, plural=plural):
        return " ".join(tokens)
    return " ".join([tokens[0][:1].lower() + tokens[0][1:], *tokens[1:]])


def full_name(name: str, chunk: str) -> str:
    """The longest name in `chunk` that ends in the single word `name`: a surname becomes a person."""
    found = re.findall(rf"((?:{_NAME} ){{1,3}}){re.escape(name)}\b", chunk)
    best = name
    for before in found:
        parts = before.split()
        while parts and (
            parts[0].lower() in PRONOUNS | _STARTERS | {"the", "a", "an"} or parts[0].rstrip(".") in NAME_TITLES
        ):
            parts = parts[1:]
        if parts and not any(part.endswith((".", "'s", "’s")) and len(part) > 2 for part in parts):
            if _names_people(parts[0]) or parts[0] in {"Great", "New", "Old"}:
                continue
            candidate = " ".join([*parts, name])
            best = max(best, candidate, key=len)
    return best


def _names_people(word: str) -> bool:
    """`German`, `Dutch`; but Christiaan is somebody."""
    lower = word.lower()
    return lower not in _GIVEN_NAMES and (lower in _PEOPLES or _DEMONYM.fullmatch(word) is not None)


def is_unique(noun: str) -> bool:
    """There is one of it, as of the Sun."""
    return noun.lower() in _UNIQUE


def standing(tokens: list[str], chunk: str, *, past: bool) -> int:
    """How well a noun phrase says what it is about: 0 not at all, 3 by name.

    In the past tense a phrase without a name is one case that was told before ("the expedition failed");
    in the present it is a kind of thing.
    """
    if not 1 <= len(tokens) <= 10:
        return 0
    lowers = [token.lower() for token in tokens]
    if lowers[0] in _STARTERS or (lowers[0].endswith("ly") and len(lowers) > 1) or lowers[0].isdigit():
        return 0
    if any(re.split("['’]", word)[0] in PRONOUNS for word in lowers) or any(
        not re.fullmatch(r"[\w'’.&/°%-]+", token) for token in tokens
    ):
        return 0
    if lowers[-1] in _PREPOSITIONS or lowers[-1] in {"the", "a", "an"} or lowers[-1].endswith("ly"):
        return 0
    if (
        lowers[0] in _NUMERALS
        and not any(is_capital(token) for token in tokens[1:])
        and (past or len(tokens) < 3 or not any(word in _PREPOSITIONS for word in lowers))
    ):
        return 0
    definite, indefinite = lowers[0] == "the", lowers[0] in {"a", "an"}
    if indefinite and len(lowers) > 1 and lowers[1] in {"second", "third", "new", "later", "final", "single"}:
        return 0
    rest = tokens[1:] if definite or indefinite else tokens
    if not rest:
        return 0
    named = any(is_capital(token) for token in tokens[1:]) or is_proper_first(tokens, chunk)
    # "The entire international conflict" is one that was told of.
    if definite and not named and len(lowers) > 1 and lowers[1] in _TOLD_OF:
        return 0
    if named and indefinite and past and not re.search(r"\d| (?:by|of|from) (?:the )?[A-Z]", " ".join(tokens)):
        return 0
    # "Holden's announcement" was one of several.
    if past and len(tokens) == 2 and re.search(r"['’]s?$", tokens[0]) and lowers[1] in VAGUE:
        return 0
    if lowers[0].endswith("ing") and lowers[-1] in {"backwards", "forwards", "back", "up", "down", "away"}:
        return 0
    if named:
        return 0 if len(rest) == 1 and rest[0].lower() in VAGUE else 3
    content = [word for word in lowers if word not in _PREPOSITIONS and word not in {"the", "a", "an"}]
    head = _head(lowers)
    if past:
        # Even so, "pendulum clocks lost their place" is about a kind.
        return (
            1
            if not indefinite and len(content) >= 2 and head not in VAGUE and not (definite and content[0] in VAGUE)
            else 0
        )
    solid = [word for word in content if word not in VAGUE or not (definite or indefinite or word.endswith("s"))]
    if not solid:
        return 0
    if len(content) == 1:
        # "The pendulum" is the one that was told of, however often it was.
        if definite:
            return 2 if is_unique(head) else 0
        return 0 if len(head) < 4 else 2
    return 1 if definite and head in VAGUE else 2


def _head(lowers: list[str]) -> str:
    """The noun that the others describe: the last before a preposition."""
    for place, word in enumerate(lowers):
        if word in _PREPOSITIONS and place:
            return lowers[place - 1]
    return lowers[-1]
