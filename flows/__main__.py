"""The command line: `python -m flows …`.

Only what help needs is imported here; Prefect and Milvus take seconds, and come when a command runs.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Make RAG test sets that can be trusted out of your own documents.",
    epilog="Exit codes: 0 done, 2 usage or input, 3 a provider (models, embeddings, Milvus), 4 fewer goldens than asked.",
)
prompts_app = typer.Typer(no_args_is_help=True, help="The prompt files: list, check, pin.")
app.add_typer(prompts_app, name="prompts")

# typer reads `Optional[X]`; the pipe form is for annotations that nothing evaluates.
Documents = Annotated[list[str] | None, typer.Argument(help="Files, folders or http(s) addresses.", show_default=False)]
Config = Annotated[
    Path | None,
    typer.Option("--config", help="YAML file with any of the parameters; options given here go first.", metavar="FILE"),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for scripts.")]
Corpus = Annotated[
    str | None,
    typer.Option("--corpus", help="Name under which the index is kept. (default: from the documents)"),
]
DropReferences = Annotated[
    bool | None,
    typer.Option("--drop-references", help="Cut trailing References, Bibliography, External links sections."),
]
AllowPrivate = Annotated[
    bool | None, typer.Option("--allow-private-hosts", help="Fetch pages from private addresses, too.")
]
Chunking = Annotated[
    str | None,
    typer.Option(
        "--chunking",
        help="recursive, sentence, semantic, markdown, token or words. (default: recursive)",
        metavar="STRATEGY",
    ),
]
ChunkSize = Annotated[int | None, typer.Option("--chunk-size", help="Largest chunk, in units. (default: 256)")]
Overlap = Annotated[int | None, typer.Option("--overlap", help="Units that neighbours share. (default: 0)")]
Unit = Annotated[
    str | None,
    typer.Option("--unit", help="tokens, characters or words. (default: tokens)", metavar="UNIT"),
]
Embedding = Annotated[
    str | None,
    typer.Option(
        "--embedding",
        help="offline, local:NAME, or a model at the endpoint. (default: offline)",
        metavar="NAME",
    ),
]
N = Annotated[str | None, typer.Option("--n", help="How many goldens, or [b]all[/b]. (default: 100)", metavar="N")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Writes queries and answers; [b]offline[/b] is rules. (default: offline)",
        metavar="NAME",
    ),
]
Critic = Annotated[
    str | None, typer.Option("--critic", help="Filters and judges. (default: the model)", metavar="NAME")
]
Concurrency = Annotated[int | None, typer.Option("--concurrency", help="Calls at once, of each model. (default: 16)")]
Temperature = Annotated[
    float | None, typer.Option("--temperature", help="Of the model that writes. (default: the provider's)")
]
Styles = Annotated[
    str | None,
    typer.Option("--styles", help="Weights of open, factoid, keyphrase, exam. (default: open)", metavar="MIX"),
]
Evolutions = Annotated[
    str | None,
    typer.Option(
        "--evolutions",
        help="Weights of none, generalise, reasoning, conditional, compress, as in none=2,compress=1. (default: none)",
        metavar="MIX",
    ),
]
Audience = Annotated[str | None, typer.Option("--audience", help="Whom the queries should be relevant to.")]
Language = Annotated[
    str | None, typer.Option("--language", help="Of documents and queries, two letters. (default: en)")
]
Threshold = Annotated[int | None, typer.Option("--threshold", help="Least score, 1 to 5. (default: 4)")]
Separate = Annotated[bool | None, typer.Option("--separate", help="Three critiques in three calls instead of one.")]
Sampling = Annotated[str | None, typer.Option("--sampling", help="diverse or random. (default: diverse)")]
MinChars = Annotated[int | None, typer.Option("--min-chars", help="Shortest chunk to draw from. (default: 200)")]
MaxCalls = Annotated[int | None, typer.Option("--max-calls", help="End when so many calls were made.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", help="End when so many tokens were used.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", help="End when so many US dollars were spent.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Of sampling and mixing. (default: 0)")]
Out = Annotated[
    str | None,
    typer.Option("--out", help="Folder of the dataset. (default: out/single-chunk)", metavar="DIR"),
]


@app.command("single-chunk")
def single_chunk(
    documents: Documents = None,
    n: N = None,
    out: Out = None,
    model: Model = None,
    critic: Critic = None,
    embedding: Embedding = None,
    chunking: Chunking = None,
    chunk_size: ChunkSize = None,
    overlap: Overlap = None,
    unit: Unit = None,
    sampling: Sampling = None,
    min_chars: MinChars = None,
    styles: Styles = None,
    evolutions: Evolutions = None,
    audience: Audience = None,
    language: Language = None,
    threshold: Threshold = None,
    separate: Separate = None,
    temperature: Temperature = None,
    concurrency: Concurrency = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    seed: Seed = None,
    corpus: Corpus = None,
    drop_references: DropReferences = None,
    allow_private_hosts: AllowPrivate = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Make a test set in which one chunk answers each query."""
    from flows.commands import run_single_chunk

    sys.exit(run_single_chunk(config, _given(locals()), json=json))


