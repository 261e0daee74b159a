"""Makes Prefect flows: arguments are validated into the flow's model, and the flow gets that one model."""

import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, TypeVar

from prefect import Flow, flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Cancelled
from prefect.utilities.hashing import file_hash
from pydantic import Field, ValidationError

from flows.parameters.embeddings import with_embedding
from flows.parameters.models import IndexParameters, MakingParameters, Parameters
from flows.parameters.permissions import permit
from flows.parameters.places import with_copies, without_copies
from flows.parameters.reading import valid
from flows.steps.checks import check
from flows.steps.pausing import Declined
from ragset.settings import RunnerSettings
from ragset.settings.base import plain
from ragset.storage import send_changes
from tasks.documents import corpus_names
from tasks.run.lifecycle import run_lifecycle
from tasks.run.progress import progress
from tasks.run.threads import in_thread
from tasks.workers.cluster import cluster_of

P = TypeVar("P", bound=Parameters)


def flow_with(
    model: type[P], *, name: str, run_name: Callable[[P], str], found: Callable[[P], Parameters] | None = None
) -> Callable[[Callable[[P], Awaitable[Any]]], Flow[..., Any]]:
    """Make a Prefect flow, with each field of `model` as an argument, of a function that takes the model.

    The arguments are validated, permitted and checked first, so that a run that cannot succeed fails with one of our messages.
    Parameters `found` by those given, as in a manifest, have to be permitted too. The function's docstring describes the flow.
    """

    def decorate(function: Callable[[P], Awaitable[Any]]) -> Flow[..., Any]:
        @wraps(function)
        async def run(**arguments: Any) -> Any:
            async with run_lifecycle():
                parameters = valid(model, arguments)
                permit(parameters)
                parameters = await in_thread(with_embedding, parameters)
                parameters = await in_thread(with_copies, parameters)
                if found:
                    permit(found(parameters))
                check(parameters)
                try:
                    async with cluster_of(getattr(parameters, "runner", RunnerSettings())):
                        returned = await function(parameters)
                    await in_thread(send_changes)
                    if isinstance(returned, State):
                        return returned.model_copy(update={"data": without_copies(returned.data)})
                    return without_copies(returned)
                except Declined as declined:
                    # To whoever called the flow, this state is Prefect's `CancelledRun`.
                    progress().stopped = str(declined)
                    return Cancelled(message=str(declined))

        def named() -> str:
            try:
                return run_name(model.model_validate(flow_run.parameters))
            except ValidationError:
                return "parameters that cannot be used"

        vars(run)["__signature__"] = _signature(model)
        return flow(
            name=name,
            flow_run_name=named,
            version=file_hash(inspect.getfile(function)),
            description=(inspect.getdoc(function) or "").partition("\n")[0],
            validate_parameters=False,
        )(run)

    return decorate


def corpus_as(parameters: IndexParameters) -> str:
    """The name of a run: its corpus and its chunking."""
    return f"{corpus_names(parameters.documents, parameters.chunking.existing)[1]} as {parameters.chunking.name}"


def goldens_of_corpus(parameters: MakingParameters) -> str:
    """The name of a run: the number of goldens, the corpus and the chunking."""
    return f"{parameters.n} of {corpus_as(parameters)}"


def _signature(model: type[Parameters]) -> inspect.Signature:
    """A keyword argument for each field, for Prefect's form; titles and descriptions go into the schema."""
    arguments: list[inspect.Parameter] = []
    for name in model.in_order():
        field = model.model_fields[name]
        said: dict[str, Any] = {"title": field.title, "description": plain(field.description or "")}
        default = inspect.Parameter.empty if field.is_required() else field.default
        annotation = Annotated[field.annotation, *field.metadata, Field(json_schema_extra=said)]
        kind = inspect.Parameter.KEYWORD_ONLY
        arguments.append(inspect.Parameter(name, kind, default=default, annotation=annotation))
    return inspect.Signature(arguments)
