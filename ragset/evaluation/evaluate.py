"""`ragset.evaluate`: a RAG system in this process, measured on a test set without Prefect."""

import asyncio
import hashlib
import json
import tempfile
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ragset.dataset import Dataset, read_dataset, versions
from ragset.dataset.importers import Unaligned, read_goldens, recognise
from ragset.dataset.relevance.qrels import gold_of, grades_of
from ragset.documents import read_documents
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.conversations import Form
from ragset.evaluation.efficiency import Efficiency, effort_scores
from ragset.evaluation.evaluation import Evaluation
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.goldens import of_splits, whole_documents
from ragset.evaluation.metrics.judged import FAITHFULNESS_PROMPT, judge_answer
from ragset.evaluation.metrics.judged import PROMPT as JUDGE_PROMPT
from ragset.evaluation.metrics.registry import measurable, metric_names, usual_primary
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.metrics.scores import Score, score_frame
from ragset.evaluation.results.model import Results, RetrievalResult, System
from ragset.evaluation.results.standings import conclude
from ragset.evaluation.scoring import score_answer, score_retrieval, token_counter, unanswered_scores
from ragset.evaluation.systems import ask_system
from ragset.evaluation.systems.functions import FunctionSystem
from ragset.evaluation.systems.replies import Returned, read_chunks
from ragset.llm.connect import connected
from ragset.llm.gather import gather_all
from ragset.llm.prompts import load_prompt
from ragset.llm.protocol import LLM
from ragset.llm.tracing import about
from ragset.llm.tracing.export import start_tracing
from ragset.llm.usage import load_prices
from ragset.models import Golden
from ragset.settings import OFFLINE, Budget, DocumentSettings, Environment, ModelSettings

T = TypeVar("T")
_AT_ONCE = 8
"""Queries that an asynchronous function is asked at once where the caller says nothing."""


def evaluate(
    dataset: "str | Path | Dataset | TestSet",
    retrieve: Any = None,
    *,
    answer: Any = None,
    critic: str | ModelSettings = OFFLINE,
    name: str = "",
    splits: Sequence[str] = (),
    documents: str | Path | None = None,
    chunks: Mapping[str, str] | str | Path | None = None,
    cutoffs: Sequence[int] = (1, 3, 5, 10),
    token_budgets: Sequence[int] = (256, 512, 1024, 2048),
    primary: str = "",
    concurrency: int | None = None,
    max_failures: float = 0.1,
    budget: Budget | None = None,
    language: str = "en",
    conversations: Form = "rewritten",
    seed: int = 0,
) -> Evaluation:
    """Ask a system every query of a test set, and score what it returns.

    `dataset` is a folder or file that `benchmark` reads, or a `Dataset`. `retrieve` takes a query and returns passages, best
    first: texts, ids, spans, `(document, start, end)`, nodes or documents of LlamaIndex, LangChain and Haystack, or any of
    these with a score. It may be asynchronous, or be a retriever of one of these frameworks. `answer` takes the query, and as a
    second argument what `retrieve` returned if it has one; it returns a text, or None where it abstains. `critic` names a
    model that judges the answers beside the comparison by words; its replies are kept in `RAGSET_HOME`.

    `chunks` are the texts of ids of your own. `concurrency` is the number of queries at once: usually 8 for an asynchronous
    function and 1, in this thread, for any other. More than `max_failures` failed queries (below 1 a share) end it.
    `conversations` is what the system receives of goldens of several turns: the last question `rewritten` to stand alone; the
    `question` as asked; or that with its `history`, messages as chat models take them, in a parameter of this name (one text for
    functions without it).

    Raises:
        InputError: the dataset, a function or an option cannot be used.
        ProviderError: too many queries failed, or the critic cannot be asked.
    """
    start_tracing()
    of = dataset if isinstance(dataset, TestSet) else open_test_set(dataset, splits, documents)
    texts = _chunks(chunks)
    function = FunctionSystem(retrieve, answer, of.corpus, texts)
    at_once = concurrency or (_AT_ONCE if function.asynchronous else 1)
    system = ExternalSystem(
        name=name or function.name, python=function.name, max_failures=max_failures, max_concurrency=at_once
    )
    ranked = ask_system(system, of.goldens, of.corpus, function.ask, texts, conversations)
    judge = ModelSettings(model=critic) if isinstance(critic, str) else critic
    scores = retrieval_scores(ranked, of, cutoffs, token_budgets) if retrieve is not None else []
    if ranked.answers or answer is not None:
        # Another system's answers are another run, which the budget does not count with this one.
        run = f"evaluate {hashlib.sha256(json.dumps([of.corpus.hash, *ranked.answers.items()]).encode()).hexdigest()}"
        scores += in_event_loop(judged_by(judge, run, lambda llm: answer_scores(ranked, of, llm, language), budget))
    efforts = effort_scores(ranked.efforts, load_prices(Environment().ragset_prices))
    row = System(name=system.name, external=ranked.external, efficiency=Efficiency.of(efforts))
    return Evaluation(
        _results(of, row, ranked, [*scores, *efforts], primary, cutoffs, token_budgets, judge, conversations, seed)
    )


class TestSet(NamedTuple):
    """The goldens of one test set, and their documents."""

    name: str
    goldens: tuple[Golden, ...]
    corpus: Corpus
    problems: tuple[Unaligned, ...] = ()


TestSet.__test__ = False  # type: ignore[attr-defined]  # for pytest