@app.command()
def estimate(
    documents: Documents = None,
    n: N = None,
    model: Model = None,
    critic: Critic = None,
    embedding: Embedding = None,
    chunking: Chunking = None,
    chunk_size: ChunkSize = None,
    overlap: Overlap = None,
    unit: Unit = None,
    sampling: Sampling = None,
    min_chars: MinChars = None,
    styles: Styles = None,
    evolutions: Evolutions = None,
    audience: Audience = None,
    language: Language = None,
    separate: Separate = None,
    seed: Seed = None,
    corpus: Corpus = None,
    drop_references: DropReferences = None,
    allow_private_hosts: AllowPrivate = None,
    pilot: Annotated[
        int,
        typer.Option("--pilot", help="Chunks to try with the models first, and pay for; 0 tries rules, for nothing."),
    ] = 0,
    config: Config = None,
    json: Json = False,
) -> None:
    """Say what a single-chunk run would cost: calls, tokens and money."""
    from flows.commands import run_estimate

    sys.exit(run_estimate(config, _given(locals()), pilot=pilot, json=json))


@app.command()
def index(
    documents: Documents = None,
    embedding: Embedding = None,
    chunking: Chunking = None,
    chunk_size: ChunkSize = None,
    overlap: Overlap = None,
    unit: Unit = None,
    language: Language = None,
    corpus: Corpus = None,
    drop_references: DropReferences = None,
    allow_private_hosts: AllowPrivate = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Cut documents into chunks and index them in Milvus; again, and only what changed is embedded."""
    from flows.commands import run_index

    sys.exit(run_index(config, _given(locals()), json=json))


@app.command()
def show(
    dataset: Annotated[Path, typer.Argument(help="Folder of a dataset.", show_default=False)],
    goldens: Annotated[int, typer.Option("--goldens", help="How many to print.", min=0)] = 5,
    json: Json = False,
) -> None:
    """Summarise a test set."""
    from flows.commands import run_show

    sys.exit(run_show(dataset, goldens, json=json))


@prompts_app.command("list")
def list_prompts(json: Json = False) -> None:
    """Every prompt with its version, digest and purpose."""
    from flows.commands import run_prompts_list

    sys.exit(run_prompts_list(json=json))


@prompts_app.command("check")
def check() -> None:
    """Load every prompt file and compare it with its pin."""
    from flows.commands import run_prompts_check

    sys.exit(run_prompts_check())


@prompts_app.command("pin")
def pin() -> None:
    """Write the digests of all prompt files to pins.yaml; a text that moved needs a new version first."""
    from flows.commands import run_prompts_pin

    sys.exit(run_prompts_pin())


FIELDS = {
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
    "evolutions": "writing.evolutions",
    "audience": "writing.audience",
    "language": "writing.language",
    "threshold": "writing.threshold",
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


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed, by the names of the parameters behind them."""
    return {FIELDS[name]: value for name, value in options.items() if name in FIELDS and value is not None}


if __name__ == "__main__":
    app(prog_name="python -m flows")
