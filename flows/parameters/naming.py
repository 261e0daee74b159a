"""What flow runs are called."""

from prefect.runtime import flow_run
from pydantic import ValidationError

from ragset.settings import ChunkingSettings, DocumentSettings
from tasks.documents import corpus_names


def run_name() -> str:
    """Of the flow run that is going on: how many goldens of which corpus, cut how."""
    return f"{flow_run.parameters['n']} of {corpus_as()}"


def corpus_as() -> str:
    """Of the flow run that is going on: which corpus, cut how."""
    try:
        documents = DocumentSettings.model_validate(flow_run.parameters["documents"])
        chunking = ChunkingSettings.model_validate(flow_run.parameters["chunking"])
    except ValidationError:
        return "parameters that cannot be used"
    return f"{corpus_names(documents)[1]} as {chunking.name}"
