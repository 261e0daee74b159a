"""Judgements on chunks by rules, and on answers by counting words: critique of goldens, other passages that answer, and answers in a benchmark."""

import re

from ragset.generation.offline.answer import answer_query
from ragset.generation.offline.queries import clarity
from ragset.generation.offline.text import Sentence, content, numbers, percent, sentences, share
from ragset.llm.replies import (
    AnswerVerdict,
    ChunkScores,
    ChunkVerdict,
    Claim,
    Claims,
    Criticism,
    Critique,
    Grade,
    Grounding,
    PassageGrade,
    PassageGrades,
    QueryCritique,
    Relevance,
    Score,
    Support,
    Supports,
)
from ragset.text.rules.metadata import metadata_reason
from ragset.text.sentences import UNSPACED_STOP


def critique(audience: str, chunks: tuple[str, ...], query: str, answer: str, quotes: tuple[str, ...]) -> Critique:
    """All three scores."""
    grounded = groundedness("\n".join(chunks), query, answer, quotes)
    return Critique(groundedness=grounded, relevance=relevance(audience, query), clarity=clarity(query))


def groundedness(chunk: str, query: str, answer: str, quotes: tuple[str, ...]) -> Grounding:
    """5 where the answer is made of words of the passage; quotes that share a word with the answer are needed."""
    said, here = set(content(answer)), set(content(chunk))
    sharing = [number for number, quote in enumerate(quotes, start=1) if said & set(content(quote))]
    needed = tuple(sharing or range(1, len(quotes) + 1))[:64]
    # "came first" is the one thing that a comparison adds to what it quotes.
    said -= set(content(query)) | {"first", "came", "come"}
    invented = [number for number in numbers(answer) if number not in chunk]
    held = share(here, said) if said else 1.0
    reason = f"{percent(held)} of the answer's words stand in the passage"
    score: Score = 5 if held > 0.97 else 4 if held > 0.85 else 3 if held > 0.6 else 2 if held > 0.3 else 1
    if not answer.strip():
        reason, score = "there is no answer", 1
    elif invented:
        reason, score = f"the passage does not state {invented[0]}", 2
    elif content(query) and not set(content(query)) & here:
        reason, score = "the passage does not speak of what is asked", 2
    return Grounding(reason=f"By rule: {reason}.", needed=needed, score=score)


def critique_query(audience: str, query: str) -> QueryCritique:
    """Both scores."""
    return QueryCritique(clarity=clarity(query), relevance=relevance(audience, query))


def relevance(audience: str, query: str) -> Criticism:
    """By how specific the query is: who asks, a rule cannot weigh."""
    specific = len(set(content(query))) >= 3 or re.search(r"(?<=\w )[A-ZÀ-Þ]\w|\d", query)
    who = " ".join(audience.split())[:80]
    return Criticism(reason=f'By rule: whether "{who}" would ask is not weighed.', score=5 if specific else 4)


def judge_support(query: str, answer: str, chunks: tuple[str, ...]) -> Supports:
    """Each passage by itself; in full where the rule answers from it, with all that the reference says."""
    passages = tuple(_support(number, query, answer, chunk) for number, chunk in enumerate(chunks, start=1))
    full = sum(one.verdict == "full" for one in passages)
    return Supports(reason=f"By rule: {full} of {len(passages)} answer it in full.", passages=passages)


def _support(number: int, query: str, answer: str, chunk: str) -> Support:
    reply = answer_query(chunk, query)
    if reply.verdict != "answered":
        near = share(set(content(chunk)), set(content(query))) >= 0.3
        return Support(passage=number, reason=reply.reason, verdict="part" if near else "none", quotes=())
    compared = judge_answer(query, answer, " ".join(reply.quotes))
    full = not answer or (compared.correctness == 5 and compared.completeness == 1)
    quotes = reply.quotes if full else ()
    return Support(passage=number, reason=compared.feedback, verdict="full" if full else "part", quotes=quotes)


