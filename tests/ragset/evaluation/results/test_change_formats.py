"""What two benchmarks changed, as a comment and as JUnit."""

from lxml import etree

from ragset.evaluation.metrics.scores import Bounds
from ragset.evaluation.results.change_formats import MARKER, to_junit, to_markdown
from ragset.evaluation.results.comparing import Change, Comparability, Compared

GROUND = Comparability(corpus_before="c", corpus_after="c", same=("g-1",), changed=(), removed=(), added=())


def change_of(name: str = "prod", difference: float = -0.25, p: float = 0.004, **more: object) -> Change:
    fields = {
        "configuration": name,
        "metric": "recall@5",
        "before": 0.75,
        "after": 0.75 + difference,
        "p": p,
        "p_holm": p,
    }
    more = {"low": difference - 0.1, "high": difference + 0.1, "goldens": 40, **more}
    return Change.model_validate({**fields, "difference": difference, **more})


def compared_of(*changes: Change, only_before: tuple[str, ...] = (), ground: Comparability = GROUND) -> Compared:
    return Compared(changes=changes, goldens=(), only_before=only_before, only_after=("new",), ground=ground)


def test_a_comment_says_the_outcome_first_and_each_change_in_a_row() -> None:
    told = to_markdown(compared_of(change_of(), change_of("other", 0.125), change_of("third", -0.01, 0.7))).splitlines()
    assert told[:2] == [MARKER, "### ragset: 1 metric fell by more than noise"]
    assert told[5:8] == [
        "| `prod` | `recall@5` | 0.750 | 0.500 | -0.250 | -0.350…-0.150 | 0.004 | 40 | **fell** |",
        "| `other` | `recall@5` | 0.750 | 0.875 | +0.125 | +0.025…+0.225 | 0.004 | 40 | rose |",
        "| `third` | `recall@5` | 0.750 | 0.740 | -0.010 | -0.110…+0.090 | 0.700 | 40 |  |",
    ]
    assert told[-1] == "Only in the results after, not compared: `new`."


def test_a_configuration_that_is_gone_comes_before_what_fell() -> None:
    told = to_markdown(compared_of(change_of(), only_before=("old", "older")))
    assert "### ragset: 2 configurations could not be compared" in told
    assert "Only in the results before, not compared: `old`, `older`." in told


def test_a_comment_says_on_what_it_does_not_rest() -> None:
    ground = GROUND.model_copy(update={"removed": ("g-2",)})
    unsure = change_of(bounds=Bounds(worst=-0.4, best=-0.1))
    told = to_markdown(compared_of(unsure, ground=ground))
    assert "Not measured on the same: goldens: 1 removed, 1 the same." in told
    assert "by what they could be, the change is between -0.400 and -0.100." in told


def test_names_are_no_markup_in_a_comment_and_break_no_table() -> None:
    told = to_markdown(compared_of(change_of("a|b`c`\n<img src=x> @everyone")))
    assert "| `a\\|b'c' <img src=x> @everyone | " not in told
    assert "| `a\\|b'c' <img src=x> @everyone` | `recall@5` |" in told


def test_junit_has_a_case_for_each_change_and_a_failure_for_each_fall() -> None:
    suite = etree.fromstring(to_junit(compared_of(change_of("a\x00b"), change_of("c", 0.1), only_before=("old",))))
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    cases = [(case.get("classname"), case.get("name"), case.find("failure") is not None) for case in suite]
    assert cases == [("a\ufffdb", "recall@5", True), ("c", "recall@5", False), ("old", "is measured", True)]
    message = suite[0].find("failure").get("message")
    assert message == "recall@5 fell from 0.750 to 0.500: -0.250 (-0.350 to -0.150), p 0.004 over 40 goldens"
    values = {one.get("name"): one.get("value") for one in suite[0].find("properties")}
    assert (values["after"], values["goldens"]) == ("0.5", "40")
