"""The sentence that answers best, quoted to the letter."""

from ragset.llm.offline.text import sentences, stem, tidy, words
from ragset.replies import GroundedAnswer
from ragset.rules.marks import FUNCTION_WORDS

_ASKING = frozenset(
    [
        "what",
        "who",
        "when",
        "where",
        "why",
        "how",
        "which",
        "whom",
        "whose",
        "did",
        "does",
        "do",
        "many",
        "much",
        "long",
        "explain",
        "state",
        "define",
    ]
)


def answer_query(chunk: str, query: str) -> GroundedAnswer:
    asked = {stem(word) for word in words(query) if word not in FUNCTION_WORDS and word not in _ASKING}
    here = {stem(word) for word in words(chunk)}
    if not asked or len(asked & here) < 0.6 * len(asked):
        return GroundedAnswer(
            reason="By rule: its words do not occur.", verdict="not_in_passage", answer=None, quotes=()
        )
    best = max(sentences(chunk), key=lambda s: (len(asked & {stem(word) for word in words(s.text)}), -s.start))
    return GroundedAnswer(
        reason="By rule: the sentence that shares most words with the query.",
        verdict="answered",
        answer=tidy(best.text),
        quotes=(best.text,),
    )
