"""Which language a text is in, told by its script and its commonest small words."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

_SMALL_WORDS = {
    "en": "the of and to in is was were that for with as by on from are at which his their has be it this an had have"
    " what how why who does did do can when where or not they he she you will would more than but been there if",
    "es": "el la los las de del y en que un una es fue por con para se su como más al lo fueron son entre también"
    " qué cómo cuál cuáles cuándo dónde quién según o no está sus pero ha han este esta hasta desde le les sobre ser cuando",
    "de": "der die das und ist ein eine den dem von mit des im zu für auf wurde sich nicht als auch werden sind einer"
    " wie was wer warum wann welche welcher welches wird in oder bei aus nach sie es er bis ihr haben hat man dass kann wenn um noch nur zum zur am durch sein seine",
    "fr": "le la les des et est un une du en dans que qui par pour sur au aux avec il elle sont été plus ce cette"
    " de quel quelle quels quelles comment pourquoi quand où ou ne pas a se ils elles on leur leurs son sa ses mais comme après ont qu",
    "pt": "o a os as de do da dos das e em no na nos nas que um uma é foi por com para se ao mais não são seu sua como"
    " pelo pela também",
    "it": "il lo la i gli le di del della dei delle e in nel nella che un una è fu per con si da dal dalla al alla non"
    " sono come più anche",
    "ca": "el la els les de del dels i en que un una és va per amb per als al no són com més seu seva també aquest"
    " aquesta",
    "nl": "de het een van en in is was dat die met op voor te zijn aan door als niet werd ook bij naar om uit er wordt"
    " worden",
    "da": "og i af er den det en et til som på med for blev ikke har var der de fra ved om også efter eller kan af blive",
    "no": "og i av er den det en et til som på med for ble ikke har var der de fra ved om også etter eller kan bli",
    "sv": "och i av är den det en ett till som på med för blev inte har var där de från vid om också efter eller kan",
    "pl": "i w z na do się jest nie że o od po przez dla był była oraz jako który która to za są jego lub",
    "cs": "a v z na do se je není že o od po pro byl byla jako který která to za jsou jeho nebo s ve k",
    "ro": "și de la în a al ale cu un o este fost care din pe se pentru prin sau mai nu sunt ca lui",
    "hu": "a az és egy hogy nem is volt van meg de mint csak vagy ezt ki el már még után között",
    "fi": "ja on ei oli se että joka myös ovat kuin sen hän tai mutta kun niin jossa sekä mukaan olivat",
    "tr": "ve bir bu da de için ile olarak olan daha çok en gibi kadar sonra ise değil ya veya",
    "id": "yang dan di dari untuk dengan pada adalah ini dalam tidak oleh itu sebagai ke juga atau telah akan",
}
_SETS = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
_SCRIPTS = (
    ("ja", re.compile(r"[\u3041-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
"""Scripts that one language alone is written in, or nearly; what has a kana is Japanese whatever else it has."""
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 2_000
"""Characters of a text; the first page decides."""
_SAMPLE = 200
"""Texts of a corpus that are looked at."""
_SHARE = 0.6
"""Of a corpus that must be in a language for it to be the corpus's."""
_AHEAD = 1.15
"""How many times the small words of the next best language there must be: Danish and Norwegian differ by few."""


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """The English names of languages, by ISO 639-1 code."""
    # Imported here: Babel takes a quarter of a second.
    from babel import Locale

    return {code: name for code, name in Locale("en").languages.items() if len(code) == 2}


def is_language(code: str) -> bool:
    """Whether it is the ISO 639-1 code of a language."""
    return code in _names()


def language_name(code: str) -> str:
    """The English name of a language; for an unknown code, words that hold the code."""
    return _names().get(code, f"the language with ISO 639-1 code {code}")


def guess_language(text: str) -> str | None:
    """The language of one text; None for an unknown language, or where two languages are too close.

    Small words tell English, Spanish, German, French and their neighbours (so that Portuguese is not taken for
    Spanish); scripts tell Japanese, Chinese, Korean, Greek, Hebrew and Thai.
    """
    shown = text[:_LOOKED_AT]
    found = [word.lower() for word in _WORD.findall(shown)]
    if not found:
        return None
    letters = sum(map(len, found))
    for language, script in _SCRIPTS:
        if len(script.findall(shown)) >= (0.2 if language == "ja" else 0.5) * letters:
            return language
    (best, most), (_, next_most) = count_small_words(shown).most_common(2)
    return best if most >= 0.15 * len(found) and most >= _AHEAD * next_most and most > next_most else None


def count_small_words(text: str) -> Counter[str]:
    """For each language told by small words: how many words of the text are among its commonest."""
    found = [word.lower() for word in _WORD.findall(text)]
    return Counter({language: sum(word in small for word in found) for language, small in _SETS.items()})


def detect_language(texts: Iterable[str]) -> str | None:
    """The language of at least three fifths of a corpus; None where there is no such language.

    Looks at the first page of the first 200 texts. A corpus is sorted by hashes, so they are a fair sample.
    """
    shares: Counter[str | None] = Counter()
    for text in islice(texts, _SAMPLE):
        shares[guess_language(text)] += min(len(text), _LOOKED_AT)
    if not shares:
        return None
    language, share = shares.most_common(1)[0]
    return language if share >= _SHARE * shares.total() else None
