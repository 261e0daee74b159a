"""The options of the commands, each said once.

Typer reads a command's signature; `takes` writes it.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {
    "documents": Annotated[
        list[str] | None, typer.Argument(help="Files, folders or http(s) addresses.", show_default=False)
    ],
    "config": Annotated[
        Path | None,
        typer.Option(
            "--config", help="YAML file with any of the parameters; options given here go first.", metavar="FILE"
        ),
    ],
    "json": Annotated[bool, typer.Option("--json", help="Print the result as JSON, for scripts.")],
    "corpus": Annotated[
        str | None,
        typer.Option("--corpus", help="Name under which the index is kept. (default: from the documents)"),
    ],
    "drop_references": Annotated[
        bool | None,
        typer.Option("--drop-references", help="Cut trailing References, Bibliography, External links sections."),
    ],
    "allow_private_hosts": Annotated[
        bool | None, typer.Option("--allow-private-hosts", help="Fetch pages from private addresses, too.")
    ],
    "chunking": Annotated[
        str | None,
        typer.Option(
            "--chunking",
            help="recursive, sentence, semantic, markdown, token or words. (default: recursive)",
            metavar="STRATEGY",
        ),
    ],
    "chunk_size": Annotated[int | None, typer.Option("--chunk-size", help="Largest chunk, in units. (default: 256)")],
    "overlap": Annotated[int | None, typer.Option("--overlap", help="Units that neighbours share. (default: 0)")],
    "unit": Annotated[
        str | None,
        typer.Option("--unit", help="tokens, characters or words. (default: tokens)", metavar="UNIT"),
    ],
    "embedding": Annotated[
        str | None,
        typer.Option(
            "--embedding",
            help="offline, local:NAME, or a model at the endpoint. (default: offline)",
            metavar="NAME",
        ),
    ],
    "n": Annotated[
        str | None, typer.Option("--n", help="How many goldens, or [b]all[/b]. (default: 100)", metavar="N")
    ],
    "model": Annotated[
        str | None,
        typer.Option(
            "--model",
            help="Writes queries and answers; [b]offline[/b] is rules. (default: offline)",
            metavar="NAME",
        ),
    ],
    "critic": Annotated[
        str | None, typer.Option("--critic", help="Filters and judges. (default: the model)", metavar="NAME")
    ],
    "concurrency": Annotated[
        int | None, typer.Option("--concurrency", help="Calls at once, of each model. (default: 16)")
    ],
    "temperature": Annotated[
        float | None, typer.Option("--temperature", help="Of the model that writes. (default: the provider's)")
    ],
    "styles": Annotated[
        str | None,
        typer.Option("--styles", help="Weights of open, factoid, keyphrase, exam. (default: open)", metavar="MIX"),
    ],
    "evolutions": Annotated[
        str | None,
        typer.Option(
            "--evolutions",
            help="Weights of none, generalise, reasoning, conditional, constraints, deepen, concretise, more_steps, "
            "complicate_input, broaden, compress, and multi_context for multi-chunk, as in none=2,compress=1. "
            "(default: none)",
            metavar="MIX",
        ),
    ],
    "shapes": Annotated[
        str | None,
        typer.Option(
            "--shapes", help="Weights of comparison, bridge, aggregation, open. (default: all alike)", metavar="MIX"
        ),
    ],
    "min_chunks": Annotated[
        int | None, typer.Option("--min-chunks", help="Fewest chunks that a query must need. (default: 2)")
    ],
    "max_chunks": Annotated[int | None, typer.Option("--max-chunks", help="Most chunks of a context. (default: 3)")],
    "top_k": Annotated[
        int | None, typer.Option("--top-k", help="Neighbours that a context is made from. (default: 10)")
    ],
    "min_similarity": Annotated[
        float | None,
        typer.Option(
            "--min-similarity", help="Cosine from which chunks are similar. (default: as `calibrate` proposes)"
        ),
    ],
    "spread": Annotated[
        str | None,
        typer.Option("--spread", help="any, within-document or cross-document. (default: any)", metavar="SPREAD"),
    ],
    "single": Annotated[
        str | None,
        typer.Option("--single", help="Queries that need one chunk: drop or keep. (default: drop)", metavar="RULE"),
    ],
    "necessity": Annotated[
        bool | None,
        typer.Option(
            "--necessity/--no-necessity", help="Leave one chunk out at a time and see if it is missed. (default: on)"
        ),
    ],
    "datasets": Annotated[
        list[str] | None,
        typer.Argument(
            help="Dataset folders; BEIR folders, SQuAD's JSON, Chroma's questions.csv, tables.", show_default=False
        ),
    ],
    "read_documents": Annotated[
        list[str] | None,
        typer.Option("--documents", help="Files or folders in which the contexts of tables are looked for."),
    ],
    "dataset": Annotated[
        str | None,
        typer.Argument(help="Folder of the dataset; of its versions the latest is taken.", show_default=False),
    ],
    "now_documents": Annotated[
        list[str] | None,
        typer.Option("--documents", help="What the dataset is about now: files, folders or addresses; again for more."),
    ],
    "new_model": Annotated[
        str | None,
        typer.Option("--model", help="Writes queries and answers. (default: as the dataset was made)", metavar="NAME"),
    ],
    "new_critic": Annotated[
        str | None,
        typer.Option("--critic", help="Filters and judges. (default: as the dataset was made)", metavar="NAME"),
    ],
    "version_out": Annotated[
        str | None,
        typer.Option(
            "--out", help="Folder of the new version. (default: beside the dataset, as NAME-v2)", metavar="DIR"
        ),
    ],
    "reader": Annotated[
        list[str] | None,
        typer.Option("--reader", help="Model that answers from what was retrieved; again for another.", metavar="NAME"),
    ],
    "benchmark_critic": Annotated[
        str | None, typer.Option("--critic", help="Judges answers. (default: offline, by words alone)", metavar="NAME")
    ],
    "primary": Annotated[
        str | None,
        typer.Option(
            "--primary", help="Metric that ranks. (default: correctness, or recall@512tokens)", metavar="METRIC"
        ),
    ],
    "splits": Annotated[
        list[str] | None,
        typer.Option(
            "--split", help="Only goldens of this split, as test; again for more. (default: all)", metavar="SPLIT"
        ),
    ],
    "baseline": Annotated[
        str | None,
        typer.Option("--baseline", help="Configuration that the others are compared with.", metavar="NAME"),
    ],
    "results_out": Annotated[
        str | None, typer.Option("--out", help="Folder of the results. (default: out/benchmark)", metavar="DIR")
    ],
    "pipeline": Annotated[str, typer.Option("--pipeline", help="single-chunk or multi-chunk.", metavar="NAME")],
    "audience": Annotated[str | None, typer.Option("--audience", help="Whom the queries should be relevant to.")],
    "language": Annotated[
        str | None, typer.Option("--language", help="Of the queries, two letters. (default: that of the documents)")
    ],
    "samples": Annotated[
        str | None,
        typer.Option(
            "--samples",
            help="File of queries that users typed: their style is imitated, not their content.",
            metavar="FILE",
        ),
    ],
    "threshold": Annotated[int | None, typer.Option("--threshold", help="Least score, 1 to 5. (default: 4)")],
    "preset": Annotated[
        str | None,
        typer.Option("--preset", help="Checks: quick, standard or thorough. (default: standard)", metavar="NAME"),
    ],
    "separate": Annotated[
        bool | None, typer.Option("--separate", help="Three critiques in three calls instead of one.")
    ],
    "sampling": Annotated[str | None, typer.Option("--sampling", help="diverse or random. (default: diverse)")],
    "min_chars": Annotated[int | None, typer.Option("--min-chars", help="Shortest chunk to draw from. (default: 200)")],
    "max_calls": Annotated[int | None, typer.Option("--max-calls", help="End when so many calls were made.")],
    "max_tokens": Annotated[int | None, typer.Option("--max-tokens", help="End when so many tokens were used.")],
    "max_cost": Annotated[float | None, typer.Option("--max-cost", help="End when so many US dollars were spent.")],
    "seed": Annotated[int | None, typer.Option("--seed", help="Of sampling and mixing. (default: 0)")],
    "out": Annotated[
        str | None,
        typer.Option("--out", help="Folder of the dataset. (default: out/ and the command)", metavar="DIR"),
    ],
    "pilot": Annotated[
        int,
        typer.Option(
            "--pilot", min=0, help="Chunks to try with the models first, and pay for; 0 tries rules, for nothing."
        ),
    ],
}
DEFAULTS: dict[str, Any] = {"json": False, "pilot": 0, "pipeline": "single-chunk"}
"""Of options that are no parameters; the others are None where they were not typed."""

FIELDS = {
    "datasets": "datasets",
    "read_documents": "documents.sources",
    "dataset": "dataset",
    "now_documents": "documents.sources",
    "new_model": "generator.model",
    "new_critic": "critic.model",
    "version_out": "out",
    "reader": "reader",
    "benchmark_critic": "critic.model",
    "splits": "splits",
    "primary": "primary",
    "baseline": "baseline",
    "results_out": "out",
    "documents": "documents.sources",
    "corpus": "documents.corpus",
    "drop_references": "documents.drop_references",
    "allow_private_hosts": "documents.allow_private_hosts",
    "chunking": "chunking.strategy",
    "chunk_size": "chunking.size",
    "overlap": "chunking.overlap",
    "unit": "chunking.unit",
    "embedding": "embedding.model",
    "n": "n",
    "out": "out",
    "seed": "seed",
    "sampling": "sampling.method",
    "min_chars": "sampling.min_chars",
    "styles": "writing.styles",
    "shapes": "writing.shapes",
    "single": "writing.single",
    "necessity": "writing.necessity",
    "min_chunks": "contexts.min_chunks",
    "max_chunks": "contexts.max_chunks",
    "top_k": "contexts.top_k",
    "min_similarity": "contexts.min_similarity",
    "spread": "contexts.spread",
    "evolutions": "writing.evolutions",
    "audience": "writing.audience",
    "language": "writing.language",
    "samples": "writing.samples",
    "threshold": "writing.threshold",
    "preset": "preset",
    "separate": "writing.separate",
    "model": "generator.model",
    "temperature": "generator.temperature",
    "critic": "critic.model",
    "concurrency": "concurrency",
    "max_calls": "budget.max_calls",
    "max_tokens": "budget.max_tokens",
    "max_cost": "budget.max_cost",
}
"""The parameter behind each option."""

DOCUMENTS = ("documents", "corpus", "drop_references", "allow_private_hosts")
CHUNKS = ("chunking", "chunk_size", "overlap", "unit", "embedding")
SAMPLE = ("n", "sampling", "min_chars", "seed")
WRITING = ("model", "critic", "evolutions", "audience", "language", "samples", "threshold", "separate", "preset")
CONTEXTS = ("min_chunks", "max_chunks", "top_k", "min_similarity", "spread", "shapes", "single", "necessity")
CALLS = ("temperature", "concurrency", "max_calls", "max_tokens", "max_cost")


def takes(*names: str) -> Callable[[F], F]:
    """A command that takes these options, and gets them all as keyword arguments."""

    def sign(command: F) -> F:
        parameters = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name), annotation=OPTIONS[name]
            )
            for name in names
        ]
        command.__annotations__ = {name: OPTIONS[name] for name in names}
        vars(command)["__signature__"] = inspect.Signature(parameters)
        return command

    return sign


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed, by the names of the parameters behind them."""
    return {FIELDS[name]: value for name, value in options.items() if name in FIELDS and value is not None}