def open_test_set(
    dataset: str | Path | Dataset, splits: Sequence[str] = (), documents: str | Path | None = None
) -> TestSet:
    """A dataset, or a test set in any format that can be imported; of `splits` only, where any are named."""
    path = dataset.folder if isinstance(dataset, Dataset) else Path(dataset)
    name = path.resolve().name
    if isinstance(dataset, Dataset) or (path.exists() and recognise(path) == "ragset"):
        found = dataset if isinstance(dataset, Dataset) else read_dataset(path if path.is_dir() else path.parent)
        goldens, corpus, problems = found.goldens, found.corpus, ()
    else:
        given = read_documents(DocumentSettings(sources=(str(documents),))).documents if documents else None
        imported = read_goldens(path, documents=given)
        goldens, problems = imported.goldens, imported.problems
        folder = tempfile.mkdtemp(prefix="ragset-")
        corpus = Corpus.write(Path(folder) / "corpus.jsonl", imported.documents)
        weakref.finalize(corpus, _remove, folder)
    if not goldens:
        told = "".join(f"\n  {problem.where}: {problem.reason}" for problem in problems[:10])
        raise InputError(f"no golden in {path}{told}")
    return TestSet(name, of_splits(goldens, splits), corpus, problems)


def retrieval_scores(
    ranked: RetrievalResult, of: TestSet, cutoffs: Sequence[int], budgets: Sequence[int]
) -> list[Score]:
    """Every metric of retrieval, of every golden with evidence."""
    gold, grades = gold_of(of.goldens, of.corpus), grades_of(of.goldens)
    tokens = token_counter(of.corpus)
    return score_retrieval(ranked.hits, gold, None, cutoffs=cutoffs, budgets=budgets, tokens=tokens, grades=grades)


async def judged_by(
    critic: ModelSettings, run: str, work: Callable[[LLM | None], Awaitable[T]], budget: Budget | None = None
) -> T:
    """What `work` makes of the critic; it gets None where the critic is no model."""
    if critic.model == OFFLINE:
        return await work(None)
    async with connected(critic, Environment(), budget or Budget(), run) as llm:
        return await work(llm)


async def answer_scores(ranked: RetrievalResult, of: TestSet, critic: LLM | None, language: str = "en") -> list[Score]:
    """Of every golden's answer, by words and by the critic if there is one."""
    folder = Environment().ragset_prompts if critic else None
    prompts = (
        {name: load_prompt(name, language, folder) for name in (JUDGE_PROMPT, FAITHFULNESS_PROMPT)} if critic else {}
    )

    async def one(golden: Golden) -> list[Score]:
        if golden.id not in ranked.hits:
            return unanswered_scores(golden, judged=critic is not None)
        answer = ranked.answers.get(golden.id)
        scores = score_answer(golden, answer)
        if critic is not None:
            passages = [ranked.text_of(hit.id, of.corpus) for hit in ranked.hits[golden.id]]
            with about(golden.query, golden=golden.id):
                scores |= await judge_answer(golden, answer, passages, prompts, critic)
        return [Score(golden.id, metric, value) for metric, value in scores.items()]

    return [score for scores in await gather_all(*map(one, of.goldens)) for score in scores]


def in_event_loop(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, also where a loop is running in this thread, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return ThreadPoolExecutor(1, "ragset evaluate").submit(asyncio.run, work).result()


def _results(
    of: TestSet,
    system: System,
    ranked: RetrievalResult,
    scores: Iterable[Score],
    primary: str,
    cutoffs: Sequence[int],
    budgets: Sequence[int],
    critic: ModelSettings,
    conversations: Form,
    seed: int,
) -> Results:
    judged, name = critic.model != OFFLINE, system.name
    frame = score_frame((name, one.golden, one.metric, one.value, one.bounds) for one in scores)
    measured = set(map(str, frame["metric"]))
    known = metric_names(
        measurable(of.goldens), cutoffs=cutoffs, budgets=budgets, indexed=False, answers=True, judged=judged
    )
    names = [metric for metric in known if metric in measured]
    # As of other systems in a benchmark, retrieval ranks where there is any.
    answers = "" if "mrr" in names else "correctness" if judged else "token_f1"
    if primary and primary not in names:
        raise InputError(f"primary: nothing was scored in {primary!r}; choose one of {', '.join(names) or 'none'}")
    ranking = usual_primary(names, answers, cutoffs, budgets, whole=whole_documents(of.goldens, of.corpus))
    found = conclude(frame, clusters_of(of.goldens), primary=primary or ranking.name, seed=seed)
    return Results(
        name=of.name,
        datasets=(of.name,),
        corpus=of.corpus,
        goldens=of.goldens,
        systems=(system,),
        runs={name: ranked.hits},
        answers={name: ranked.answers} if ranked.answers else {},
        scores=frame,
        **found._asdict(),
        primary=primary or ranking.name,
        baseline="",
        primary_basis="" if primary else ranking.basis,
        problems=of.problems,
        seed=seed,
        parameters={
            "cutoffs": list(cutoffs),
            "token_budgets": list(budgets),
            "critic": critic.model,
            "conversations": conversations,
            "seed": seed,
        },
        versions=dict(versions()),
    )


def _chunks(given: Mapping[str, str] | str | Path | None) -> dict[str, Returned]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {str(id_): Returned(0.0, text, id=str(id_)) for id_, text in given.items()}
    return read_chunks(Path(given))


def _remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
