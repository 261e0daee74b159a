"""Judgements on answers by counting words: critique of goldens, other passages that answer, and answers in a benchmark."""

import re

from ragset.generation.offline.answer import answer_query
from ragset.generation.offline.queries import clarity
from ragset.generation.offline.text import content, numbers, percent, sentences, share
from ragset.llm.replies import AnswerVerdict, Claim, Claims, Criticism, Critique, Score, Support, Supports


def critique(audience: str, chunk: str, query: str, answer: str) -> Critique:
    """All three scores."""
    grounded, relevant = groundedness(chunk, query, answer), relevance(audience, query, chunk)
    return Critique(groundedness=grounded, relevance=relevant, clarity=clarity(query))


def groundedness(chunk: str, query: str, answer: str) -> Criticism:
    """5 where the answer is made of words of the passage."""
    said, here = set(content(answer)), set(content(chunk))
    # "came first" is the one thing that a comparison adds to what it quotes.
    said -= set(content(query)) | {"first", "came", "come"}
    invented = [number for number in numbers(answer) if number not in chunk]
    if not answer.strip():
        return _criticism("there is no answer", 1)
    if invented:
        return _criticism(f"the passage does not state {invented[0]}", 2)
    if content(query) and not set(content(query)) & here:
        return _criticism("the passage does not speak of what is asked", 2)
    held = share(here, said) if said else 1.0
    score: Score = 5 if held > 0.97 else 4 if held > 0.85 else 3 if held > 0.6 else 2 if held > 0.3 else 1
    return _criticism(f"{percent(held)} of the answer's words stand in the passage", score)


def relevance(audience: str, query: str, chunk: str) -> Criticism:
    """By how specific the query is and how much of it the passage speaks of: who asks, a rule cannot weigh."""
    asked = set(content(query))
    held = share(set(content(chunk)), asked)
    if held < 0.5:
        return _criticism("the passage hardly speaks of what is asked", 2)
    who = f'whether "{" ".join(audience.split())[:80]}" would ask is not weighed'
    specific = len(asked) >= 3 or re.search(r"(?<=\w )[A-ZÀ-Þ]\w|\d", query)
    return _criticism(f"the passage speaks of {percent(held)} of what is asked; {who}", 5 if specific else 4)


def _criticism(reason: str, score: Score) -> Criticism:
    return Criticism(reason=f"By rule: {reason}.", score=score)


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