def grade_passage(query: str, chunks: tuple[str, ...]) -> PassageGrades:
    """Each passage by itself: 3 where a third of it or more answers, 2 where less does, 1 where it has the query's words."""
    grades: list[PassageGrade] = []
    for number, chunk in enumerate(chunks, start=1):
        reply = answer_query(chunk, query)
        near = share(set(content(chunk)), set(content(query))) >= 0.3
        grade: Relevance = 1 if near else 0
        if reply.verdict == "answered":
            grade = 3 if 3 * sum(map(len, reply.quotes)) >= len(chunk) else 2
        grades.append(PassageGrade(passage=number, reason=reply.reason, grade=grade))
    return PassageGrades(reason="By rule: what the words of the query name.", grades=tuple(grades))


def judge_answer(query: str, reference: str, answer: str) -> AnswerVerdict:
    """By the reference's words that the answer has, and the answer's words that the reference has."""
    asked = set(content(query))
    # "No." has no word of content: then every word counts.
    wanted = set(content(reference)) - asked or set(content(reference)) or set(reference.lower().split())
    said = set(content(answer)) or set(answer.lower().split())
    held = share(said, wanted)
    to_the_point = share(wanted, said - asked) if said - asked else 1.0
    wrong = [number for number in numbers(reference) if number not in query and number not in numbers(answer)]
    score: Score = 5 if held >= 0.9 else 4 if held >= 0.75 else 3 if held >= 0.5 else 2 if held >= 0.2 else 1
    lacking = f", and not {wrong[0]}" if wrong else ""
    return AnswerVerdict(
        feedback=f"By rule: the answer has {percent(held)} of the reference's words{lacking}; "
        f"{percent(to_the_point)} of what it adds to the query stands in the reference.",
        correctness=min(score, 2) if wrong else score,
        completeness=1 if held >= 0.9 else 0.5 if held >= 0.3 else 0,
        conciseness=0 if not said else 1 if to_the_point >= 0.5 else 0.5 if to_the_point >= 0.2 else 0,
    )


def judge_faithfulness(chunks: tuple[str, ...], answer: str) -> Claims:
    """Each sentence is a claim, supported where one passage holds its numbers and most of its words."""
    held = [(set(content(chunk)), set(numbers(chunk))) for chunk in chunks]
    claims: list[Claim] = []
    for sentence in sentences(answer)[:64]:
        about, counted = set(content(sentence.text)), set(numbers(sentence.text))
        if about:
            most = max((share(found, about) if counted <= there else 0.0 for found, there in held), default=0.0)
            reason = f"By rule: {percent(most)} of its words stand in one passage that has its numbers."
            claims.append(Claim(claim=sentence.text, reason=reason, supported=1 if most >= 0.8 else 0))
    return Claims(claims=tuple(claims))


_ENDED = re.compile(r"[.!?…:](?:[\"'”’»)\]*_`]|\s\([^()]*\))*$")


def judge_chunk(chunk: str) -> ChunkVerdict:
    """Whether it has full sentences, and more than titles and references; what it leans on, a rule does not see."""
    finding = metadata_reason(chunk)
    empty = f"{finding[0].replace('_', ' ')}: {finding[1]}" if finding else None
    if not empty and not any(map(_is_sentence, sentences(chunk))):
        empty = "holds no full sentence"
    reason = f"By rule: {empty or 'holds full sentences'}."
    return ChunkVerdict(reason=reason, self_containment=1, not_metadata=0 if empty else 1)


def _is_sentence(piece: Sentence) -> bool:
    """Whether it has three words and ends like a sentence, or is one in a script without spaces; headings and tables do not count."""
    text = piece.text
    ended = len(text.split()) >= 3 and _ENDED.search(text)
    return not text.startswith(("#", "=", "|")) and bool(ended or UNSPACED_STOP.search(text))


def score_chunk(chunk: str) -> ChunkScores:
    """The highest grades where the chunk passes `judge_chunk`, else the lowest: rules do not see depth."""
    judged = judge_chunk(chunk)
    grade: Grade = 3 if judged.not_metadata else 1
    return ChunkScores(reason=judged.reason, clarity=grade, depth=grade, structure=grade, relevance=grade)
