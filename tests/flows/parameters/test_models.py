"""What results say of the parameters of a benchmark."""

from flows.parameters.models import BenchmarkParameters


def test_a_system_without_an_address_has_none_in_the_results() -> None:
    asked = BenchmarkParameters.model_validate(
        {
            "datasets": ["out/single-chunk"],
            "systems": [
                {"name": "a", "runs": "/data/runs/a.trec", "chunks": "/data/chunks.jsonl"},
                {"name": "b", "python": "my_rag:answer"},
                {"name": "c", "http": "http://localhost:9000/query?key=1"},
            ],
        }
    )
    said = [(one["http"], one["python"], one["runs"], one["chunks"]) for one in asked.portable["systems"]]
    assert said == [
        ("", "", "a.trec", "chunks.jsonl"),
        ("", "my_rag:answer", "", ""),
        ("http://localhost:9000/query", "", "", ""),
    ]
