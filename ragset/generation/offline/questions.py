"""All the English questions that a sentence answers by one of the patterns."""

from collections.abc import Callable, Iterator

from ragset.generation.offline.agents import agent
from ragset.generation.offline.clause import Clause, clauses
from ragset.generation.offline.definitions import definition, named, superlative
from ragset.generation.offline.facts import by_how_much, done_then, existence, number, when
from ragset.generation.offline.figures import rated, since_which, value
from ragset.generation.offline.prose import plain
from ragset.generation.offline.question import Question, blemishes, is_sound
from ragset.generation.offline.reasons import comparison, condition, how, why
from ragset.generation.offline.relations import relation, state

_LEAST = 1.8
"""Below it a question says too little of what it is about."""
_OF_CLAUSE: tuple[Callable[[Clause, str], Iterator[Question]], ...] = (
    why,
    how,
    comparison,
    definition,
    superlative,
    agent,
    relation,
    state,
    when,
    done_then,
    number,
    by_how_much,
    rated,
    since_which,
    value,
)
_OF_SENTENCE: tuple[Callable[[str, str], Iterator[Question]], ...] = (condition, named, existence)


def questions(sentence: str, chunk: str) -> list[Question]:
    """What the patterns find in one sentence of `chunk`, best first; a list without anything vague or odd."""
    text = plain(sentence)
    found = [question for rule in _OF_SENTENCE for question in rule(text, chunk)]
    for clause in clauses(sentence, chunk):
        for rule in _OF_CLAUSE:
            for question in rule(clause, chunk):
                score = question.score + 0.4 * clause.standing
                # One case of a kind, told in the past, says too little for "What did it cause?".
                if clause.past and clause.standing == 1 and question.kind in {"what", "object", "effect"}:
                    continue
                found.append(question._replace(score=score))
    rated = [question._replace(score=question.score - blemishes(question.text)) for question in found]
    sound = [question for question in rated if is_sound(question.text) and question.score >= _LEAST]
    return sorted(sound, key=lambda question: -question.score)
