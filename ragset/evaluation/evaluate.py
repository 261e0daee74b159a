"""`ragset.evaluate`: a RAG system in this process, measured on a test set without Prefect."""

import hashlib
import json
import math
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragset.dataset import Dataset, versions
from ragset.dataset.relevance.qrels import Gold, gold_of, grades_of
from ragset.errors import InputError
from ragset.evaluation.conversations import Form
from ragset.evaluation.critic import Judged, in_event_loop, judge_answers, judged_by
from ragset.evaluation.efficiency import Efficiency, effort_scores
from ragset.evaluation.evaluation import Evaluation
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.failures import evidence_held, find_failures
from ragset.evaluation.goldens import TestSet, open_test_set, whole_documents
from ragset.evaluation.metrics.registry import measurable, metric_names, usual_primary
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.metrics.scores import Score, score_frame
from ragset.evaluation.results.model import Results, RetrievalResult, System
from ragset.evaluation.results.standings import conclude
from ragset.evaluation.scoring import score_retrieval, token_counter
from ragset.evaluation.systems import ask_system
from ragset.evaluation.systems.functions import FunctionSystem
from ragset.evaluation.systems.replies import Returned, read_chunks
from ragset.llm.protocol import LLM
from ragset.llm.tracing.export import start_tracing
from ragset.llm.usage import load_prices
from ragset.settings import OFFLINE, Budget, Environment, ModelSettings

_AT_ONCE = 8
"""Queries that an asynchronous function is asked at once where the caller says nothing."""


def evaluate(
    dataset: "str | Path | Dataset | TestSet",
    retrieve: Any = None,
    *,
    answer: Any = None,
    critic: str | ModelSettings = OFFLINE,
    diagnosis: bool = False,
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
    model that judges the answers beside the comparison by words; its replies are kept in `RAGSET_HOME`. With `diagnosis` it also
    breaks references and answers down into claims and looks for them in the passages.

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
    judge = ModelSettings(model=critic) if isinstance(critic, str) else critic
    if diagnosis and judge.model == OFFLINE:
        raise InputError("diagnosis: needs a language model as critic (critic=)")
    ranked = ask_system(system, of.goldens, of.corpus, function.ask, texts, conversations)
    gold = gold_of(of.goldens, of.corpus)
    scores: list[Score] = []
    if retrieve is not None:
        sizes = {"cutoffs": cutoffs, "budgets": token_budgets}
        count, grades = token_counter(of.corpus), grades_of(of.goldens)
        scores = score_retrieval(ranked.hits, gold, None, **sizes, tokens=count, grades=grades)
    answers, judged = bool(ranked.answers) or answer is not None, Judged([], {})
    if answers or diagnosis:
        # Another system's answers are another run, which the budget does not count with this one.
        run = f"evaluate {hashlib.sha256(json.dumps([of.corpus.hash, *ranked.answers.items()]).encode()).hexdigest()}"

        def work(llm: LLM | None) -> Awaitable[Judged]:
            return judge_answers(ranked, of, llm, language, answers=answers, diagnosis=diagnosis)

        judged = in_event_loop(judged_by(judge, run, work, budget))
    efforts = effort_scores(ranked.efforts, load_prices(Environment().ragset_prices))
    row = System(name=system.name, external=ranked.external, efficiency=Efficiency.of(efforts))
    judged = judged._replace(scores=[*scores, *judged.scores, *efforts])
    parameters = {
        "cutoffs": list(cutoffs),
        "token_budgets": list(token_budgets),
        "critic": judge.model,
        "diagnosis": bool(judged.diagnoses),
        "conversations": conversations,
        "seed": seed,
    }
    return Evaluation(_results(of, gold, row, ranked, judged, answers, primary, parameters))


def _results(
    of: TestSet,
    gold: Gold,
    system: System,
    ranked: RetrievalResult,
    found: Judged,
    answers: bool,
    primary: str,
    parameters: dict[str, Any],
) -> Results:
    name, cutoffs, budgets, seed = system.name, parameters["cutoffs"], parameters["token_budgets"], parameters["seed"]
    judged = parameters["critic"] != OFFLINE
    frame = score_frame((name, one.golden, one.metric, one.value, one.bounds) for one in found.scores)
    held = evidence_held(ranked.hits, gold, None)
    values = {(one.golden, one.metric): one.value for one in found.scores if not math.isnan(one.value)}
    failures = find_failures(of.goldens, held, values, found.diagnoses, answers=answers)
    measured = set(map(str, frame["metric"]))
    sizes = {"cutoffs": cutoffs, "budgets": budgets}
    diagnosed = bool(found.diagnoses)
    known = metric_names(
        measurable(of.goldens), **sizes, indexed=False, answers=True, judged=judged, diagnosed=diagnosed
    )
    names = [metric for metric in known if metric in measured]
    # As of other systems in a benchmark, retrieval ranks where there is any.
    usual = "" if "mrr" in names else "correctness" if judged else "token_f1"
    if primary and primary not in names:
        raise InputError(f"primary: nothing was scored in {primary!r}; choose one of {', '.join(names) or 'none'}")
    ranking = usual_primary(names, usual, cutoffs, budgets, whole=whole_documents(of.goldens, of.corpus))
    concluded = conclude(frame, clusters_of(of.goldens), primary=primary or ranking.name, seed=seed)
    return Results(
        name=of.name,
        datasets=(of.name,),
        corpus=of.corpus,
        goldens=of.goldens,
        systems=(system,),
        runs={name: ranked.hits},
        answers={name: ranked.answers} if ranked.answers else {},
        scores=frame,
        **concluded._asdict(),
        primary=primary or ranking.name,
        baseline="",
        primary_basis="" if primary else ranking.basis,
        problems=of.problems,
        failures={name: failures} if failures else {},
        diagnoses={name: found.diagnoses} if found.diagnoses else {},
        seed=seed,
        parameters=parameters,
        versions=dict(versions()),
    )


def _chunks(given: Mapping[str, str] | str | Path | None) -> dict[str, Returned]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {str(id_): Returned(0.0, text, id=str(id_)) for id_, text in given.items()}
    return read_chunks(Path(given))
