"""Can a question end with these words?"""

import re

_LOOSE = frozenset(
    """who which whom whose where when while because since although though if unless until whereas he she it they him them this these
    those such former latter however so but another others same i we you us me my our your that""".split()  # noqa: SIM905
)
_DANGLING = frozenset(
    """the a an of in on at by for with from to into and or as than very more most less its their his her over about only
    up-to even not just is are also been so because first both was were be been both either that ahead behind""".split()  # noqa: SIM905
)

_AGAIN = re.compile(
    r"\b(?:\w+ times|twice|thrice|repeatedly|annually|yearly|monthly|weekly|daily|frequently|regularly|occasionally|often"
    r"|always|(?:every|each) (?:\w+ )?(?:time|year|month|week|day|hour|summer|winter|spring|autumn)s?)\b"
)


def again_and_again(tail: str) -> bool:
    """It says how often, so that it has no one date and no one doer."""
    return _AGAIN.search(tail) is not None


def tail_fits(tail: str, *, limit: int = 14) -> bool:
    """Whether what is kept after the verb is one plain phrase that a question can end with."""
    words = tail.split()
    if len(words) > limit or re.search(r"[,;:\"“”()\[\]<>]|—| – ", tail):
        return False
    lowers = [word.lower() for word in words]
    if set(lowers) & _LOOSE:
        return False
    return not (lowers and lowers[-1] in _DANGLING)
