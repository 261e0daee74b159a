"""Parameters as manifests have them: no path of this machine, however deep it stands."""

from flows.parameters.models import SingleChunkParameters, TrainAdapterParameters


def test_of_paths_the_last_name_is_left_and_of_addresses_all_but_the_query() -> None:
    asked = SingleChunkParameters.model_validate(
        {
            "documents": {"sources": ["/data/team/docs", "https://wiki.example/page?key=1"]},
            "chunking": {"existing": {"file": "/data/team/chunks.jsonl"}},
            "embedding": {"model": "offline", "adapter": "/data/team/adapter"},
            "writing": {"samples": "/data/team/queries.txt"},
            "checks": {"earlier": ["/data/team/one", "/data/team/other"]},
            "out": "/data/team/out",
        }
    )
    values = asked.portable
    assert "/data" not in str(values)
    assert values["documents"]["sources"] == ["docs", "https://wiki.example/page"]
    assert values["chunking"]["existing"]["file"] == "chunks.jsonl"
    assert values["embedding"] == {**asked.embedding.model_dump(mode="json"), "adapter": "adapter"}
    assert values["writing"]["samples"] == "queries.txt"
    assert values["checks"]["earlier"] == ["one", "other"]


def test_what_names_no_place_stays_as_it_is() -> None:
    asked = TrainAdapterParameters(dataset="out/docs", seed=7)
    assert asked.portable == {**asked.model_dump(mode="json", exclude={"out", "runner"}), "dataset": "docs"}
